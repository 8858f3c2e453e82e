import { defined } from "@svc/document/defined";
import type { Reader } from "../../../db/database.ts";
import type { ConceptRelationRow, ConceptRow } from "../../../db/schema/tables/concepts.ts";
import type { Predicate } from "./predicate.ts";
import { listConceptsById } from "./queries.ts";
import { listRelations } from "./relation-queries.ts";
import { conceptUri } from "./represent.ts";

const MAX_NODES = 500;

interface TraverseOptions {
  /** In milliseconds; an edge counts if `valid_from <= at < valid_to`, where either end may be open. */
  readonly at: number;
  readonly direction: "outgoing" | "incoming" | "both";
  readonly predicate: Predicate | undefined;
  readonly depth: number;
}

const isValid = ({ valid_from, valid_to }: ConceptRelationRow, at: number): boolean =>
  (valid_from === null || valid_from <= at) && (valid_to === null || at < valid_to);

/** Walks the graph level by level. `related_to` is symmetric and followed both ways. */
export async function traverse(db: Reader, start: ConceptRow, { at, direction, predicate, depth }: TraverseOptions) {
  const { workspace_id } = start;
  const depths = new Map([[start.id, 0]]);
  const edges = new Map<string, ConceptRelationRow>();
  let truncated = false;
  const leadsOn = (edge: ConceptRelationRow, from: string): boolean => {
    if (edge.predicate === "related_to" || direction === "both") return true;
    return direction === "outgoing" ? edge.source_concept_id === from : edge.target_concept_id === from;
  };
  let level = [start.id];
  for (let step = 1; step <= depth && level.length > 0; step++) {
    const here = new Set(level);
    level = [];
    for (const edge of await listRelations(db, workspace_id, [...here])) {
      if (!isValid(edge, at) || (predicate !== undefined && edge.predicate !== predicate)) continue;
      const ends = [edge.source_concept_id, edge.target_concept_id] as const;
      for (const from of ends.filter((end) => here.has(end) && leadsOn(edge, end))) {
        const to = ends[0] === from ? ends[1] : ends[0];
        if (!depths.has(to) && depths.size >= MAX_NODES) {
          truncated = true;
          continue;
        }
        edges.set(edge.id, edge);
        if (depths.has(to)) continue;
        depths.set(to, step);
        level.push(to);
      }
    }
  }
  const concepts = await listConceptsById(db, workspace_id, [...depths.keys()]);
  const nodes = concepts
    .map(({ id, name, knowledge_base_id }) => ({
      id,
      uri: conceptUri(id),
      name,
      knowledge_base_id,
      depth: defined(depths.get(id)),
    }))
    .sort((a, b) => a.depth - b.depth || (a.id < b.id ? -1 : 1));
  return { nodes, edges: [...edges.values()].map(edgeOf), at, truncated };
}

const edgeOf = ({ id, predicate, source_concept_id, target_concept_id, valid_from, valid_to }: ConceptRelationRow) => ({
  id,
  predicate,
  source_concept_id,
  target_concept_id,
  valid_from,
  valid_to,
});
