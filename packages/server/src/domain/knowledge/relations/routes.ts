import { Type } from "typebox";
import { created, deleted, ok, wholeList } from "../../../http/answer.ts";
import { post, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { createRelation } from "./create-relation.ts";
import { deleteRelation } from "./delete-relation.ts";
import { linkReport } from "./link-report.ts";
import { listRelations } from "./list-relations.ts";
import { predicates } from "./predicates.ts";
import { readRelation } from "./read-relation.ts";
import { relationOf } from "./represent.ts";
import {
  exampleRelation,
  KnowledgeBaseParams,
  LinkReportItem,
  LinkReportQuery,
  NewRelation,
  projectionFreshness,
  Relation,
  RelationParams,
  RelationQuery,
  RelationType,
} from "./schema.ts";
import { ownVias } from "./target.ts";

const tag = "Relations";
const more = { projection_freshness: projectionFreshness };
const moreExample = { projection_freshness: "current" };

export const relationRoutes: Route[] = [
  read({
    operation: "list_relation_types",
    path: "/relation-types",
    tag,
    summary: "The registered predicates.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "workspace" },
    success: {
      status: 200,
      description: "All of them.",
      data: RelationType,
      list: true,
      example: predicates[1],
    },
    handler: async () => wholeList(predicates),
  }),
  read({
    operation: "list_relations",
    path: "/documents/{id}/relations",
    tag,
    summary: "A document's links and back-links.",
    description:
      "In the order they came to be. Links count when they name a document, document set or concept by its `svc://` URI, or a document by this service's own address (`/api/v1/documents/{id}` or `/documents/{id}`, with `/blocks/{block id}`, `#block={block id}` or `?block={block id}` for a block; on the host of `SVC_BASE_URL`, or of the request when that is unset). `state` tells what is there now: nothing tells a target in another workspace from one that never was.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: RelationQuery,
    errors: ["unknown_predicate"],
    success: {
      status: 200,
      description: "A page of them.",
      data: Relation,
      list: true,
      more,
      moreExample,
      example: exampleRelation,
    },
    handler: ({ app, caller, db, params, query, request }) =>
      listRelations(app, db, {
        workspaceId: caller.workspaceId,
        documentId: params.id,
        query,
        vias: ownVias(request.baseUrl),
      }),
  }),
  post({
    operation: "create_relation",
    path: "/relations",
    tag,
    summary: "State a relation from a block to a document or block.",
    description:
      "A target that this token cannot see is 404. `refers_to` comes from links in bodies and cannot be stated.",
    scopes: ["documents:write"],
    access: {
      action: "create",
      subject: "relation",
      writes: { source_document_id: "document" },
      reads: { target_uri: "document_uri" },
    },
    body: NewRelation,
    bodyExample: {
      source_document_id: exampleRelation.source_document_id,
      source_block_id: exampleRelation.source_block_id,
      target_uri: exampleRelation.target_uri,
      predicate: exampleRelation.predicate,
      anchor_text: exampleRelation.anchor_text,
    },
    errors: ["not_found", "block_not_found", "unknown_predicate", "invalid_target_uri", "quota_exceeded"],
    success: { status: 201, description: "The new relation.", data: Relation, example: exampleRelation },
    handler: async ({ app, caller, tx, body }) => {
      await checkRowQuota(tx, app.config, "manual_relations", caller.workspaceId, body.source_document_id);
      return created(relationOf(await createRelation(tx, caller, body), "outgoing", "ok"));
    },
  }),
  read({
    operation: "get_relation",
    path: "/relations/{id}",
    tag,
    summary: "One relation.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "relation" },
    params: RelationParams,
    success: { status: 200, description: "It.", data: Relation, example: exampleRelation },
    handler: async ({ caller, db, params, request }) =>
      ok(await readRelation(db, caller.workspaceId, params.id, ownVias(request.baseUrl))),
  }),
  remove({
    operation: "delete_relation",
    path: "/relations/{id}",
    tag,
    summary: "Take a stated relation back.",
    description: "To delete a relation that comes from a link, edit the link.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "relation" },
    params: RelationParams,
    errors: ["relation_not_manual"],
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: exampleRelation.id, deleted: true },
    },
    handler: async ({ caller, tx, params, request }) => {
      await deleteRelation(tx, caller.workspaceId, params.id, ownVias(request.baseUrl));
      return deleted(params.id);
    },
  }),
  read({
    operation: "get_link_report",
    path: "/knowledge-bases/{id}/link-report",
    tag,
    summary: "Dangling links, documents that nothing points to, or the most linked documents.",
    description:
      "`dangling`: relations from documents of this knowledge base whose target is not there. `unlinked`: documents that no other document points to. `most_linked`: documents by the number of relations from other documents, the most first. The first two look at a bounded number of links per request, so a page can hold fewer items than `limit`, or none, and still have a `next_cursor`.",
    scopes: ["documents:read", "knowledge-bases:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    query: LinkReportQuery,
    success: {
      status: 200,
      description: "A page of the report.",
      data: LinkReportItem,
      list: true,
      more,
      moreExample,
      example: { document_id: exampleRelation.target_document_id, title: "Measurements", incoming_count: 12 },
    },
    handler: ({ app, caller, db, params, query, request }) =>
      linkReport(app, db, {
        workspaceId: caller.workspaceId,
        knowledgeBaseId: params.id,
        query,
        vias: ownVias(request.baseUrl),
      }),
  }),
];
