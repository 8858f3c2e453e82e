import { defined } from "@svc/document/defined";
import { Type } from "typebox";
import type { Reader } from "../../../db/database.ts";
import type { ConceptCandidateRow } from "../../../db/schema/tables/concepts.ts";
import { invalidRequest } from "../../../errors.ts";
import { type Answer, ok } from "../../../http/answer.ts";
import { post, type Route, read } from "../../../http/route.ts";
import {
  cursor,
  idEnds,
  integerId,
  limit,
  name,
  named,
  nullable,
  object,
  oneOf,
  plainText,
  time,
} from "../../../http/schemas.ts";
import { shownTo } from "../../../rights/shown-to.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { acceptCandidate, rejectCandidate, reopenCandidate } from "./decide.ts";
import { extract } from "./extract.ts";
import { listPage } from "./list-page.ts";
import { candidateVersion } from "./queries.ts";
import { representCandidates } from "./represent.ts";

const tag = "Concepts";
const statuses = ["pending", "accepted", "rejected"] as const;

const CandidateQuery = object({
  knowledge_base_id: Type.Optional(integerId()),
  status: Type.Optional(oneOf(statuses)),
  id_ends: Type.Optional(idEnds()),
  limit: limit(),
  cursor: cursor(),
});

const Candidate = named(
  "ConceptCandidate",
  object({
    id: Type.String(),
    knowledge_base_id: integerId(),
    name: Type.String(),
    kind: oneOf(["title", "link"]),
    fingerprint: Type.String(),
    status: oneOf(statuses),
    source_document_id: Type.String(),
    source_block_id: nullable(Type.String()),
    source_version: Type.String(),
    freshness: oneOf(
      ["current", "stale"],
      "`stale`: the source has changed or is no longer in the knowledge base; extract again before accepting.",
    ),
    concept_id: nullable(Type.String()),
    version: Type.String(),
    created_at: time(),
    updated_at: time(),
  }),
);

const example = {
  id: "cand_01K9ZQ4T6N4Y3V7J8W2M5R1XCS",
  knowledge_base_id: 7,
  name: "Idempotency",
  kind: "title",
  fingerprint: "9f86d081884c7d659a2feaa0c55ad015",
  status: "pending",
  source_document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  source_block_id: null,
  source_version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  freshness: "current",
  concept_id: null,
  version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

const answer = async (db: Reader, row: ConceptCandidateRow): Promise<Answer> => {
  const [shown] = await representCandidates(db, row.workspace_id, [row]);
  return ok(shown, { etag: candidateVersion(row) });
};

const CandidateParams = Type.Object({ id: Type.String() });

export const conceptCandidateRoutes: Route[] = [
  read({
    operation: "list_concept_candidates",
    path: "/concept-candidates",
    tag,
    summary: "Proposed concepts, to be accepted or rejected.",
    scopes: ["concepts:read"],
    access: { action: "read", subject: "concept_candidate" },
    query: CandidateQuery,
    errors: ["not_found"],
    success: { status: 200, description: "A page of them.", data: Candidate, list: true, example },
    handler: ({ app, caller, db, query }) => listPage(app, db, caller.workspaceId, query),
  }),
  post({
    operation: "extract_concept_candidates",
    path: "/concept-candidates/extract",
    tag,
    summary: "Propose concepts from titles and link texts.",
    description: "Without a model: the same documents give the same candidates. What was rejected does not come back.",
    scopes: ["concepts:write"],
    access: {
      action: "create",
      subject: "concept_candidate",
      writes: { knowledge_base_id: "knowledge_base", document_id: "document" },
    },
    body: object(
      { knowledge_base_id: Type.Optional(integerId()), document_id: Type.Optional(plainText(64)) },
      { description: "Exactly one of the two." },
    ),
    bodyExample: { knowledge_base_id: 7 },
    errors: ["not_found"],
    success: {
      status: 200,
      description: "How many are new, seen again, or known as rejected.",
      data: object({ created: Type.Integer(), refreshed: Type.Integer(), skipped_rejected: Type.Integer() }),
      example: { created: 3, refreshed: 1, skipped_rejected: 0 },
    },
    handler: async ({ caller, tx, body }) => {
      const { workspaceId } = caller;
      if ((body.knowledge_base_id === undefined) === (body.document_id === undefined))
        throw invalidRequest("body", "must have exactly one of knowledge_base_id, document_id");
      if (body.knowledge_base_id !== undefined)
        return ok(await extract(tx, { workspaceId, knowledgeBaseId: body.knowledge_base_id }));
      const document = await getDocument(tx, workspaceId, defined(body.document_id));
      return ok(
        await extract(tx, { workspaceId, knowledgeBaseId: document.knowledge_base_id, documentId: document.id }),
      );
    },
  }),
  post({
    operation: "accept_concept_candidate",
    path: "/concept-candidates/{id}/accept",
    tag,
    summary: "Make a candidate a concept, or another name of one.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept_candidate", writes: { concept_id: "concept" } },
    params: CandidateParams,
    body: object({
      concept_id: Type.Optional(plainText(64, "Add it to this concept instead of making a new one.")),
      name: Type.Optional(name("Instead of the candidate's own.")),
    }),
    bodyExample: { name: "Idempotency" },
    bodyOptional: true,
    ifMatch: "required",
    etag: true,
    errors: ["candidate_stale", "candidate_decided", "concept_merged", "quota_exceeded"],
    success: { status: 200, description: "The candidate, with its concept's id.", data: Candidate, example },
    handler: async ({ app, caller, tx, params, body, ifMatch }) => {
      const author = { workspaceId: caller.workspaceId, userId: caller.userId };
      const { config } = app;
      const decision = { id: params.id, expected: ifMatch, shown: shownTo(tx, caller) };
      const wish = { conceptId: body?.concept_id, name: body?.name, config };
      return answer(decision.shown, await acceptCandidate(tx, author, decision, wish));
    },
  }),
  post({
    operation: "reject_concept_candidate",
    path: "/concept-candidates/{id}/reject",
    tag,
    summary: "Reject a candidate: it is not proposed again.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept_candidate" },
    params: CandidateParams,
    ifMatch: "required",
    etag: true,
    errors: ["candidate_decided"],
    success: { status: 200, description: "The candidate.", data: Candidate, example },
    handler: async ({ caller, tx, params, ifMatch }) => {
      const author = { workspaceId: caller.workspaceId, userId: caller.userId };
      const decision = { id: params.id, expected: ifMatch, shown: shownTo(tx, caller) };
      return answer(decision.shown, await rejectCandidate(tx, author, decision));
    },
  }),
  post({
    operation: "reopen_concept_candidate",
    path: "/concept-candidates/{id}/reopen",
    tag,
    summary: "Take a rejection back.",
    description: "The candidate waits for a decision again. One that is not rejected is 409.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept_candidate" },
    params: CandidateParams,
    ifMatch: "required",
    etag: true,
    errors: ["candidate_decided"],
    success: { status: 200, description: "The candidate, pending again.", data: Candidate, example },
    handler: async ({ caller, tx, params, ifMatch }) => {
      const decision = { id: params.id, expected: ifMatch, shown: shownTo(tx, caller) };
      return answer(decision.shown, await reopenCandidate(tx, caller.workspaceId, decision));
    },
  }),
];
