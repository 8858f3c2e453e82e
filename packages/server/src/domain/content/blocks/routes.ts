import type { AppliedBatch } from "@svc/document/blocks/batch";
import { type BlockInfo, listBlocks } from "@svc/document/blocks/find";
import { parsePosition, type TakenHeading } from "@svc/document/blocks/position";
import { idsOf } from "@svc/document/schema/node";
import { Type } from "typebox";
import type { StoredBody } from "../../../bodies/body.ts";
import { type BodyChange, type ChangedBody, changeBody } from "../../../bodies/change-body.ts";
import { getBodyState, readBody } from "../../../bodies/load-body.ts";
import { BodyOperations } from "../../../bodies/operations/body-operations.ts";
import type { Tx } from "../../../db/database.ts";
import { apiError } from "../../../errors.ts";
import { actorOf } from "../../../events/actor.ts";
import { type Answer, notModified, quoted } from "../../../http/answer.ts";
import { alreadyHas, checkExpected, parseIfMatch } from "../../../http/preconditions.ts";
import { type Input, patch, post, type Route, read, remove } from "../../../http/route.ts";
import { cursor, flag, nullable, object, oneOf } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { answerWritten } from "../content/answer-written.ts";
import { dryRun, exampleWritten, mode, suggested, Written } from "../content/schema.ts";
import { isSuggesting, suggestEdit, suggestRefused } from "../proposals/propose.ts";
import { loadBase } from "../versions/base-body.ts";
import { blockJson } from "./block-json.ts";
import { changeBlock, deleteBlock, insertBlocks, parseChange } from "./edits.ts";
import { editOrMerge, onConflict } from "./merge-stale.ts";
import { listBlockPage } from "./read-blocks.ts";
import { blockOf } from "./represent.ts";
import { Batch, Block, BlockChange, BlockParams, exampleBlock, HeadingTaken, NewBlocks } from "./schema.ts";

const tag = "Blocks";
const format = Type.Optional(oneOf(["tiptap-json", "markdown"], "`markdown` adds each block's Markdown."));
const bodyErrors = ["invalid_document", "duplicate_block_id", "document_too_large", "attachment_not_found"] as const;
const textErrors = ["text_not_found", "text_ambiguous", "edit_changes_structure"] as const;
const positionErrors = ["block_not_found", "heading_not_found"] as const;

type BlockInput = Input<{ id: string }, unknown, unknown> & { readonly tx: Tx };

/** Edits blocks through `changeBody`, or stores the edit as a suggestion if the request asks for one. */
async function write(
  input: BlockInput,
  reason: BodyChange["reason"],
  edit: BodyChange["edit"],
  answer: (changed: ChangedBody) => Answer,
  expected = input.ifMatch,
): Promise<Answer> {
  if (isSuggesting(input)) return suggestEdit(input, { edit, unchanged: answer });
  const changed = await changeBody(input.app, input.tx, {
    key: { workspaceId: input.caller.workspaceId, documentId: input.params.id },
    reason,
    actor: actorOf(input),
    expected,
    edit,
  });
  return changed.refused ? suggestRefused(input, changed.before, changed.refused) : answer(changed);
}

const inserted = (after: StoredBody, ids: readonly string[]) =>
  blockInfos(after, ids).map((info) => blockOf(info, after.version));

/** The existing blocks among these ids. Looking up many one by one would take quadratic time. */
function blockInfos(body: StoredBody, ids: readonly string[]): readonly BlockInfo[] {
  const infos = new Map(listBlocks(body.body, { recursive: true }).map((info) => [info.id, info]));
  return ids.flatMap((id) => infos.get(id) ?? []);
}

