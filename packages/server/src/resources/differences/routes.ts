import { Type } from "typebox";
import type { Reader } from "../../db/database.ts";
import { notFound } from "../../errors.ts";
import { created, list } from "../../http/answer.ts";
import { rowsOfPage } from "../../http/page.ts";
import { post, type Route, read } from "../../http/route.ts";
import { cursor, integerId, limit, object, time } from "../../http/schemas.ts";
import { type DocumentFilter, listDocuments } from "../documents/page-queries.ts";
import { pathTexts } from "../documents/path-texts.ts";
import { getDocument } from "../documents/queries.ts";
import type { ShownDocument } from "../documents/represent.ts";
import { parseUpdatedSince } from "../documents/updated-since.ts";
import { getFolder } from "../folders/queries.ts";
import { listSubtree } from "../folders/subtree.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { findVisit, recordVisit } from "../personal/queries.ts";
import { compareSince } from "./compare-since.ts";
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

/** Documents of the scope that changed since, the latest first; of a folder also those in the folders below. */
async function changedDocuments(db: Reader, workspaceId: string, scope: Scope, updatedSince: number) {
  if (scope.document_id !== undefined) await getDocument(db, workspaceId, scope.document_id);
  if (scope.knowledge_base_id !== undefined) await getKnowledgeBase(db, workspaceId, scope.knowledge_base_id);
  const folder = scope.folder_id === undefined ? undefined : await getFolder(db, workspaceId, scope.folder_id);
  const folders = folder && new Set((await listSubtree(db, folder)).map(({ id }) => id));
  const knowledgeBaseId = scope.knowledge_base_id ?? folder?.knowledge_base_id;
  const filter: DocumentFilter = { knowledgeBaseId, updatedSince, includeVariants: true };
  const isWanted = (row: ShownDocument): boolean =>
    (folders === undefined || folders.has(row.folder_id ?? -1)) &&
    (scope.document_id === undefined || row.id === scope.document_id);
  return async (after: readonly (string | number)[], size: number): Promise<ShownDocument[]> => {
    const found: ShownDocument[] = [];
    for (let key = after; found.length < size; ) {
      const rows = await listDocuments(db, workspaceId, filter, "updated_at", key, 100);
      found.push(...rows.filter(isWanted));
      const last = rows.at(-1);
      if (rows.length < 100 || !last) break;
      key = [last.updated_at, last.id];
    }
    return found.slice(0, size);
  };
}

export const differenceRoutes: Route[] = [
  read({
    operation: "diff_changes",
    path: "/changes/diff",
    tag,
    summary: "What changed since a time, block by block, with the old and the new text.",
    description:
      "Of a document, a folder with all below it, a knowledge base, or everything. `since=visit:<name>` is the moment that was kept under that name with `POST /me/visits`. Documents whose text is as it was then are not among them, so a page may have fewer than `limit` although there is more.",
    scopes: ["documents:read"],
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
      more: { since: time(), until: { ...time(), description: "Up to when it tells, to be kept for the next time." } },
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
        keyOf: (row) => [row.updated_at, row.id],
      });
      const pathOf = await pathTexts(db, workspaceId, shown);
      const differences: unknown[] = [];
      for (const row of shown) {
        const difference = await compareSince(db, row, since, app.config.versionRetention);
        if (difference)
          differences.push({ document_id: row.id, title: row.title, path_text: pathOf(row), ...difference });
      }
      return list(differences, page, { since, until });
    },
  }),
  post({
    operation: "record_visit",
    path: "/me/visits",
    tag,
    summary: "Keep a moment under a name, for `since=visit:<name>` of `/changes/diff`.",
    scopes: ["documents:write"],
    personal: true,
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
