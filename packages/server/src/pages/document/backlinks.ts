import { findDocument } from "../../resources/documents/queries.ts";
import type { MemberVisit } from "../visit.ts";

const MOST = 50;

export interface Backlink {
  readonly documentId: string;
  readonly blockId: string | null;
  readonly title: string;
  readonly predicate: string;
  readonly text: string;
}

/** The documents that point here, with the words they point with. */
export async function readBacklinks(visit: MemberVisit, id: string): Promise<readonly Backlink[]> {
  const { data } = await visit.api.get("/documents/{id}/relations", {
    path: { id },
    query: { direction: "incoming", limit: MOST },
  });
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
