import type { Tx } from "../../../db/database.ts";
import { readJson } from "../../../db/schema/json-text.ts";
import type { ConceptRelationRow, ConceptRow, ConceptSourceRow } from "../../../db/schema/tables/concepts.ts";
import { apiError } from "../../../errors.ts";
import { checkExpected, type Expected, parseIfMatch, requireExpected } from "../../../http/preconditions.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { checkRowQuota, type RowLimits } from "../../library/quotas/row-quota.ts";
import { checkAcyclic, meaningOf } from "./add-relation.ts";
import { type Author, checkLive, historyOf, lockExpected } from "./change-concept.ts";
import { type Label, namesKey, readAliases } from "./labels.ts";
import {
  conceptVersion,
  getConcept,
  insertHistory,
  listMergedInto,
  lockConcept,
  lockGraph,
  redirectMerged,
  updateConcept,
} from "./queries.ts";
import { deleteRelations, insertRelation, listRelations } from "./relation-queries.ts";
import { deleteSources, listSources, upsertSources } from "./source-queries.ts";

/**
 * Merges one concept into another. The survivor keeps its name. It gains the other's name and aliases as aliases,
 * labels in languages that it lacks (in shared languages, the other's label becomes an alias), its evidence (for the
 * same source, the later version) and its relations.
 */
export async function mergeConcepts(
  tx: Tx,
  author: Author,
  id: string,
  {
    sourceId,
    sourceVersion,
    expected,
    limits,
  }: {
    readonly sourceId: string;
    readonly sourceVersion: string | undefined;
    readonly expected: Expected | undefined;
    readonly limits: RowLimits;
  },
): Promise<ConceptRow> {
  const { workspaceId, userId } = author;
  await getConcept(tx, workspaceId, id);
  requireExpected(expected);
  if (sourceVersion === undefined)
    throw apiError("precondition_required", {
      field: "source_version",
      hint: "Send the version of the concept to be merged.",
    });
  await getConcept(tx, workspaceId, sourceId);
  await lockGraph(tx, workspaceId);
  const survivor = await lockExpected(tx, workspaceId, id, expected);
  if (sourceId === id) throw apiError("concept_self_loop", { concept_id: id });
  const source = await lockConcept(tx, workspaceId, sourceId);
  checkLive(source);
  checkExpected(parseIfMatch(sourceVersion), conceptVersion(source));

  const before = await stateBefore(tx, source, survivor);
  await moveSources(tx, source, survivor);
  await moveRelations(tx, source, survivor);
  for (const table of ["concept_sources", "concept_relations"] as const)
    await checkRowQuota(tx, limits, table, workspaceId, survivor.id, 0);
  await redirectMerged(tx, workspaceId, source.id, survivor.id);
  await updateConcept(tx, source, { merged_into: survivor.id });
  await insertHistory(tx, { ...historyOf(source, userId, "merged_into"), details: { survivor_id: survivor.id } });
  const details = {
    source_concept_id: source.id,
    name: source.name,
    aliases: JSON.parse(source.aliases),
    labels: JSON.parse(source.labels),
    undo: before,
  };
  await insertHistory(tx, { ...historyOf(survivor, userId, "merged"), details });
  return updateConcept(tx, survivor, combined(survivor, source));
}

/** Everything that a merge changes, kept for undoing it (unmerge-concepts.ts). */
export interface BeforeMerge {
  /** The survivor's revision after the merge; the merge can be undone only from this revision. */
  readonly revision: number;
  readonly survivor: Pick<ConceptRow, "aliases" | "labels" | "names_key" | "description" | "canonical_document_id">;
  readonly sources: readonly ConceptSourceRow[];
  readonly relations: readonly ConceptRelationRow[];
  /** Ids that already redirected to the merged concept. */
  readonly redirected: readonly string[];
}

async function stateBefore(tx: Tx, source: ConceptRow, survivor: ConceptRow): Promise<BeforeMerge> {
  const { workspace_id, aliases, labels, names_key, description, canonical_document_id } = survivor;
  const both = [source.id, survivor.id];
  return {
    revision: survivor.revision + 1,
    survivor: { aliases, labels, names_key, description, canonical_document_id },
    sources: await listSources(tx, workspace_id, both),
    relations: await listRelations(tx, workspace_id, both),
    redirected: await listMergedInto(tx, workspace_id, source.id),
  };
}

function combined(survivor: ConceptRow, source: ConceptRow): Partial<ConceptRow> {
  const labels: Label[] = JSON.parse(survivor.labels);
  const others: Label[] = JSON.parse(source.labels);
  const added = others.filter((label) => !labels.some((own) => own.locale === label.locale));
  const lost = others.filter((label) => !added.includes(label)).map((label) => label.name);
  const names = [...readJson(survivor.aliases), source.name, ...readJson(source.aliases), ...lost];
  const aliases = readAliases(names).filter((alias) => titleKey(alias) !== titleKey(survivor.name));
  const all = [...labels, ...added];
  return {
    aliases: JSON.stringify(aliases),
    labels: JSON.stringify(all),
    names_key: namesKey(survivor.name, aliases, all),
    description: survivor.description || source.description,
    canonical_document_id: survivor.canonical_document_id ?? source.canonical_document_id,
  };
}

async function moveSources(tx: Tx, source: ConceptRow, survivor: ConceptRow): Promise<void> {
  const { workspace_id } = survivor;
  const sourceKeyOf = (row: ConceptSourceRow) => `${row.source_document_id} ${row.source_block_id}`;
  const own = new Map((await listSources(tx, workspace_id, [survivor.id])).map((row) => [sourceKeyOf(row), row]));
  const isLater = (row: ConceptSourceRow) => (own.get(sourceKeyOf(row))?.updated_at ?? -1) < row.updated_at;
  const later = (await listSources(tx, workspace_id, [source.id])).filter(isLater);
  await upsertSources(
    tx,
    later.map((row) => ({ ...row, concept_id: survivor.id })),
  );
  await deleteSources(tx, workspace_id, source.id);
}

/** Moves the relations to the survivor; drops self-relations and duplicates. */
async function moveRelations(tx: Tx, source: ConceptRow, survivor: ConceptRow): Promise<void> {
  const { workspace_id } = survivor;
  const moving = await listRelations(tx, workspace_id, [source.id]);
  if (moving.length === 0) return;
  await deleteRelations(
    tx,
    workspace_id,
    moving.map((relation) => relation.id),
  );
  const kept = new Set((await listRelations(tx, workspace_id, [survivor.id])).map(meaningOf));
  const rename = (id: string) => (id === source.id ? survivor.id : id);
  for (const old of moving) {
    const relation: ConceptRelationRow = {
      ...old,
      source_concept_id: rename(old.source_concept_id),
      target_concept_id: rename(old.target_concept_id),
    };
    const isLoop = relation.source_concept_id === relation.target_concept_id;
    if (isLoop || kept.has(meaningOf(relation))) continue;
    if (relation.predicate === "broader_than")
      await checkAcyclic(tx, workspace_id, relation.source_concept_id, relation.target_concept_id);
    await insertRelation(tx, relation);
    kept.add(meaningOf(relation));
    const other = old.source_concept_id === source.id ? old.target_concept_id : old.source_concept_id;
    await updateConcept(tx, { workspace_id, id: other });
  }
}
