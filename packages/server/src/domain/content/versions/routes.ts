import { Type } from "typebox";
import { changeBody } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { invalidRequest } from "../../../errors.ts";
import { actorOf } from "../../../events/actor.ts";
import { ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { post, type Route, read } from "../../../http/route.ts";
import { cursor, limit, named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { answerContent } from "../content/answer-content.ts";
import { answerWritten } from "../content/answer-written.ts";
import { Content, dryRun, exampleWritten, formatQuery, Written } from "../content/schema.ts";
import { BlockDifference } from "./block-difference.ts";
import { findVersion, loadVersion } from "./load-version.ts";
import { type ListedSnapshot, listSnapshots } from "./queries.ts";
import { compareBodies } from "./run-comparison.ts";

const tag = "Versions";
const VersionParams = Type.Object({
  id: Type.String(),
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

const Version = named(
  "Version",
  object({
    seq: Type.Integer(),
    version: Type.String(),
    created_at: time(),
    creator: object({ id: Type.String(), name: nullable(Type.String()) }),
    byte_size: Type.Integer(),
    suggested_by: nullable(
      object(
        {
          type: oneOf(["user", "token"]),
          id: Type.String(),
          user_id: nullable(
            Type.String({ description: "The person; null in versions that were made before this field." }),
          ),
          name: Type.String(),
          agent: Type.Boolean(),
        },
        { description: "Who proposed the change that `creator` accepted." },
      ),
    ),
    client: nullable(
      object(
        {
          token_id: Type.String(),
          name: nullable(Type.String()),
          version: nullable(Type.String()),
          agent: Type.Boolean({ description: "The program said that it acts for a language model." }),
        },
        { description: "The program through which `creator` made the change; null: in the browser, or not known." },
      ),
    ),
    reason: Type.String({ description: "The write that followed: content, blocks, batch, rollback, translation, …" }),
  }),
);

const versionOf = ({ creator_id, creator_name, suggested_by, client, ...row }: ListedSnapshot) => ({
  ...row,
  suggested_by: suggested_by === null ? null : { user_id: null, ...JSON.parse(suggested_by) },
  client: client === null ? null : JSON.parse(client),
  creator: { id: creator_id, name: creator_name },
});

const keyOf = (input: { caller: { workspaceId: string }; params: { id: string } }) => ({
  workspaceId: input.caller.workspaceId,
  documentId: input.params.id,
});

export const versionRoutes: Route[] = [
  read({
    operation: "list_versions",
    path: "/documents/{id}/versions",
    tag,
    summary: "Snapshots of earlier states, newest first.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({ limit: limit(), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of them, without their content.",
      data: Version,
      list: true,
      example: {
        seq: 4,
        version: exampleWritten.version,
        created_at: 1794700000000,
        creator: { id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", name: "Ada" },
        byte_size: 2048,
        suggested_by: null,
        client: { token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE", name: "proofreader", version: "1.2.0", agent: true },
        reason: "content",
      },
    },
    handler: async (input) => {
      const { app, db, params, query } = input;
      return pageOf(app.secret, ["versions", params.id], query, {
        fetch: ([before = Number.MAX_SAFE_INTEGER], size) =>
          listSnapshots(db, keyOf(input), app.config.versionRetention, Number(before), size),
        keyOf: (row) => [row.seq],
        represent: versionOf,
      });
    },
  }),
  read({
    operation: "get_version",
    path: "/documents/{id}/versions/{seq}",
    tag,
    summary: "The body as a snapshot kept it.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: VersionParams,
    query: object(formatQuery),
    etag: true,
    success: {
      status: 200,
      description: "The body of that time.",
      data: Content,
      content: ["text/markdown", "text/html"],
      example: {
        format: "tiptap-json",
        document: { type: "doc", content: [] },
        version: exampleWritten.version,
        warnings: [],
      },
    },
    handler: async (input) => {
      const { versionRetention } = input.app.config;
      const { version, source } = await findVersion(input.db, keyOf(input), input.params.seq, versionRetention);
      return answerContent(version, input.query, input.request, source);
    },
  }),
  read({
    operation: "diff_versions",
    path: "/documents/{id}/versions/{seq}/diff",
    tag,
    summary: "Which top-level blocks differ between a snapshot and another state.",
    description:
      "A block is known by its id, or else by its content: a block that only got another id is not among the changes.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: VersionParams,
    query: object({
      to: Type.Optional(Type.String({ maxLength: 20, description: "A `seq`, or `current` (default)." })),
    }),
    success: {
      status: 200,
      description: "The changes from the one to the other.",
      data: object({ from_version: Type.String(), to_version: Type.String(), changes: Type.Array(BlockDifference) }),
      example: {
        from_version: exampleWritten.version,
        to_version: exampleWritten.version,
        changes: [],
      },
    },
    handler: async (input) => {
      const key = keyOf(input);
      const { to = "current" } = input.query;
      if (to !== "current" && !/^[1-9]\d{0,14}$/.test(to)) throw invalidRequest("query.to", "must be a seq or current");
      const load = (seq: number) => loadVersion(input.db, key, seq, input.app.config.versionRetention);
      const from = await load(input.params.seq);
      const until = to === "current" ? await readBody(input.db, key) : await load(Number(to));
      return ok({
        from_version: from.version,
        to_version: until.version,
        changes: await compareBodies(from, until),
      });
    },
  }),
  post({
    operation: "rollback",
    path: "/documents/{id}/versions/{seq}/rollback",
    tag,
    summary: "Put an earlier state back, after keeping the current one as a snapshot.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: VersionParams,
    query: object({ dry_run: dryRun() }),
    ifMatch: "required",
    etag: true,
    errors: ["attachment_not_found"],
    success: { status: 200, description: "The new version.", data: Written, example: exampleWritten },
    handler: async (input) => {
      const { app, tx, params, query } = input;
      const key = keyOf(input);
      const old = await loadVersion(tx, key, params.seq, app.config.versionRetention);
      const changed = await changeBody(app, tx, {
        key,
        reason: "rollback",
        actor: actorOf(input),
        expected: input.ifMatch,
        needsExpected: true,
        edit: () => old.blocks,
      });
      return answerWritten(changed, { dryRun: query.dry_run });
    },
  }),
];
