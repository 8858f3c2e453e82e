import { defined } from "@svc/document/defined";
import { readBody } from "../../bodies/body.ts";
import type { Reader } from "../../db/database.ts";
import { readJson } from "../../db/schema/json-text.ts";
import type { ConceptRelationRow, ConceptRow, ConceptSourceRow } from "../../db/schema/tables/concepts.ts";
import { listVersions } from "../documents/queries.ts";
import { shownIds } from "../documents/shown-ids.ts";
import { conceptVersion, listRelations, listSources } from "./queries.ts";

export const conceptUri = (id: string): string => `svc://concept/${id}`;

/** Concepts as the API shows them, with evidence held against the documents as they are now. */
export async function representConcepts(db: Reader, workspaceId: string, rows: readonly ConceptRow[]) {
  const ids = rows.map((row) => row.id);
  const sources = await listSources(db, workspaceId, ids);
  const relations = await listRelations(db, workspaceId, ids);
  const states = await sourceStates(db, workspaceId, sources);
  const canonicals = rows.map((row) => row.canonical_document_id);
  const shown = await shownIds(db, workspaceId, canonicals);
  return rows.map((row) => ({
    id: row.id,
    uri: conceptUri(row.id),
    knowledge_base_id: row.knowledge_base_id,
    name: row.name,
    aliases: readJson(row.aliases),
    description: row.description,
    canonical_document_id: shown(row.canonical_document_id),
    labels: JSON.parse(row.labels),
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    sources: sources.filter((source) => source.concept_id === row.id).map((source) => defined(states.get(source))),
    relations: relations
      .filter((relation) => touches(relation, row.id))
      .map((relation) => relationOf(relation, row.id)),
    merged_into: row.merged_into,
    version: conceptVersion(row),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }));
}

export async function representConcept(db: Reader, row: ConceptRow) {
  const [concept] = await representConcepts(db, row.workspace_id, [row]);
  return defined(concept);
}

const touches = ({ source_concept_id, target_concept_id }: ConceptRelationRow, id: string): boolean =>
  source_concept_id === id || target_concept_id === id;

const relationOf = ({ workspace_id: _, ...relation }: ConceptRelationRow, id: string) => ({
  ...relation,
  direction: relation.source_concept_id === id ? ("outgoing" as const) : ("incoming" as const),
});

/** Evidence, and how it stands to its document now. */
interface SourceState {
  readonly document_id: string;
  readonly block_id: string | null;
  readonly source_version: string;
  readonly current_version: string | null;
  readonly freshness: "current" | "stale";
  readonly state: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
}

async function sourceStates(db: Reader, workspaceId: string, sources: readonly ConceptSourceRow[]) {
  const versions = await listVersions(db, workspaceId, [
    ...new Set(sources.map((source) => source.source_document_id)),
  ]);
  const states = new Map<ConceptSourceRow, SourceState>();
  for (const source of sources) {
    const current = versions.get(source.source_document_id) ?? null;
    states.set(source, {
      document_id: source.source_document_id,
      block_id: source.source_block_id || null,
      source_version: source.source_version,
      current_version: current,
      freshness: current === source.source_version ? "current" : "stale",
      state: await stateOf(db, source, current),
      created_by: source.created_by,
      created_at: source.created_at,
      updated_at: source.updated_at,
    });
  }
  return states;
}

/** A block was there in the version that the evidence names, so only a later version needs a look. */
async function stateOf(db: Reader, source: ConceptSourceRow, current: string | null): Promise<string> {
  if (current === null) return "dangling_source_document";
  if (source.source_block_id === "" || current === source.source_version) return "ok";
  const body = await readBody(db, { workspaceId: source.workspace_id, documentId: source.source_document_id });
  return body.positionOf(source.source_block_id) === undefined ? "dangling_source_block" : "ok";
}
