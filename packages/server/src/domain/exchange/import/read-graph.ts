import { ImportRefused } from "../../../archives/refused.ts";
import { ApiError } from "../../../errors.ts";
import { checkInterval, readLabels } from "../../knowledge/concepts/labels.ts";
import type { ConceptLine, RelationLine } from "./graph-schema.ts";
import { narrowerFirst } from "./narrower-first.ts";
import type { PlannedConcept, PlannedConceptRelation, PlannedEvidence, PlannedGraph, PlannedRelation } from "./plan.ts";

interface GraphLines {
  readonly relations: readonly RelationLine[];
  readonly concepts: readonly ConceptLine[];
  readonly documents: readonly { readonly id: string; readonly version: string }[];
}

type Versions = ReadonlyMap<string, string>;

/** Reads relations and concepts from the manifest; drops those that leave the archive. Refuses invalid ones. */
export function readGraph(lines: GraphLines): { graph: PlannedGraph; warnings: string[] } {
  const versions = new Map(lines.documents.map(({ id, version }) => [id, version]));
  const relations = lines.relations.map((line) => relationOf(line, versions)).filter((relation) => !!relation);
  lines.concepts.forEach(checkConcept);
  const known = new Set(lines.concepts.map(({ id }) => id));
  if (known.size !== lines.concepts.length) throw refused("lists a concept twice");
  const concepts = lines.concepts.map((line) => conceptOf(line, versions, known));
  const ordered = narrowerFirst(concepts);
  if (!ordered) throw refused("has concepts that are broader than themselves");
  const warnings = [
    leftOut(lines.relations.length - relations.length, "relations of documents"),
    leftOut(
      lost(lines.concepts, concepts, (concept) => concept.sources.length),
      "sources of concepts",
    ),
    leftOut(lost(lines.concepts, concepts, canonicals), "canonical documents of concepts"),
    leftOut(
      lost(lines.concepts, concepts, (concept) => concept.relations.length),
      "relations of concepts",
    ),
  ];
  const graph = { relations: Map.groupBy(relations, ({ source }) => source.documentKey), concepts: ordered };
  return { graph, warnings: warnings.filter((warning) => warning !== undefined) };
}

const refused = (what: string) => new ImportRefused("invalid_archive", `manifest.json ${what}.`);

const leftOut = (count: number, what: string): string | undefined =>
  count === 0 ? undefined : `Left out because the other end is not in the archive: ${count} ${what}.`;

const lost = <A, B>(before: readonly A[], after: readonly B[], count: (item: A | B) => number): number =>
  before.reduce((sum, item) => sum + count(item), 0) - after.reduce((sum, item) => sum + count(item), 0);

const canonicals = (concept: ConceptLine | PlannedConcept): number =>
  ("canonicalKey" in concept ? concept.canonicalKey : concept.canonical_document_id) === null ? 0 : 1;

function evidenceOf(documentKey: string, blockId: string | null, sourceVersion: string, versions: Versions) {
  const current = versions.get(documentKey);
  return current === undefined
    ? undefined
    : { documentKey, blockId, sourceVersion, isCurrent: current === sourceVersion };
}

function relationOf(line: RelationLine, versions: Versions): PlannedRelation | undefined {
  const source = evidenceOf(line.source_document_id, line.source_block_id, line.source_version, versions);
  if (!source || !versions.has(line.target_document_id)) return undefined;
  return {
    source: { ...source, blockId: line.source_block_id },
    predicate: line.predicate,
    targetKey: line.target_document_id,
    targetBlockId: line.target_block_id,
    anchorText: line.anchor_text.toWellFormed(),
  };
}

/** Checks the rules that the schema cannot express, before anything is built. */
function checkConcept(line: ConceptLine, index: number): void {
  try {
    checkInterval(line.valid_from, line.valid_to);
    for (const relation of line.relations) checkInterval(relation.valid_from, relation.valid_to);
    readLabels(line.labels, [], "");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw refused(`/concepts/${index} has a validity or labels that cannot be: ${JSON.stringify(error.details)}`);
  }
  if (line.relations.some((relation) => relation.target_concept_id === line.id))
    throw refused(`/concepts/${index} has a relation to itself`);
}

function conceptOf(line: ConceptLine, versions: Versions, known: ReadonlySet<string>): PlannedConcept {
  const { canonical_document_id: canonical, name, aliases, valid_from, valid_to } = line;
  const labels = line.labels.map((label) => ({ ...label, description: label.description.toWellFormed() }));
  const sources = line.sources.map((s) => evidenceOf(s.document_id, s.block_id, s.source_version, versions));
  return {
    key: line.id,
    fields: { name, aliases, description: line.description.toWellFormed(), labels, valid_from, valid_to },
    canonicalKey: canonical !== null && versions.has(canonical) ? canonical : null,
    sources: sources.filter((source): source is PlannedEvidence => source !== undefined),
    relations: line.relations.filter((relation) => known.has(relation.target_concept_id)).map(conceptRelationOf),
  };
}

const conceptRelationOf = (line: ConceptLine["relations"][number]): PlannedConceptRelation => ({
  predicate: line.predicate,
  targetKey: line.target_concept_id,
  validFrom: line.valid_from,
  validTo: line.valid_to,
});
