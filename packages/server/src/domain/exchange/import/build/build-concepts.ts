import { defined } from "@svc/document/defined";
import type { Tx } from "../../../../db/database.ts";
import type { ConceptRelationRow } from "../../../../db/schema/tables/concepts.ts";
import { batchesOf, yieldToEventLoop } from "../../../../db/statement/batches.ts";
import { newId } from "../../../../ids.ts";
import type { Services } from "../../../../services.ts";
import { createConcept } from "../../../knowledge/concepts/change-concept.ts";
import { insertRelation } from "../../../knowledge/concepts/relation-queries.ts";
import { upsertSources } from "../../../knowledge/concepts/source-queries.ts";
import { keepKnowledgeBases } from "../../../library/knowledge-bases/queries.ts";
import type { PlannedConcept, PlannedEvidence } from "../plan.ts";
import type { Building } from "./building.ts";
import type { LandedEvidence } from "./landed-evidence.ts";

const CONCEPTS_PER_TRANSACTION = 50;
const RELATIONS_PER_TRANSACTION = 500;

interface ConceptsBuilding extends Building {
  readonly evidence: LandedEvidence;
}

/**
 * Creates the concepts, narrower ones first, each together with its `broader_than` relations. Nothing can be broader
 * than a concept that is still being created, so concurrent changes cannot close a cycle.
 */
export async function buildConcepts(
  app: Pick<Services, "database">,
  building: Building,
  evidence: LandedEvidence,
): Promise<void> {
  const { concepts } = building.graph;
  const input = { ...building, evidence };
  const relations = relationRows(input, concepts);
  const hierarchy = relations.filter(({ predicate }) => predicate === "broader_than");
  const narrower = Map.groupBy(hierarchy, (row) => row.source_concept_id);
  for (const some of batchesOf(concepts, CONCEPTS_PER_TRANSACTION)) {
    await app.database.transaction(async (tx) => {
      for (const concept of some) {
        const id = await buildConcept(tx, input, concept);
        for (const row of narrower.get(id) ?? []) await insertRelation(tx, row);
      }
    });
    await yieldToEventLoop();
  }
  const others = relations.filter(({ predicate }) => predicate !== "broader_than");
  for (const some of batchesOf(others, RELATIONS_PER_TRANSACTION)) {
    await app.database.transaction(async (tx) => {
      await keepKnowledgeBases(tx, input.workspaceId, [input.knowledgeBaseId]);
      for (const row of some) await insertRelation(tx, row);
    });
    await yieldToEventLoop();
  }
}

async function buildConcept(tx: Tx, input: ConceptsBuilding, concept: PlannedConcept): Promise<string> {
  const { workspaceId, actor, knowledgeBaseId, documentIds, conceptIds } = input;
  const canonical = concept.canonicalKey === null ? null : (documentIds.get(concept.canonicalKey) ?? null);
  const fields = { ...concept.fields, canonical_document_id: canonical };
  const author = { workspaceId, userId: actor.userId };
  const { id } = await createConcept(tx, author, knowledgeBaseId, fields, defined(conceptIds.get(concept.key)));
  for (const source of concept.sources) await upsertSources(tx, [sourceRow(input, id, source)]);
  return id;
}

function sourceRow({ workspaceId, actor, documentIds, evidence }: ConceptsBuilding, id: string, from: PlannedEvidence) {
  const now = Date.now();
  return {
    workspace_id: workspaceId,
    concept_id: id,
    source_document_id: defined(documentIds.get(from.documentKey)),
    source_block_id: evidence.blockOf(from) ?? "",
    source_version: evidence.versionOf(from),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  };
}

/** Each row once; `related_to` is symmetric. */
function relationRows({ workspaceId, actor, conceptIds }: ConceptsBuilding, concepts: readonly PlannedConcept[]) {
  const rows = new Map<string, ConceptRelationRow>();
  for (const concept of concepts)
    for (const { predicate, targetKey, validFrom, validTo } of concept.relations) {
      const ends = [defined(conceptIds.get(concept.key)), defined(conceptIds.get(targetKey))] as const;
      const named = predicate === "related_to" ? ends.toSorted() : ends;
      const said = [predicate, ...named, validFrom, validTo].join(" ");
      if (rows.has(said)) continue;
      rows.set(said, {
        workspace_id: workspaceId,
        id: newId("rel"),
        predicate,
        source_concept_id: ends[0],
        target_concept_id: ends[1],
        valid_from: validFrom,
        valid_to: validTo,
        created_by: actor.userId,
        created_at: Date.now(),
      });
    }
  return [...rows.values()];
}
