import type { Static } from "typebox";
import { StoredBody } from "../../bodies/body.ts";
import { loadSegments } from "../../bodies/store.ts";
import type { Db } from "../../db/database.ts";
import { prepareList } from "../../db/prepared-lists.ts";
import type { DocumentRow, SearchBlockRow, SearchDocumentRow } from "../../db/tables.ts";
import { documentUri } from "../../resources/documents/represent.ts";
import { placeBlock } from "./body-places.ts";
import { contextOf } from "./context.ts";
import type { DocumentHit, SearchResult } from "./evaluate.ts";
import { explain } from "./explain.ts";
import { summaryOf } from "./hit-summary.ts";
import { pathTexts } from "./path-texts.ts";
import type { Query } from "./query.ts";
import type { SearchHit } from "./schema.ts";

const bodiesByDocument = prepareList((db, ids: readonly string[]) =>
  db.selectFrom("bodies").selectAll().where("workspace_id", "=", "").where("document_id", "in", ids),
);

/** Left joins are made in the order they are written in: SQLite would otherwise begin with all documents. */
const blocksByNumber = prepareList((db, numbers: readonly number[]) =>
  db
    .selectFrom("search_blocks as b")
    .leftJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "b.workspace_id").onRef("s.number", "=", "b.document"),
    )
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .leftJoin("knowledge_bases as k", (join) =>
      join.onRef("k.workspace_id", "=", "d.workspace_id").onRef("k.id", "=", "d.knowledge_base_id"),
    )
    .select(["b.number", "b.block_id", "s.indexed_version", "k.name as base_name"])
    .select(["d.id", "d.title", "d.knowledge_base_id", "d.folder_id", "d.document_type", "d.version", "d.updated_at"])
    .where("b.workspace_id", "=", "")
    .where("b.number", "in", numbers),
);

type FoundBlock = Pick<SearchBlockRow, "number" | "block_id"> &
  Pick<SearchDocumentRow, "indexed_version"> &
  Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id" | "document_type" | "version" | "updated_at"> & {
    readonly base_name: string | null;
  };

type Represented = Static<typeof SearchHit>;

/** A hit with its block and document; the block's id is empty for the title. */
interface FoundHit {
  readonly hit: DocumentHit;
  readonly block: FoundBlock;
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
  const paths = await pathTexts(
    db,
    workspaceId,
    found.map(({ block }) => block),
  );
  const read = found.filter(({ block }) => block.block_id !== "" || options.summaries);
  const bodies = await readBodies(db, workspaceId, [...new Set(read.map(({ block }) => block.id))]);
  const represented: Represented[] = [];
  for (const { hit, block: document } of found) {
    const blockId = document.block_id;
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
      indexed_version: document.indexed_version,
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
  const numbers = hits.map((hit) => hit.number);
  const rows = (await blocksByNumber(db, [workspaceId], numbers)).filter(isWhole);
  const blocks = new Map(rows.map((block) => [block.number, block]));
  return hits.flatMap((hit) => {
    const block = blocks.get(hit.number);
    return block && block.indexed_version === block.version ? [{ hit, block }] : [];
  });
}

const isWhole = (row: { readonly [column in keyof FoundBlock]: FoundBlock[column] | null }): row is FoundBlock =>
  row.id !== null;
