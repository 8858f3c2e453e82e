import type { Static } from "typebox";
import { StoredBody } from "../../bodies/body.ts";
import { loadSegments } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";
import type { DocumentRow } from "../../db/tables.ts";
import { documentUri } from "../../resources/documents/represent.ts";
import { placeBlock } from "./body-places.ts";
import { contextOf } from "./context.ts";
import { findBlocksByNumber, findDocumentsByNumber } from "./documents.ts";
import type { DocumentHit, SearchResult } from "./evaluate.ts";
import { explain } from "./explain.ts";
import { summaryOf } from "./hit-summary.ts";
import { pathTexts } from "./path-texts.ts";
import { prepareList } from "./prepared.ts";
import type { Query } from "./query.ts";
import type { SearchHit } from "./schema.ts";

const bodiesByDocument = prepareList((db, ids: readonly string[]) =>
  db.selectFrom("bodies").selectAll().where("workspace_id", "=", "").where("document_id", "in", ids),
);
const documentsById = prepareList((db, ids: readonly string[]) =>
  db.selectFrom("documents").selectAll().where("workspace_id", "=", "").where("id", "in", ids),
);

type Represented = Static<typeof SearchHit>;

/** A hit with the document that it is in and its block's id: empty for the title. */
interface FoundHit {
  readonly hit: DocumentHit;
  readonly document: DocumentRow;
  readonly indexedVersion: string;
  readonly blockId: string;
}

/** Everything about the hits of a page that the index does not hold, as it is in the same snapshot. */
export async function representHits(
  db: Db,
  workspaceId: string,
  query: Query,
  { hits, statistics }: Pick<SearchResult, "hits" | "statistics">,
  options: { readonly summaries: boolean },
): Promise<Represented[]> {
  const found = await findHits(db, workspaceId, hits);
  const paths = await pathTexts(db, workspaceId, [...new Set(found.map(({ document }) => document))]);
  const read = found.filter(({ blockId }) => blockId !== "" || options.summaries);
  const bodies = await readBodies(db, workspaceId, [...new Set(read.map(({ document }) => document.id))]);
  const represented: Represented[] = [];
  for (const { hit, document, indexedVersion, blockId } of found) {
    const body = bodies.get(document.id);
    const placed = blockId === "" ? { text: document.title, headingPath: [] } : placeBlock(body!, blockId);
    if (!placed) continue;
    represented.push({
      document_id: document.id,
      title: document.title,
      knowledge_base_id: document.knowledge_base_id,
      folder_id: document.folder_id,
      document_type: document.document_type,
      block_id: blockId === "" ? null : blockId,
      document_uri: documentUri(document.id),
      path_text: paths.get(document.id)!,
      heading_path: placed.headingPath,
      matched_in: hit.field,
      context: contextOf(placed.text, query),
      source_version: document.version,
      indexed_version: indexedVersion,
      freshness: "current",
      updated_at: document.updated_at,
      score: hit.score,
      explanation: explain(query, hit, statistics),
      ...(options.summaries && { summary: await summaryOf(db, workspaceId, document.id, body!) }),
    });
  }
  return represented;
}

/** Bodies of documents of the same snapshot, their segments from memory as far as they are there. */
async function readBodies(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, StoredBody>> {
  const bodies = new Map<string, StoredBody>();
  const rows = await bodiesByDocument(db, [workspaceId], ids);
  for (const row of rows) {
    const key = { workspaceId, documentId: row.document_id };
    bodies.set(row.document_id, new StoredBody(row, await loadSegments(db, key, row.manifest)));
  }
  return bodies;
}

/** Only hits whose document is indexed in its current version. */
async function findHits(db: Db, workspaceId: string, hits: readonly DocumentHit[]): Promise<FoundHit[]> {
  const blocks = await findBlocksByNumber(
    db,
    workspaceId,
    hits.map((hit) => hit.number),
  );
  const blockIds = new Map(blocks.map((block) => [block.number, block.block_id]));
  const indexed = new Map(
    (await findDocumentsByNumber(db, workspaceId, [...new Set(hits.map((hit) => hit.document))])).map((row) => [
      row.number,
      row,
    ]),
  );
  const documents = await findDocuments(
    db,
    workspaceId,
    [...indexed.values()].map((row) => row.document_id),
  );
  return hits.flatMap((hit) => {
    const row = indexed.get(hit.document);
    const document = row && documents.get(row.document_id);
    const blockId = blockIds.get(hit.number);
    if (!document || blockId === undefined || row.indexed_version !== document.version) return [];
    return [{ hit, document, indexedVersion: row.indexed_version, blockId }];
  });
}

async function findDocuments(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, DocumentRow>> {
  const rows = await documentsById(db, [workspaceId], ids);
  return new Map(rows.map((row) => [row.id, row]));
}
