import { apiError } from "../../../errors.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import { created, ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { cursor, limit, object } from "../../../http/schemas.ts";
import { newId } from "../../../ids.ts";
import { roleIn } from "../../../rights/rights.ts";
import { changeKnowledgeBase } from "./change-knowledge-base.ts";
import { getKnowledgeBase, insertKnowledgeBase, listKnowledgeBases } from "./queries.ts";
import { knowledgeBaseOf } from "./represent.ts";
import {
  exampleKnowledgeBase,
  KnowledgeBase,
  KnowledgeBaseChange,
  KnowledgeBaseName,
  KnowledgeBaseParams,
} from "./schema.ts";

const tag = "Knowledge bases";

export const knowledgeBaseRoutes: Route[] = [
  read({
    operation: "list_knowledge_bases",
    path: "/knowledge-bases",
    tag,
    summary: "The knowledge bases of the workspace, by id.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "knowledge_base" },
    query: object({ limit: limit(), cursor: cursor() }),
    success: {
      status: 200,
      description: "A page of them.",
      data: KnowledgeBase,
      list: true,
      example: exampleKnowledgeBase,
    },
    handler: ({ app, caller, db, query }) =>
      pageOf(app.secret, { list: "knowledge_bases" }, query, {
        fetch: ([after = 0], size) => listKnowledgeBases(db, caller.workspaceId, Number(after), size),
        keyOf: (row) => [row.id],
        represent: knowledgeBaseOf,
      }),
  }),
  post({
    operation: "create_knowledge_base",
    path: "/knowledge-bases",
    tag,
    summary: "Make a knowledge base.",
    scopes: ["knowledge-bases:write"],
    access: { action: "create", subject: "knowledge_base" },
    body: KnowledgeBaseName,
    bodyExample: { name: "Handbook" },
    errors: ["quota_exceeded"],
    success: { status: 201, description: "The new one.", data: KnowledgeBase, example: exampleKnowledgeBase },
    handler: async ({ app, caller, tx, body }) => {
      const now = Date.now();
      ledgerOf(tx, caller.workspaceId).count("knowledge_bases", 1, app.config.maxKnowledgeBases);
      const row = await insertKnowledgeBase(tx, {
        workspace_id: caller.workspaceId,
        confirm_id: newId("kb"),
        name: body.name.trim(),
        created_at: now,
        updated_at: now,
      });
      return created(knowledgeBaseOf(row));
    },
  }),
  read({
    operation: "get_knowledge_base",
    path: "/knowledge-bases/{id}",
    tag,
    summary: "One knowledge base.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    success: { status: 200, description: "It.", data: KnowledgeBase, example: exampleKnowledgeBase },
    handler: async ({ caller, db, params }) =>
      ok(knowledgeBaseOf(await getKnowledgeBase(db, caller.workspaceId, params.id))),
  }),
  patch({
    operation: "rename_knowledge_base",
    path: "/knowledge-bases/{id}",
    tag,
    summary: "Rename a knowledge base, or set its order and whether its viewers may comment.",
    scopes: ["knowledge-bases:write"],
    access: { action: "write", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    body: KnowledgeBaseChange,
    bodyExample: { name: "Company handbook" },
    success: { status: 200, description: "It, changed.", data: KnowledgeBase, example: exampleKnowledgeBase },
    handler: async ({ caller, tx, params, body }) => {
      if (body.members_may_comment !== undefined && roleIn(caller, params.id) !== "owner") {
        await getKnowledgeBase(tx, caller.workspaceId, params.id);
        throw apiError("insufficient_role", { role: roleIn(caller, params.id) });
      }
      return ok(knowledgeBaseOf(await changeKnowledgeBase(tx, caller.workspaceId, params.id, body)));
    },
  }),
];
