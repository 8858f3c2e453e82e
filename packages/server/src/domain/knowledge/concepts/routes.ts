import { Type } from "typebox";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ConceptRow } from "../../../db/schema/tables/concepts.ts";
import { type Answer, created, notModified, ok } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { pageOf } from "../../../http/page.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { cursor, limit, object, oneOf } from "../../../http/schemas.ts";
import { roleIn } from "../../../rights/rights.ts";
import { shownTo } from "../../../rights/shown-to.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { addRelation } from "./add-relation.ts";
import { addSource } from "./add-source.ts";
import { changeConcept, createConcept } from "./change-concept.ts";
import { listShownHistory } from "./list-history.ts";
import { listPage } from "./list-page.ts";
import { mergeConcepts } from "./merge-concepts.ts";
import { getPredicate } from "./predicate.ts";
import { conceptVersion, getLiveConcept, listMergedInto } from "./queries.ts";
import { representConcept } from "./represent.ts";
import {
  Concept,
  ConceptChange,
  ConceptQuery,
  exampleConcept,
  exampleEntry,
  exampleTraversal,
  HistoryEntry,
  Merge,
  NewConcept,
  NewRelation,
  NewSource,
  predicateText,
  Traversal,
} from "./schema.ts";
import { traverse } from "./traverse.ts";
import { unmergeConcepts } from "./unmerge-concepts.ts";

const tag = "Concepts";
const ConceptParams = Type.Object({ id: Type.String() });
const author = (caller: Caller) => ({ workspaceId: caller.workspaceId, userId: caller.userId });
const conceptSuccess = (status: 200 | 201, description: string) => ({
  status,
  description,
  data: Concept,
  example: exampleConcept,
});

const answer = async (db: Reader, row: ConceptRow, reply: typeof ok = ok): Promise<Answer> =>
  reply(await representConcept(db, row), { etag: conceptVersion(row) });

/** Responds to a write; the evidence and relations may be in knowledge bases that the caller does not see. */
const answerTo = (caller: Caller, tx: Tx, row: ConceptRow, reply: typeof ok = ok): Promise<Answer> =>
  answer(shownTo(tx, caller), row, reply);

/**
 * The ETag is the version alone, which covers neither the freshness of evidence nor hidden content. A client that
 * cached current evidence must learn that it has become stale or is gone.
 */
const isCovered = (concept: Awaited<ReturnType<typeof representConcept>>, { rights }: Caller): boolean =>
  !rights?.hidden &&
  concept.sources.length === concept.source_count &&
  concept.sources.every(({ state, freshness }) => state === "ok" && freshness === "current");

