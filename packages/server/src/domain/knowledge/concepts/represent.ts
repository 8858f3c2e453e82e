import { defined } from "@svc/document/defined";
import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { ConceptRelationRow, ConceptRow, ConceptSourceRow } from "../../../db/schema/tables/concepts.ts";
import { listVersions } from "../../library/documents/queries.ts";
import { shownIds } from "../../library/documents/shown-ids.ts";
import { conceptVersion } from "./queries.ts";
import { countRelations, listLatestRelations, listRelations } from "./relation-queries.ts";
import { MAX_SHOWN } from "./schema.ts";
import { countSources, listLatestSources, listSources } from "./source-queries.ts";

export const conceptUri = (id: string): string => `svc://concept/${id}`;

/** Concepts as the API shows them, with the freshness of their evidence. */
export async function representConcepts(db: Reader, workspaceId: string, rows: readonly ConceptRow[]) {
  const ids = rows.map((row) => row.id);
  const sourceCounts = await countSources(db, workspaceId, ids);
  const relationCounts = await countRelations(db, workspaceId, ids);
  const sources = await listShownSources(db, workspaceId, sourceCounts);
  const relations = await listShownRelations(db, workspaceId, relationCounts);
  const states = await sourceStates(db, workspaceId, [...sources.values()].flat());
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
    sources: (sources.get(row.id) ?? []).map((source) => defined(states.get(source))),
    source_count: sourceCounts.get(row.id) ?? 0,
    relations: (relations.get(row.id) ?? []).map((relation) => relationOf(relation, row.id)),
    relation_count: relationCounts.get(row.id) ?? 0,
    merged_into: row.merged_into,
    version: conceptVersion(row),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }));
}

type Counts = ReadonlyMap<string, number>;

/** Reads concepts with little evidence together; for one with a lot, only the latest. */
async function listShownSources(db: Reader, workspaceId: string, counts: Counts) {
  const [few, many] = byRoom(counts);
  const shown = Map.groupBy(await listSources(db, workspaceId, few), (source) => source.concept_id);
  for (const id of many) shown.set(id, await listLatestSources(db, workspaceId, id, MAX_SHOWN));
  return shown;
}

async function listShownRelations(db: Reader, workspaceId: string, counts: Counts) {
  const [few, many] = byRoom(counts);
  const shown = new Map<string, ConceptRelationRow[]>(few.map((id) => [id, []]));
  for (const relation of await listRelations(db, workspaceId, few))
    for (const end of [relation.source_concept_id, relation.target_concept_id]) shown.get(end)?.push(relation);
  for (const id of many) shown.set(id, await listLatestRelations(db, workspaceId, id, MAX_SHOWN));
  return shown;
}

const byRoom = (counts: Counts): readonly [few: string[], many: string[]] => {
  const ids = [...counts.keys()];
  const isFew = (id: string) => defined(counts.get(id)) <= MAX_SHOWN;
  return [ids.filter(isFew), ids.filter((id) => !isFew(id))];
};

export async function representConcept(db: Reader, row: ConceptRow) {
  const [concept] = await representConcepts(db, row.workspace_id, [row]);
  return defined(concept);
}

/** A relation as seen from one of its ends. */
export const relationOf = ({ workspace_id: _, ...relation }: ConceptRelationRow, id: string) => ({
  ...relation,
  direction: relation.source_concept_id === id ? ("outgoing" as const) : ("incoming" as const),
});

/** Evidence and its freshness. */
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

/** Each piece of evidence as the API shows it. */
export async function representSources(db: Reader, workspaceId: string, sources: readonly ConceptSourceRow[]) {
  const states = await sourceStates(db, workspaceId, sources);
  return sources.map((source) => defined(states.get(source)));
}

async function sourceStates(db: Reader, workspaceId: string, sources: readonly ConceptSourceRow[]) {
  const states = new Map<ConceptSourceRow, SourceState>();
  const byDocument = Map.groupBy(sources, (source) => source.source_document_id);
  const versions = await listVersions(db, workspaceId, [...byDocument.keys()]);
  for (const [documentId, ofDocument] of byDocument) {
    const current = versions.get(documentId) ?? null;
    const hasBlock = await blockFinder(db, { workspaceId, documentId }, current, ofDocument);
    for (const source of ofDocument)
      states.set(source, {
        document_id: documentId,
        block_id: source.source_block_id || null,
        source_version: source.source_version,
        current_version: current,
        freshness: current === source.source_version ? "current" : "stale",
        state: current === null ? "dangling_source_document" : hasBlock(source) ? "ok" : "dangling_source_block",
        created_by: source.created_by,
        created_at: source.created_at,
        updated_at: source.updated_at,
      });
  }
  return states;
}

/**
 * The block existed in the version that the evidence names, so only a later version is checked, once for all evidence.
 */
async function blockFinder(
  db: Reader,
  key: DocumentKey,
  current: string | null,
  sources: readonly ConceptSourceRow[],
): Promise<(source: ConceptSourceRow) => boolean> {
  const isSure = (source: ConceptSourceRow) => source.source_block_id === "" || source.source_version === current;
  if (current === null || sources.every(isSure)) return () => true;
  const body = await readBody(db, key);
  return (source) => isSure(source) || body.positionOf(source.source_block_id) !== undefined;
}
