import { defined } from "@svc/document/defined";
import { readJson } from "../../../db/schema/json-text.ts";
import type { ConceptRow, ConceptSourceRow } from "../../../db/schema/tables/concepts.ts";
import type { ManualRelationRow } from "../../../db/schema/tables/relations.ts";
import type { Label } from "../../knowledge/concepts/labels.ts";
import { listConcepts } from "../../knowledge/concepts/queries.ts";
import { shownIds } from "../../library/documents/shown-ids.ts";
import type { ExportSource } from "./export-source.ts";
import { type InnerRelation, listConceptSources, listInnerRelations, listStatedRelations } from "./queries.ts";
import { RowsByOwner } from "./rows-by-owner.ts";

const CONCEPTS_PER_PAGE = 100;
const ROWS_PER_PAGE = 500;

/** Yields every stated relation of the exported documents as JSON. Relations in bodies are derived from the bodies. */
export async function* relationLines(
  { db, workspaceId, knowledgeBaseId }: ExportSource,
  isExported: (documentId: string) => boolean,
): AsyncGenerator<string> {
  const rows = paged<ManualRelationRow>((last) =>
    listStatedRelations(db, workspaceId, knowledgeBaseId, [last?.document_id ?? "", last?.id ?? ""], ROWS_PER_PAGE),
  );
  for await (const row of rows) if (isExported(row.document_id)) yield JSON.stringify(relationLine(row));
}

/** Yields every living concept as pieces of JSON, because evidence has no limit. */
export async function* conceptLines(source: ExportSource): AsyncGenerator<AsyncIterable<string>> {
  const { db, workspaceId, knowledgeBaseId } = source;
  for (let after = ""; ; ) {
    const concepts = await listConcepts(db, workspaceId, { knowledgeBaseId }, after, CONCEPTS_PER_PAGE);
    if (concepts.length === 0) return;
    const ids = concepts.map((concept) => concept.id);
    const sources = new RowsByOwner(sourcesOf(source, ids), (row) => row.concept_id);
    const relations = new RowsByOwner(relationsOf(source, ids), (row) => row.source_concept_id);
    const canonicals = concepts.map((concept) => concept.canonical_document_id);
    const shown = await shownIds(db, workspaceId, canonicals);
    for (const concept of concepts) {
      const visible = { ...concept, canonical_document_id: shown(concept.canonical_document_id) };
      yield conceptPieces(visible, sources.of(concept.id), relations.of(concept.id));
    }
    after = defined(ids.at(-1));
  }
}

const sourcesOf = ({ db, workspaceId }: ExportSource, ids: readonly string[]) =>
  paged<ConceptSourceRow>((last) => {
    const after = [last?.concept_id ?? "", last?.source_document_id ?? "", last?.source_block_id ?? ""] as const;
    return listConceptSources(db, workspaceId, ids, after, ROWS_PER_PAGE);
  });

const relationsOf = ({ db, workspaceId, knowledgeBaseId }: ExportSource, ids: readonly string[]) =>
  paged<InnerRelation>((last) => {
    const after = [last?.source_concept_id ?? "", last?.id ?? ""] as const;
    return listInnerRelations(db, workspaceId, knowledgeBaseId, ids, after, ROWS_PER_PAGE);
  });

/** Yields all rows of a list that is paged by its last row. */
async function* paged<T>(read: (last: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const rows = await read(last);
    yield* rows;
    if (rows.length < ROWS_PER_PAGE) return;
    last = rows.at(-1);
  }
}

async function* conceptPieces(
  concept: ConceptRow,
  sources: AsyncIterable<ConceptSourceRow>,
  relations: AsyncIterable<InnerRelation>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(conceptLine(concept)).slice(0, -1)},"sources":[`;
  yield* separated(sources, sourceLine);
  yield '],"relations":[';
  yield* separated(relations, ({ source_concept_id: _, ...line }) => line);
  yield "]}";
}

async function* separated<T>(rows: AsyncIterable<T>, lineOf: (row: T) => unknown): AsyncGenerator<string> {
  let separator = "";
  for await (const row of rows) {
    yield separator + JSON.stringify(lineOf(row));
    separator = ",";
  }
}

const relationLine = (row: ManualRelationRow) => ({
  id: row.id,
  origin: "manual",
  predicate: row.predicate,
  source_document_id: row.document_id,
  source_block_id: row.source_block_id,
  source_version: row.source_version,
  target_uri: row.target_uri,
  target_document_id: row.target_document_id,
  target_block_id: row.target_block_id,
  anchor_text: row.anchor_text,
  created_at: row.created_at,
});

const conceptLine = (row: ConceptRow) => ({
  id: row.id,
  name: row.name,
  aliases: readJson(row.aliases),
  description: row.description,
  canonical_document_id: row.canonical_document_id,
  labels: JSON.parse(row.labels).map(({ locale, name, description, origin }: Label) => ({
    locale,
    name,
    description,
    origin,
  })),
  valid_from: row.valid_from,
  valid_to: row.valid_to,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

const sourceLine = (row: ConceptSourceRow) => ({
  document_id: row.source_document_id,
  block_id: row.source_block_id || null,
  source_version: row.source_version,
});