export const conceptRoutes: Route[] = [
  read({
    operation: "list_concepts",
    path: "/concepts",
    tag,
    summary: "The explicit concepts, by knowledge base.",
    description:
      "`complete` is true on the page with which the enumeration ends. `q` is looked for in names, aliases and labels.",
    scopes: ["concepts:read"],
    access: { action: "read", subject: "concept" },
    query: ConceptQuery,
    errors: ["not_found"],
    success: {
      status: 200,
      description: "A page of them.",
      data: Concept,
      list: true,
      more: { complete: Type.Boolean() },
      moreExample: { complete: true },
      example: exampleConcept,
    },
    handler: ({ app, caller, db, query }) => listPage(app, db, caller.workspaceId, query),
  }),
  post({
    operation: "create_concept",
    path: "/concepts",
    tag,
    summary: "Make a concept.",
    scopes: ["concepts:write"],
    access: {
      action: "create",
      subject: "concept",
      writes: { knowledge_base_id: "knowledge_base" },
      reads: { canonical_document_id: "document" },
    },
    body: NewConcept,
    bodyExample: { knowledge_base_id: 7, name: "Idempotency", labels: [{ locale: "de", name: "Idempotenz" }] },
    errors: ["not_found", "invalid_locale", "quota_exceeded"],
    etag: true,
    success: conceptSuccess(201, "The new concept."),
    handler: async ({ app, caller, tx, body }) => {
      await checkRowQuota(tx, app.config, "concepts", caller.workspaceId, body.knowledge_base_id);
      return answerTo(caller, tx, await createConcept(tx, author(caller), body.knowledge_base_id, body), created);
    },
  }),
  read({
    operation: "get_concept",
    path: "/concepts/{id}",
    tag,
    summary: "One concept.",
    description: "A merged id returns the surviving concept, with `redirected_from`.",
    scopes: ["concepts:read"],
    access: { action: "read", subject: "concept" },
    params: ConceptParams,
    etag: true,
    success: conceptSuccess(200, "It."),
    handler: async ({ caller, db, params, request }) => {
      const row = await getLiveConcept(db, caller.workspaceId, params.id);
      const version = conceptVersion(row);
      const concept = await representConcept(db, row);
      if (isCovered(concept, caller) && alreadyHas(request.headers["if-none-match"], version))
        return notModified(version);
      return ok(row.id === params.id ? concept : { ...concept, redirected_from: params.id }, { etag: version });
    },
  }),
  patch({
    operation: "change_concept",
    path: "/concepts/{id}",
    tag,
    summary: "Change a concept.",
    description: "A field left out stays; `aliases` and `labels` are replaced as a whole.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept", reads: { canonical_document_id: "document" } },
    params: ConceptParams,
    body: ConceptChange,
    bodyExample: { description: "Doing it twice does no more than doing it once." },
    ifMatch: "required",
    etag: true,
    errors: ["concept_merged", "invalid_locale"],
    success: conceptSuccess(200, "It, changed."),
    handler: async ({ caller, tx, params, body, ifMatch }) =>
      answerTo(caller, tx, await changeConcept(tx, author(caller), params.id, body, ifMatch)),
  }),
  post({
    operation: "add_concept_source",
    path: "/concepts/{id}/sources",
    tag,
    summary: "Add evidence.",
    description: "The same source again brings its version up to date.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept", reads: { document_id: "document" } },
    params: ConceptParams,
    body: NewSource,
    bodyExample: {
      document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
      block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
      source_version: exampleConcept.version,
    },
    ifMatch: "required",
    etag: true,
    errors: ["concept_merged", "evidence_stale", "block_not_found", "quota_exceeded"],
    success: conceptSuccess(201, "The concept with it."),
    handler: async ({ app, caller, tx, params, body, ifMatch }) => {
      const evidence = {
        documentId: body.document_id,
        blockId: body.block_id ?? null,
        sourceVersion: body.source_version,
      };
      return answerTo(
        caller,
        tx,
        await addSource(tx, author(caller), params.id, evidence, { ifMatch, limits: app.config }),
        created,
      );
    },
  }),
  post({
    operation: "add_concept_relation",
    path: "/concepts/{id}/relations",
    tag,
    summary: "Relate it to another concept.",
    description: "`broader_than` must not form a cycle, at any time. `related_to` reads the same both ways.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept", reads: { target_concept_id: "concept" } },
    params: ConceptParams,
    body: NewRelation,
    bodyExample: { predicate: "broader_than", target_concept_id: "concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCR" },
    ifMatch: "required",
    etag: true,
    errors: ["concept_merged", "unknown_predicate", "concept_self_loop", "concept_cycle", "quota_exceeded"],
    success: conceptSuccess(201, "The concept with it."),
    handler: async ({ app, caller, tx, params, body, ifMatch }) => {
      const wanted = {
        predicate: body.predicate,
        targetId: body.target_concept_id,
        validFrom: body.valid_from ?? null,
        validTo: body.valid_to ?? null,
      };
      return answerTo(
        caller,
        tx,
        await addRelation(tx, author(caller), params.id, wanted, { ifMatch, limits: app.config }),
        created,
      );
    },
  }),
  post({
    operation: "merge_concepts",
    path: "/concepts/{id}/merge",
    tag,
    summary: "Let another concept live on in this one.",
    description:
      "The other id keeps resolving to this one. Of two labels in one language this concept's stays, and the other's name becomes an alias.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept", writes: { source_concept_id: "concept" } },
    params: ConceptParams,
    body: Merge,
    bodyExample: { source_concept_id: "concept_01K9ZQ4T6N4Y3V7J8W2M5R1XCR", source_version: exampleConcept.version },
    ifMatch: "required",
    etag: true,
    errors: ["concept_merged", "concept_self_loop", "concept_cycle", "quota_exceeded"],
    success: conceptSuccess(200, "The survivor."),
    handler: async ({ app, caller, tx, params, body, ifMatch }) => {
      const { source_concept_id: sourceId, source_version: sourceVersion } = body;
      const merge = { sourceId, sourceVersion, expected: ifMatch, limits: app.config };
      return answerTo(caller, tx, await mergeConcepts(tx, author(caller), params.id, merge));
    },
  }),
  post({
    operation: "unmerge_concepts",
    path: "/concepts/{id}/unmerge",
    tag,
    summary: "Take a merge back.",
    description:
      "Only while it is the last change of the concept: both are then as they were before, and the other id stands for itself again.",
    scopes: ["concepts:write"],
    access: { action: "write", subject: "concept" },
    params: ConceptParams,
    ifMatch: "required",
    etag: true,
    errors: ["concept_merged"],
    success: conceptSuccess(200, "The concept without the other."),
    handler: async ({ caller, tx, params, ifMatch }) =>
      answerTo(
        caller,
        tx,
        await unmergeConcepts(tx, author(caller), params.id, ifMatch, (base) => roleIn(caller, base)),
      ),
  }),
  read({
    operation: "traverse_concepts",
    path: "/concepts/{id}/traverse",
    tag,
    summary: "A concept's relations at an instant.",
    scopes: ["concepts:read"],
    access: { action: "read", subject: "concept" },
    params: ConceptParams,
    query: object({
      at: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 8.64e15, description: "Milliseconds; now when left out." }),
      ),
      direction: Type.Optional(oneOf(["outgoing", "incoming", "both"])),
      predicate: Type.Optional(predicateText),
      depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, default: 1 })),
    }),
    errors: ["unknown_predicate"],
    success: {
      status: 200,
      description: "The concepts within reach, and what relates them.",
      data: Traversal,
      example: exampleTraversal,
    },
    handler: async ({ caller, db, params, query }) => {
      const start = await getLiveConcept(db, caller.workspaceId, params.id);
      const options = {
        at: query.at ?? Date.now(),
        direction: query.direction ?? "both",
        predicate: query.predicate === undefined ? undefined : getPredicate(query.predicate),
        depth: query.depth ?? 1,
      };
      return ok(await traverse(db, start, options));
    },
  }),
  read({
    operation: "list_concept_history",
    path: "/concepts/{id}/history",
    tag,
    summary: "The history of a concept and of those merged into it, newest first.",
    scopes: ["concepts:read"],
    access: { action: "read", subject: "concept" },
    params: ConceptParams,
    query: object({ limit: limit(), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of it.",
      data: HistoryEntry,
      list: true,
      example: exampleEntry,
    },
    handler: async ({ app, caller, db, params, query }) => {
      const { id } = await getLiveConcept(db, caller.workspaceId, params.id);
      const ids = [id, ...(await listMergedInto(db, caller.workspaceId, id))];
      return pageOf(app.secret, ["concept-history", id], query, {
        fetch: ([before = Number.MAX_SAFE_INTEGER], size) =>
          listShownHistory(db, caller.workspaceId, ids, Number(before), size),
        keyOf: (row) => [row.id],
        represent: ({ workspace_id: _, ...row }) => row,
      });
    },
  }),
];
