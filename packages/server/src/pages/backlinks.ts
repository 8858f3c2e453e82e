import { findDocument } from "../resources/documents/queries.ts";
import type { MemberVisit } from "./visit.ts";

const ROUTE = "GET /documents/{id}/relations";
const MOST = 50;

interface Relation {
  readonly predicate: string;
  readonly source_document_id: string;
  readonly source_block_id: string | null;
  readonly anchor_text: string | null;
}

export interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  readonly text: string;
}

/** The documents that point here, with the words they point with; undefined where the service keeps no relations. */
export async function readBacklinks(visit: MemberVisit, id: string): Promise<readonly Backlink[] | undefined> {
  if (!visit.api.has(ROUTE)) return undefined;
  const query = { direction: "incoming", limit: String(MOST) };
  const { data } = await visit.api.call<{ data: readonly Relation[] }>(visit, ROUTE, { params: { id }, query });
  const titles = await titlesOf(visit, [...new Set(data.map((relation) => relation.source_document_id))]);
  return data.map((relation) => ({
    documentId: relation.source_document_id,
    blockId: relation.source_block_id,
    title: titles.get(relation.source_document_id) ?? relation.source_document_id,
    predicate: relation.predicate,
    text: relation.anchor_text ?? "",
  }));
}

/** Titles by id, of the documents that are there. */
export async function titlesOf(visit: MemberVisit, ids: readonly string[]): Promise<Map<string, string>> {
  const db = visit.app.database.read;
  const rows = await Promise.all(ids.map((id) => findDocument(db, visit.viewer.workspace.id, id)));
  return new Map(rows.flatMap((row) => (row ? [[row.id, row.title] as const] : [])));
}
