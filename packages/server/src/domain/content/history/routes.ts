import { Type } from "typebox";
import { StoredBody } from "../../../bodies/body.ts";
import { changeBody } from "../../../bodies/change-body.ts";
import {
  findNewestState,
  findStateBelow,
  getStateRow,
  listStates,
  loadState,
} from "../../../bodies/history/read-state.ts";
import { getBodyState, readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { apiError } from "../../../errors.ts";
import { actorOf } from "../../../events/actor.ts";
import { list, notModified, ok, quoted } from "../../../http/answer.ts";
import { decodeListCursor, encodeListCursor } from "../../../http/cursor.ts";
import { rowsOfPage } from "../../../http/page.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { cursor, limit, name, nullable, object } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { answerContent } from "../content/answer-content.ts";
import { answerWritten } from "../content/answer-written.ts";
import { Content, dryRun, exampleWritten, formatQuery, Written } from "../content/schema.ts";
import { BlockDifference } from "../versions/block-difference.ts";
import { compareBodies } from "../versions/run-comparison.ts";
import { readBlame, showBlame } from "./blame.ts";
import { giveName } from "./name-state.ts";
import { BlockAuthor, exampleBlockAuthor, exampleState, HistoryState, showStates, stateTag } from "./schema.ts";
import { stateSource } from "./state-source.ts";

const tag = "History";
const stateId = () => Type.String({ maxLength: 64, description: "state_<ULID>" });
const StateParams = Type.Object({ id: Type.String(), stateId: stateId() });

const keyOf = (input: { caller: { workspaceId: string }; params: { id: string } }): DocumentKey => ({
  workspaceId: input.caller.workspaceId,
  documentId: input.params.id,
});

/** The older and the newer of two states; the one before the first is empty. */
async function bodiesBetween(db: Reader, key: DocumentKey, id: string, other: string | undefined) {
  const row = await getStateRow(db, key, id);
  if (other === "current") return { from: await loadState(db, key, id), to: await readBody(db, key), ids: [id, null] };
  const beside = other === undefined ? await findStateBelow(db, key, row.place) : await getStateRow(db, key, other);
  const own = await loadState(db, key, id);
  if (!beside) return { from: undefined, to: own, ids: [null, id] };
  const [from, to] = beside.place < row.place ? [beside.id, id] : [id, beside.id];
  const loaded = await loadState(db, key, beside.id);
  return from === id ? { from: own, to: loaded, ids: [from, to] } : { from: loaded, to: own, ids: [from, to] };
}

const EMPTY = (documentType: StoredBody["documentType"]): StoredBody =>
  new StoredBody({ version: "", revision: 0, live_revisions: 0, document_type: documentType }, []);

export const historyRoutes: Route[] = [
  read({
    operation: "list_history",
    path: "/documents/{id}/history",
    tag,
    summary: "All kept states of the body, newest first; the first is the current one.",
    description:
      "Editing in the browser makes one state for each person and session: a pause ends a session, and a long one makes another every hour. Each write over the API makes one, and ends the sessions. States are kept by age: all of them at first, then one an hour, then one a day; those with a name for ever.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({ limit: limit(), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of them, without their content.",
      data: HistoryState,
      list: true,
      example: exampleState,
    },
    handler: async (input) => {
      const { app, db, params, query } = input;
      await getBodyState(db, keyOf(input));
      const { shown, page } = await rowsOfPage(app.secret, ["history", params.id], query, {
        fetch: ([below = Number.MAX_SAFE_INTEGER], size) => listStates(db, keyOf(input), Number(below), size),
        keyOf: ({ place }) => [place],
      });
      return list(await showStates(db, shown), page);
    },
  }),
  read({
    operation: "get_history_state",
    path: "/documents/{id}/history/{stateId}",
    tag,
    summary: "The body as it was in a state.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: StateParams,
    query: object(formatQuery),
    etag: true,
    success: {
      status: 200,
      description: "The body of that time. The ETag covers the name of the state, too.",
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
      const { db, params, query, request } = input;
      const row = await getStateRow(db, keyOf(input), params.stateId);
      const etag = stateTag(row);
      if (alreadyHas(request.headers["if-none-match"], etag)) return notModified(etag);
      const { "if-none-match": _, ...headers } = request.headers;
      const answer = await answerContent(row.version, query, { headers }, stateSource(db, keyOf(input), row.id));
      return { ...answer, headers: { ...answer.headers, etag: quoted(etag) } };
    },
  }),
  read({
    operation: "diff_history_state",
    path: "/documents/{id}/history/{stateId}/diff",
    tag,
    summary: "Which top-level blocks differ between a state and the one before it, or another one.",
    description:
      "The older of the two comes first. Nothing comes before the oldest state, so all its blocks are added.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: StateParams,
    query: object({
      with: Type.Optional(Type.String({ maxLength: 64, description: "The id of another state, or `current`." })),
    }),
    success: {
      status: 200,
      description: "The changes from the older to the newer.",
      data: object({
        from_state_id: nullable(Type.String()),
        to_state_id: nullable(Type.String({ description: "Null for the current text." })),
        from_version: nullable(Type.String()),
        to_version: Type.String(),
        changes: Type.Array(BlockDifference),
      }),
      example: {
        from_state_id: exampleState.id,
        to_state_id: null,
        from_version: exampleWritten.version,
        to_version: exampleWritten.version,
        changes: [],
      },
    },
    handler: async (input) => {
      const { db, params, query } = input;
      const { from, to, ids } = await bodiesBetween(db, keyOf(input), params.stateId, query.with);
      return ok({
        from_state_id: ids[0],
        to_state_id: ids[1],
        from_version: from?.version ?? null,
        to_version: to.version,
        changes: await compareBodies(from ?? EMPTY(to.documentType), to),
      });
    },
  }),
  patch({
    operation: "name_history_state",
    path: "/documents/{id}/history/{stateId}",
    tag,
    summary: "Give a state a name, which keeps it for ever, or take the name away.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: StateParams,
    body: object({ name: nullable(name()) }),
    bodyExample: { name: "Before the move" },
    ifMatch: "required",
    etag: true,
    errors: ["version_conflict", "quota_exceeded"],
    success: { status: 200, description: "The state.", data: HistoryState, example: exampleState },
    handler: async (input) => {
      const { app, tx, params, body, ifMatch } = input;
      const wanted = { id: params.stateId, name: body.name?.trim() ?? null, expected: ifMatch };
      const row = await giveName(tx, app.config, keyOf(input), wanted);
      const [state] = await showStates(tx, [row]);
      return ok(state, { etag: stateTag(row) });
    },
  }),
  post({
    operation: "restore_history_state",
    path: "/documents/{id}/history/{stateId}/restore",
    tag,
    summary: "Bring the text of a state back. The text that it replaces stays in the history.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: StateParams,
    query: object({ dry_run: dryRun() }),
    ifMatch: "optional",
    etag: true,
    errors: ["attachment_not_found"],
    success: {
      status: 200,
      description: "The new version. Restoring `undo_state_id` undoes it.",
      data: object({ ...Written.properties, undo_state_id: nullable(Type.String()) }),
      example: { ...exampleWritten, undo_state_id: exampleState.id },
    },
    prepare: ({ app, ...input }) => app.live.bringIn(keyOf(input)).catch(() => undefined),
    handler: async (input) => {
      const { app, tx, params, query, ifMatch } = input;
      const key = keyOf(input);
      let undo: string | undefined;
      const changed = await changeBody(app, tx, {
        key,
        reason: "rollback",
        actor: actorOf(input),
        expected: ifMatch ?? "*",
        edit: async () => {
          undo = (await findNewestState(tx, key))?.id;
          return (await loadState(tx, key, params.stateId)).blocks;
        },
      });
      return answerWritten(changed, { dryRun: query.dry_run, more: { undo_state_id: undo ?? null } });
    },
  }),
  read({
    operation: "get_blame",
    path: "/documents/{id}/blame",
    tag,
    summary: "The author and time of the last change of each top-level block.",
    description: "A moved block keeps its author. A cursor holds for one version of the body.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({
      block_id: Type.Optional(
        Type.String({ maxLength: 64, description: "Only the top-level block that is or contains this one." }),
      ),
      limit: limit(100),
      cursor: cursor(),
    }),
    errors: ["read_cursor_stale"],
    success: {
      status: 200,
      description: "In document order.",
      data: BlockAuthor,
      list: true,
      example: exampleBlockAuthor,
    },
    handler: async (input) => {
      const { app, db, params, query } = input;
      const { body, blocks } = await readBlame(db, keyOf(input));
      const { block_id: blockId, limit: size = 100 } = query;
      const identity = ["blame", params.id, blockId ?? null];
      const [version, start = 0] = decodeListCursor(app.secret, identity, query.cursor) ?? [body.version];
      if (version !== body.version) throw apiError("read_cursor_stale", { current_version: body.version });
      const only = blockId === undefined ? undefined : blocks[body.positionOf(blockId) ?? -1];
      const wanted = blockId === undefined ? blocks : only ? [only] : [];
      const end = Math.min(wanted.length, Number(start) + size);
      const next = end < wanted.length ? encodeListCursor(app.secret, identity, [body.version, end]) : null;
      const page = { cursor: query.cursor ?? null, next_cursor: next, has_more: next !== null };
      return list(await showBlame(db, wanted.slice(Number(start), end)), page);
    },
  }),
];
