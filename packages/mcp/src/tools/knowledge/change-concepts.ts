import type { Client, Concept, ConceptCandidate } from "@svc/sdk";
import * as z from "zod";
import { blockId, conceptId, documentId, knowledgeBaseId, name, version } from "../../arguments.ts";
import { facts, lines, oneLine } from "../../text.ts";
import { type Outcome, writingTool } from "../../tool.ts";

const aliases = z.array(name("Another name.")).max(200).optional().describe("Other names of it; the whole list.");
const description = z.string().max(100_000).optional();
const canonical_document_id = documentId.nullable().optional().describe("The document that defines it.");
const conceptVersion = version("Of get_concepts.");
const candidateId = z.string().min(1).max(100).describe("Of get_concepts with candidates true.");
const candidateVersion = version("The candidate's, of get_concepts.");

const change = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("create"),
    knowledge_base_id: knowledgeBaseId,
    name: name("Its name."),
    aliases,
    description,
    canonical_document_id,
  }),
  z.strictObject({
    action: z.literal("change"),
    concept_id: conceptId,
    version: conceptVersion,
    name: name("The new name.").optional(),
    aliases,
    description,
    canonical_document_id,
  }),
  z.strictObject({
    action: z.literal("add_evidence"),
    concept_id: conceptId,
    version: conceptVersion,
    document_id: documentId,
    block_id: blockId.optional().describe("Left out: the whole document."),
    source_version: version("The document's current version, of read_document."),
  }),
  z.strictObject({
    action: z.literal("relate"),
    concept_id: conceptId,
    version: conceptVersion,
    predicate: z.enum(["alias_of", "broader_than", "related_to"]),
    target_concept_id: conceptId,
  }),
  z.strictObject({
    action: z.literal("merge"),
    concept_id: conceptId.describe("The concept that stays."),
    version: conceptVersion,
    source_concept_id: conceptId.describe("The concept that goes; its id keeps leading to the other."),
    source_version: version("The version of the concept that goes."),
  }),
  z.strictObject({ action: z.literal("unmerge"), concept_id: conceptId, version: conceptVersion }),
  z.strictObject({
    action: z.literal("extract_candidates"),
    knowledge_base_id: knowledgeBaseId.optional(),
    document_id: documentId.optional().describe("Instead of knowledge_base_id."),
  }),
  z.strictObject({
    action: z.literal("accept_candidate"),
    candidate_id: candidateId,
    version: candidateVersion,
    concept_id: conceptId.optional().describe("Make it another name of this concept."),
    name: name("Instead of the candidate's own.").optional(),
  }),
  z.strictObject({
    action: z.enum(["reject_candidate", "reopen_candidate"]),
    candidate_id: candidateId,
    version: candidateVersion,
  }),
]);
type Change = z.output<typeof change>;

export const changeConcepts = writingTool({
  name: "change_concepts",
  title: "Change concepts",
  set: "concepts",
  description:
    "create: knowledge_base_id, name; change: concept_id, version and what is new; add_evidence: document_id, source_version; relate: predicate, target_concept_id; merge: source_concept_id goes into concept_id; unmerge: concept_id, right after its merge; extract_candidates from titles and links of a base or document; accept_candidate, reject_candidate, reopen_candidate (a rejected one): candidate_id. All but create and extract need the version that get_concepts shows.",
  scopes: ["concepts:read", "concepts:write"],
  destructive: true,
  output: z.object({ concept_id: z.string().nullish(), version: z.string().optional(), uri: z.string().optional() }),
  input: z.strictObject({ change }),
  run: (client, { change: wanted }) => run(client, wanted),
});

async function run(client: Client, given: Change): Promise<Outcome> {
  switch (given.action) {
    case "create": {
      const { action: _, ...body } = given;
      return outcome("Created", (await client.post("/concepts", { body })).data);
    }
    case "change": {
      const { action: _, concept_id: id, version: ifMatch, ...body } = given;
      const { data: was } = await client.get("/concepts/{id}", { path: { id } });
      const { data } = await client.patch("/concepts/{id}", { path: { id }, ifMatch, body });
      return outcome("Changed", data, `Undo: change with this version and ${formerOf(was, body)}`);
    }
    case "add_evidence": {
      const { action: _, concept_id: id, version: ifMatch, ...body } = given;
      return outcome(
        "Added evidence to",
        (await client.post("/concepts/{id}/sources", { path: { id }, ifMatch, body })).data,
      );
    }
    case "relate": {
      const { action: _, concept_id: id, version: ifMatch, ...body } = given;
      return outcome("Related", (await client.post("/concepts/{id}/relations", { path: { id }, ifMatch, body })).data);
    }
    case "merge": {
      const { action: _, concept_id: id, version: ifMatch, ...body } = given;
      const { data: gone } = await client.get("/concepts/{id}", { path: { id: given.source_concept_id } });
      const { data } = await client.post("/concepts/{id}/merge", { path: { id }, ifMatch, body });
      return outcome(`Merged **${oneLine(gone.name)}** into`, data, "Undo: action unmerge with this id and version.");
    }
    case "unmerge": {
      const { concept_id: id, version: ifMatch } = given;
      const { data } = await client.post("/concepts/{id}/unmerge", { path: { id }, ifMatch });
      return outcome("Took the merge back of", data);
    }
    default:
      return runCandidates(client, given);
  }
}

type CandidateChange = Extract<
  Change,
  { action: "extract_candidates" | "accept_candidate" | "reject_candidate" | "reopen_candidate" }
>;

async function runCandidates(client: Client, given: CandidateChange): Promise<Outcome> {
  if (given.action === "extract_candidates") {
    const { action: _, ...body } = given;
    const { data } = await client.post("/concept-candidates/extract", { body });
    return { text: lines("Extracted; get_concepts with candidates true lists them.", facts(data)), data };
  }
  const { candidate_id: id, version: ifMatch } = given;
  const options = { path: { id }, ifMatch };
  if (given.action === "accept_candidate") {
    const body = { concept_id: given.concept_id, name: given.name };
    return decided((await client.post("/concept-candidates/{id}/accept", { ...options, body })).data);
  }
  if (given.action === "reopen_candidate")
    return decided((await client.post("/concept-candidates/{id}/reopen", options)).data);
  const { data } = await client.post("/concept-candidates/{id}/reject", options);
  return decided(data, "Undo: reopen_candidate with this id and version.");
}

/** The previous values of the changed members, as arguments. */
function formerOf({ name, aliases, description, canonical_document_id }: Concept, changed: object): string {
  const was = Object.entries({ name, aliases, description, canonical_document_id });
  const names = Object.entries(changed).flatMap(([each, value]) => (value === undefined ? [] : [each]));
  return JSON.stringify(Object.fromEntries(was.filter(([each]) => names.includes(each))));
}

function outcome(done: string, concept: Concept, undo?: string): Outcome {
  const made = { concept_id: concept.id, version: concept.version, uri: concept.uri };
  return { text: lines(`${done} **${oneLine(concept.name)}**.`, undo, facts(made)), data: made };
}

function decided({ id, name: title, status, concept_id, version }: ConceptCandidate, undo?: string): Outcome {
  const made = { candidate_id: id, status, concept_id, version };
  return { text: lines(`**${oneLine(title)}** is ${status}.`, undo, facts(made)), data: made };
}
