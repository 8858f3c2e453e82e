import { Type } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { notFound } from "../../../errors.ts";
import { created, list } from "../../../http/answer.ts";
import { rowsOfPage } from "../../../http/page.ts";
import { post, type Route, read } from "../../../http/route.ts";
import { cursor, integerId, limit, object, time } from "../../../http/schemas.ts";
import { type DocumentFilter, listDocuments } from "../../library/documents/page-queries.ts";
import { pathTexts } from "../../library/documents/path-texts.ts";
import { getDocument } from "../../library/documents/queries.ts";
import type { ShownDocument } from "../../library/documents/represent.ts";
import { parseUpdatedSince } from "../../library/documents/updated-since.ts";
import { getFolder } from "../../library/folders/queries.ts";
import { listSubtree } from "../../library/folders/subtree.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { findVisit, recordVisit } from "../../library/personal/queries.ts";
import { compareSince } from "./compare-since.ts";
import { deletedPages, keyOfDeleted, showDeleted } from "./deleted-pages.ts";
import type { DeletedRow } from "./queries.ts";
import { DocumentDifference, exampleDifference } from "./schema.ts";

const tag = "Events";
const NAME = "[\\w .:-]{1,100}";
const visitName = Type.String({ pattern: `^${NAME}$`, description: "Letters, digits, blanks, . : - and _." });
const VISIT = new RegExp(`^visit:(${NAME})$`);

interface Scope {
  readonly knowledge_base_id?: number;
  readonly folder_id?: number;
  readonly document_id?: string;
}

/** A changed document, or one in the trash. */
type Changed = ShownDocument | DeletedRow;
const isDeleted = (row: Changed): row is DeletedRow => "trash_id" in row;
const keyOf = (row: Changed): readonly [number, string] =>
  isDeleted(row) ? [row.deleted_at, keyOfDeleted(row)] : [row.updated_at, row.id];

function latestFirst(a: Changed, b: Changed): number {
  const [[timeA, idA], [timeB, idB]] = [keyOf(a), keyOf(b)];
  return timeB - timeA || Number(isDeleted(b)) - Number(isDeleted(a)) || (idA < idB ? 1 : -1);
}

/** Documents in scope that changed or were deleted since, latest first; a folder includes its descendants. */
async function changedDocuments(db: Reader, workspaceId: string, scope: Scope, since: number) {
  if (scope.document_id !== undefined) await getDocument(db, workspaceId, scope.document_id);
  if (scope.knowledge_base_id !== undefined) await getKnowledgeBase(db, workspaceId, scope.knowledge_base_id);
  const folder = scope.folder_id === undefined ? undefined : await getFolder(db, workspaceId, scope.folder_id);
  const folders = folder && new Set((await listSubtree(db, folder)).map(({ id }) => id));
  const knowledgeBaseId = scope.knowledge_base_id ?? folder?.knowledge_base_id;
  const filter: DocumentFilter = { knowledgeBaseId, updatedSince: since, includeVariants: true };
  const isWanted = (row: ShownDocument): boolean =>
    (folders === undefined || folders.has(row.folder_id ?? -1)) &&
    (scope.document_id === undefined || row.id === scope.document_id);
  return async (after: readonly (string | number)[], size: number): Promise<Changed[]> => {
    const found: Changed[] = [];
    for (let key = after; found.length < size; ) {
      const rows = await listDocuments(db, workspaceId, filter, "updated_at", key, 100);
      found.push(...rows.filter(isWanted));
      const last = rows.at(-1);
      if (rows.length < 100 || !last) break;
      key = [last.updated_at, last.id];
    }
    if (scope.document_id === undefined)
      found.push(...(await deletedPages(db, workspaceId, { since, knowledgeBaseId, folders }, after, size)));
    return found.sort(latestFirst).slice(0, size);
  };
}

export const differenceRoutes: Route[] = [
  read({
    operation: "diff_changes",
    path: "/changes/diff",
    tag,
    summary: "The changes since a time, block by block, with the old and the new text.",
    description:
      "Of a document, a folder with all below it, a knowledge base, or everything. `since=visit:<name>` is the moment that was kept under that name with `POST /me/visits`. Deleted documents are listed for as long as they are in the trash. Documents whose text is as it was then are not among them, so a page may have fewer than `limit` although there is more.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "workspace" },
    query: object({
      since: Type.String({ minLength: 1, maxLength: 110, description: "ISO 8601, milliseconds, or `visit:<name>`." }),
      knowledge_base_id: Type.Optional(integerId()),
      folder_id: Type.Optional(integerId()),
      document_id: Type.Optional(Type.String()),
      limit: limit(),
      cursor: cursor(),
    }),
    errors: ["not_found"],
    success: {
      status: 200,
      description: "By document, the last changed first.",
      data: DocumentDifference,
      list: true,
      more: {
        since: time(),
        until: { ...time(), description: "The end of the period: send it as `since` the next time." },
      },
      moreExample: { since: 1794700000000, until: 1794786400000 },
      example: exampleDifference,
    },
    handler: async ({ app, caller, db, query }) => {
      const { workspaceId } = caller;
      const until = Date.now();
      const since = await timeOf(db, { workspace_id: workspaceId, user_id: caller.userId }, query.since);
      const { knowledge_base_id, folder_id, document_id } = query;
      const fetch = await changedDocuments(db, workspaceId, query, since);
      const identity = ["differences", since, knowledge_base_id, folder_id, document_id];
      const { shown, page } = await rowsOfPage(app.secret, identity, query, {
        fetch,
        keyOf,
      });
      const pathOf = await pathTexts(
        db,
        workspaceId,
        shown.filter((row): row is ShownDocument => !isDeleted(row)),
      );
      const { versionRetention } = app.config;
      const differences: unknown[] = [];
      for (const row of shown) {
        if (isDeleted(row)) differences.push(await showDeleted(db, workspaceId, row, since, versionRetention));
        else {
          const difference = await compareSince(db, row, since, versionRetention);
          const page = { document_id: row.id, title: row.title, path_text: pathOf(row), deleted_at: null };
          differences.push(difference && { ...page, ...difference });
        }
      }
      return list(
        differences.filter((difference) => difference !== undefined),
        page,
        { since, until },
      );
    },
  }),
  post({
    operation: "record_visit",
    path: "/me/visits",
    tag,
    summary: "Keep a moment under a name, for `since=visit:<name>` of `/changes/diff`.",
    scopes: ["documents:write"],
    access: { action: "personal", subject: "workspace" },
    body: object({
      name: visitName,
      at: Type.Optional({
        ...time(),
        description: "`until` of the changes that were read; left out, and at most, now.",
      }),
    }),
    bodyExample: { name: "agent" },
    success: {
      status: 201,
      description: "It is kept, in place of the moment that had this name before.",
      data: object({ name: Type.String(), at: time() }),
      example: { name: "agent", at: 1794700000000 },
    },
    handler: async ({ caller, tx, body }) => {
      const key = { workspace_id: caller.workspaceId, user_id: caller.userId };
      const at = Math.min(body.at ?? Number.MAX_SAFE_INTEGER, Date.now());
      await recordVisit(tx, { ...key, name: body.name, at });
      return created({ name: body.name, at });
    },
  }),
];

type Person = { readonly workspace_id: string; readonly user_id: string };

async function timeOf(db: Reader, person: Person, since: string): Promise<number> {
  const name = VISIT.exec(since)?.[1];
  if (name === undefined) return parseUpdatedSince(since, "since");
  const at = await findVisit(db, person, name);
  if (at === undefined) throw notFound("visit", name);
  return at;
}
