import { defined } from "@svc/document/defined";
import { conceptPage, conceptsPage } from "@svc/web/server/pages/library/concepts";
import { listConceptsById } from "../../../domain/knowledge/concepts/queries.ts";
import { titlesOf } from "../document/backlinks.ts";
import { get, idFrom, type MemberVisit, numberFrom, type Outcome, show } from "../visit.ts";
import { listBases } from "./browse-queries.ts";

const basesOf = async ({ app, viewer }: MemberVisit) =>
  (await listBases(app.database.read, viewer.workspace.id)).map(({ id, name }) => ({ id, name }));

async function showConcepts(visit: MemberVisit): Promise<Outcome> {
  const q = (visit.query.get("q") ?? "").trim().slice(0, 500);
  const wanted = visit.query.get("base");
  const base = wanted ? numberFrom(wanted, "knowledge_base") : undefined;
  const cursor = visit.query.get("cursor");
  const query = {
    limit: 50,
    ...(q !== "" && { q }),
    ...(base !== undefined && { knowledge_base_id: base }),
    ...(cursor && { cursor }),
  };
  const { data, page } = await visit.api.get("/concepts", { query });
  const more = new URLSearchParams({ q, ...(wanted && { base: wanted }), cursor: page.next_cursor ?? "" });
  return show(
    conceptsPage({
      bases: await basesOf(visit),
      base,
      q,
      concepts: data.map(({ id, name, description, source_count, relation_count }) => ({
        id,
        name,
        description,
        sources: source_count,
        relations: relation_count,
      })),
      next: page.next_cursor ? `/concepts?${more}` : undefined,
    }),
  );
}

async function showConcept(visit: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(visit.params.id, "concept") };
  const { data: concept } = await visit.api.get("/concepts/{id}", { path });
  const traverse = { direction: "both", depth: 2 } as const;
  const { data: graph } = await visit.api.get("/concepts/{id}/traverse", { path: { id: concept.id }, query: traverse });
  const documents = concept.sources.map(({ document_id }) => document_id);
  if (concept.canonical_document_id) documents.push(concept.canonical_document_id);
  const titles = await titlesOf(visit, [...new Set(documents)]);
  const others = concept.relations.map((relation) =>
    relation.direction === "outgoing" ? relation.target_concept_id : relation.source_concept_id,
  );
  const rows = await listConceptsById(visit.app.database.read, visit.viewer.workspace.id, others);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const canonical = concept.canonical_document_id && titles.get(concept.canonical_document_id);
  return show(
    conceptPage({
      name: concept.name,
      base: (await basesOf(visit)).find(({ id }) => id === concept.knowledge_base_id),
      aliases: concept.aliases,
      description: concept.description,
      labels: concept.labels,
      canonical: canonical ? { id: defined(concept.canonical_document_id), title: canonical } : undefined,
      evidenceCount: concept.source_count,
      relationCount: concept.relation_count,
      evidence: concept.sources.map((source) => ({
        documentId: source.document_id,
        blockId: source.block_id,
        title: titles.get(source.document_id) ?? "A page that was deleted",
        isStale: source.freshness === "stale",
        isGone: source.state === "dangling_source_document",
      })),
      relations: concept.relations.map((relation, index) => ({
        predicate: relation.predicate,
        isOutgoing: relation.direction === "outgoing",
        id: defined(others[index]),
        name: names.get(defined(others[index])) ?? defined(others[index]),
      })),
      graph: {
        nodes: graph.nodes.map(({ id, name, depth }) => ({ id, name, depth })),
        edges: graph.edges.map((edge) => ({
          from: edge.source_concept_id,
          to: edge.target_concept_id,
          predicate: edge.predicate,
        })),
      },
    }),
  );
}

export const conceptPages = [get("/concepts", showConcepts), get("/concepts/:id", showConcept)];
