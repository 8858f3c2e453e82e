import { defined } from "@svc/document/defined";
import { conceptPage, conceptsPage } from "@svc/web/server/pages/library/concepts";
import { listPage } from "../../../domain/knowledge/concepts/list-page.ts";
import { getLiveConcept, listConceptsById } from "../../../domain/knowledge/concepts/queries.ts";
import { representConcept } from "../../../domain/knowledge/concepts/represent.ts";
import { traverse } from "../../../domain/knowledge/concepts/traverse.ts";
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
  const { app, viewer } = visit;
  const [answer, bases] = await Promise.all([
    listPage(app, app.database.read, viewer.workspace.id, query),
    basesOf(visit),
  ]);
  const { data, page } = answer.envelope;
  const more = new URLSearchParams({ q, ...(wanted && { base: wanted }), cursor: page.next_cursor ?? "" });
  return show(
    conceptsPage({
      bases,
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
  const { read } = visit.app.database;
  const workspaceId = visit.viewer.workspace.id;
  const row = await getLiveConcept(read, workspaceId, idFrom(visit.params.id, "concept"));
  const options = { at: Date.now(), direction: "both", predicate: undefined, depth: 2 } as const;
  const [concept, graph, bases] = await Promise.all([
    representConcept(read, row),
    traverse(read, row, options),
    basesOf(visit),
  ]);
  const documents = concept.sources.map(({ document_id }) => document_id);
  if (concept.canonical_document_id) documents.push(concept.canonical_document_id);
  const others = concept.relations.map((relation) =>
    relation.direction === "outgoing" ? relation.target_concept_id : relation.source_concept_id,
  );
  const [titles, rows] = await Promise.all([
    titlesOf(visit, [...new Set(documents)]),
    listConceptsById(read, workspaceId, others),
  ]);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const canonical = concept.canonical_document_id && titles.get(concept.canonical_document_id);
  return show(
    conceptPage({
      name: concept.name,
      base: bases.find(({ id }) => id === concept.knowledge_base_id),
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
