import type { Client, Concept, ConceptCandidate } from "@svc/sdk";
import * as z from "zod";
import { conceptId, cursor, knowledgeBaseId, limit } from "../../arguments.ts";
import { short } from "../../short.ts";
import { facts, lines, more, oneLine, time } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";

export const getConcepts = readingTool({
  name: "get_concepts",
  title: "Concepts",
  set: "concepts",
  description:
    "The concepts of the knowledge bases. With concept_id: one concept with its aliases, evidence and relations, and with depth what it is related to. With candidates true: proposed concepts that wait for a decision. Otherwise the list.",
  scopes: ["concepts:read"],
  input: z.strictObject({
    concept_id: conceptId.optional(),
    depth: z.int().min(1).max(5).optional().describe("With concept_id: follow relations this many steps."),
    knowledge_base_id: knowledgeBaseId.optional(),
    query: z.string().min(1).max(500).optional().describe("In names and aliases."),
    candidates: z.boolean().default(false).describe("Proposed concepts instead of concepts."),
    limit: limit(50),
    cursor,
  }),
  run: (client, { concept_id, depth, candidates, query, ...page }) => {
    if (concept_id !== undefined)
      return depth === undefined ? showOne(client, concept_id) : follow(client, concept_id, depth);
    return candidates ? listCandidates(client, page) : listConcepts(client, { ...page, q: query });
  },
});

interface ListQuery {
  readonly knowledge_base_id?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function listConcepts(client: Client, query: ListQuery & { q?: string | undefined }): Promise<Outcome> {
  const { data, page } = await client.get("/concepts", { query });
  return { text: lines(...(data.length === 0 ? ["There is none."] : data.map(conceptLine)), more(page)) };
}

const conceptLine = (concept: Concept): string =>
  `- **${oneLine(concept.name)}** (${facts({ concept_id: concept.id, knowledge_base_id: concept.knowledge_base_id, aliases: concept.aliases, version: concept.version })})${concept.description ? `: ${oneLine(concept.description)}` : ""}`;

async function showOne(client: Client, id: string): Promise<Outcome> {
  const { data } = await client.get("/concepts/{id}", { path: { id } });
  return { text: conceptText(data) };
}

/** Formats a concept as Markdown, for tools and for its resource. */
export const conceptText = (concept: Concept): string =>
  lines(
    `**${oneLine(concept.name)}**`,
    facts({
      concept_id: concept.id,
      // The full address: lists omit merged concepts, so a shortened id could not be resolved.
      redirected_from: concept.redirected_from && `svc://concept/${concept.redirected_from}`,
      version: concept.version,
      knowledge_base_id: concept.knowledge_base_id,
      canonical_document_id: concept.canonical_document_id,
      aliases: concept.aliases,
      valid_from: concept.valid_from === null ? null : time(concept.valid_from),
      valid_to: concept.valid_to === null ? null : time(concept.valid_to),
    }),
    concept.description && `\n${concept.description}`,
    concept.labels.length > 0 && "\nLabels:",
    ...concept.labels.map(
      ({ locale, name, description }) => `- ${locale}: ${name}${description ? ` (${description})` : ""}`,
    ),
    concept.sources.length > 0 && "\nEvidence:",
    ...concept.sources.map(
      ({ document_id, block_id, freshness, state, source_version }) =>
        `- ${facts({ document_id, block_id, source_version, freshness, state: state === "ok" ? undefined : state })}`,
    ),
    moreThan(concept.sources, concept.source_count),
    concept.relations.length > 0 && "\nRelations:",
    ...concept.relations.map(
      ({ predicate, source_concept_id, target_concept_id }) =>
        `- ${short(source_concept_id)} ${predicate} ${short(target_concept_id)}`,
    ),
    moreThan(concept.relations, concept.relation_count),
  );

/** Counts the earlier entries: the API returns only the latest ones with a concept. */
const moreThan = (shown: readonly unknown[], count: number): string | false =>
  count > shown.length && `- and ${count - shown.length} earlier`;

async function follow(client: Client, id: string, depth: number): Promise<Outcome> {
  const { data } = await client.get("/concepts/{id}/traverse", { path: { id }, query: { depth } });
  const names = new Map(data.nodes.map((node) => [node.id, node.name]));
  const shown = (concept: string) => `**${oneLine(names.get(concept) ?? concept)}** (${short(concept)})`;
  return {
    text: lines(
      ...data.nodes.map((node) => `- ${shown(node.id)}, ${node.depth} steps away`),
      data.edges.length > 0 && "\nRelations:",
      ...data.edges.map(
        (edge) => `- ${shown(edge.source_concept_id)} ${edge.predicate} ${shown(edge.target_concept_id)}`,
      ),
      data.truncated && "\nThere is more than is shown: use a smaller depth.",
    ),
  };
}

async function listCandidates(client: Client, query: ListQuery): Promise<Outcome> {
  const { data, page } = await client.get("/concept-candidates", { query: { ...query, status: "pending" } });
  return { text: lines(...(data.length === 0 ? ["No candidate waits."] : data.map(candidateLine)), more(page)) };
}

const candidateLine = (candidate: ConceptCandidate): string =>
  `- **${oneLine(candidate.name)}** (${facts({
    candidate_id: candidate.id,
    version: candidate.version,
    from: candidate.kind,
    document_id: candidate.source_document_id,
    block_id: candidate.source_block_id,
    freshness: candidate.freshness,
  })})`;