export const blockRoutes: Route[] = [
  read({
    operation: "list_blocks",
    path: "/documents/{id}/blocks",
    tag,
    summary: "The top-level blocks, or all of them.",
    description: "Whole, unless `limit` asks for pages; a cursor holds for one version of the body.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({
      recursive: flag("Nested blocks too, each after its parent."),
      format,
      id_ends: Type.Optional(
        Type.String({
          pattern: "^[0-9A-HJKMNP-TV-Z]{8}$",
          description: "Blocks of any level whose id ends with these 8 characters, as agents see them.",
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      cursor: cursor(),
    }),
    etag: true,
    errors: ["read_cursor_stale"],
    success: { status: 200, description: "In document order.", data: Block, list: true, example: exampleBlock },
    handler: async ({ app, caller, db, params, query, request }) => {
      const body = await readBody(db, { workspaceId: caller.workspaceId, documentId: params.id });
      if (alreadyHas(request.headers["if-none-match"], body.version)) return notModified(body.version);
      return listBlockPage(app.secret, params.id, body, query);
    },
  }),
  read({
    operation: "get_block",
    path: "/documents/{id}/blocks/{blockId}",
    tag,
    summary: "One block, nested or not.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: BlockParams,
    query: object({ format }),
    etag: true,
    success: { status: 200, description: "It.", data: Block, example: exampleBlock },
    handler: async ({ caller, db, params, query, request }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const state = await getBodyState(db, key);
      const load = () => readBody(db, key, state);
      const { json, version } = await blockJson(state.version, params.blockId, query.format, load);
      if (alreadyHas(request.headers["if-none-match"], version)) return notModified(version);
      return { headers: { etag: quoted(version) }, dataJson: json };
    },
  }),
  post({
    operation: "insert_blocks",
    sharesCommit: true,
    path: "/documents/{id}/blocks",
    tag,
    summary: "Insert blocks at a position.",
    scopes: ["documents:write"],
    access: { action: "write_or_suggest", subject: "document" },
    params: DocumentParams,
    query: object({ mode: mode(), dry_run: dryRun() }),
    body: NewBlocks,
    bodyExample: {
      position: { document_end: true },
      nodes: [{ type: "paragraph", content: [{ type: "text", text: "One more thing." }] }],
    },
    ifMatch: "optional",
    etag: true,
    errors: [...bodyErrors, ...positionErrors],
    success: {
      status: 201,
      description: "The new version and the new blocks.",
      data: object({ ...Written.properties, blocks: Type.Array(Block), position: nullable(HeadingTaken) }),
      example: { ...exampleWritten, blocks: [exampleBlock], position: null },
      alternatives: [suggested],
    },
    handler: async (input) => {
      let ids: readonly string[] = [];
      let position: TakenHeading | null = null;
      const sent = { position: parsePosition(input.body.position), nodes: input.body.nodes };
      const edit = (current: StoredBody) => {
        const { nodes, blocks, heading } = insertBlocks(current, input.app.config, sent);
        ids = idsOf(nodes);
        position = heading;
        return blocks;
      };
      return write(input, "blocks", edit, (changed) =>
        answerWritten(changed, {
          dryRun: input.query.dry_run,
          isNew: true,
          more: { blocks: inserted(changed.after, ids), position },
        }),
      );
    },
  }),
  patch({
    operation: "change_block",
    sharesCommit: true,
    path: "/documents/{id}/blocks/{blockId}",
    tag,
    summary: "Replace a block, its attributes or its children; it keeps its id.",
    scopes: ["documents:write"],
    access: { action: "write_or_suggest", subject: "document" },
    params: BlockParams,
    query: object({ mode: mode(), dry_run: dryRun() }),
    body: BlockChange,
    bodyExample: { node: { type: "paragraph", content: [{ type: "text", text: "Changed." }] } },
    ifMatch: "optional",
    etag: true,
    errors: [...bodyErrors],
    success: {
      status: 200,
      description: "The new version.",
      data: Written,
      example: exampleWritten,
      alternatives: [suggested],
    },
    handler: async (input) => {
      const { app, params, body, query } = input;
      const change = parseChange(body);
      const edit = (current: StoredBody) => changeBlock(current, app.config, params.blockId, change);
      return write(input, "blocks", edit, (changed) => answerWritten(changed, { dryRun: query.dry_run }));
    },
  }),
  remove({
    operation: "delete_block",
    sharesCommit: true,
    path: "/documents/{id}/blocks/{blockId}",
    tag,
    summary: "Delete a block with all it holds.",
    description: "A container that cannot be empty goes with its last child.",
    scopes: ["documents:write"],
    access: { action: "write_or_suggest", subject: "document" },
    params: BlockParams,
    query: object({ mode: mode(), dry_run: dryRun() }),
    ifMatch: "optional",
    etag: true,
    success: {
      status: 200,
      description: "The new version.",
      data: object({ id: Type.String(), deleted: Type.Literal(true), ...Written.properties }),
      example: { id: exampleBlock.id, deleted: true, ...exampleWritten },
      alternatives: [suggested],
    },
    handler: async (input) => {
      const { app, params, query } = input;
      const edit = (current: StoredBody) => deleteBlock(current, app.config, params.blockId);
      const more = { id: params.blockId, deleted: true };
      return write(input, "blocks", edit, (changed) => answerWritten(changed, { dryRun: query.dry_run, more }));
    },
  }),
  post({
    operation: "batch",
    sharesCommit: true,
    path: "/documents/{id}/batch",
    tag,
    summary: "Several block operations, all or none.",
    description:
      "Each sees the effect of those before it. A failing one is named in `details.operation_index`. `edit_markdown` replaces a stretch of the body's Markdown (the body afterwards is what the replaced Markdown is read as), `append_markdown` adds some at the end of the body or of a section's own text; blocks that they do not touch keep their ids, nested ones too, a new list beside another of its kind becomes part of it, and so do rows alone behind a table.",
    scopes: ["documents:write"],
    access: { action: "write_or_suggest", subject: "document" },
    params: DocumentParams,
    query: object({
      mode: mode(),
      dry_run: dryRun(),
      on_conflict: onConflict("`base_version`"),
    }),
    body: Batch,
    bodyExample: {
      base_version: exampleWritten.version,
      operations: [{ op: "delete", block_id: exampleBlock.id }],
    },
    ifMatch: "optional",
    etag: true,
    errors: [...bodyErrors, ...positionErrors, ...textErrors, "precondition_required"],
    success: {
      status: 200,
      description: "The new version, and what each operation did.",
      data: object({
        ...Written.properties,
        results: Type.Array(Type.Object({ op: Type.String() }, { additionalProperties: true })),
        blocks: Type.Array(Block, { description: "The inserted blocks that are still there." }),
        positions: Type.Array(nullable(HeadingTaken), { description: "By operation; null without `after_heading`." }),
      }),
      example: {
        ...exampleWritten,
        results: [{ op: "delete", block_id: exampleBlock.id }],
        blocks: [],
        positions: [null],
      },
      alternatives: [suggested],
    },
    prepare: async ({ app, caller, db, params, body, ifMatch }) => {
      const operations = new BodyOperations(body.operations, app.config);
      const base = parseIfMatch(body.base_version) ?? ifMatch;
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      if (base !== undefined) await operations.applyAhead(() => loadBase(db, key, base, app.config.versionRetention));
      return operations;
    },
    handler: async (input) => {
      const { app, body, query, prepared: operations } = input;
      let results: AppliedBatch["results"] = [];
      let positions: AppliedBatch["positions"] = [];
      const apply = async (to: StoredBody) => {
        const applied = await operations.apply(to);
        ({ results, positions } = applied);
        return applied.body.content;
      };
      const edit = async (current: StoredBody) => {
        const base = baseOf(body.base_version, input.ifMatch);
        const key = { workspaceId: input.caller.workspaceId, documentId: input.params.id };
        if (query.on_conflict === "merge") return editOrMerge({ app, tx: input.tx, key, base }, apply)(current);
        checkExpected(base, current.version);
        return apply(current);
      };
      const answer = (changed: ChangedBody) => {
        const ids = results.flatMap((result) => ("block_ids" in result ? result.block_ids : []));
        return answerWritten(changed, {
          dryRun: query.dry_run,
          more: {
            results,
            blocks: inserted(changed.after, ids),
            positions,
          },
        });
      };
      return write(input, "batch", edit, answer, query.on_conflict === "merge" ? "*" : (input.ifMatch ?? "*"));
    },
  }),
];

/** The version that a batch is based on. */
function baseOf(baseVersion: string | undefined, ifMatch: string | undefined): string {
  const base = parseIfMatch(baseVersion) ?? ifMatch;
  if (base === undefined)
    throw apiError("precondition_required", {
      field: "base_version",
      hint: "Send the ETag of the body you read as base_version.",
    });
  return base;
}
