import type { Tx } from "../../../db/database.ts";
import type { SuggestionRow } from "../../../db/schema/tables/discussion.ts";
import { actorOf } from "../../../events/actor.ts";
import { created, notModified, ok } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { type Input, post, type Route, read } from "../../../http/route.ts";
import { object } from "../../../http/schemas.ts";
import { LeftOut } from "../../content/content/schema.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { createSuggestion, prepareProposal } from "./create-suggestion.ts";
import { acceptSuggestion, type Decision, rejectSuggestion, reopenSuggestion, withdrawSuggestion } from "./decide.ts";
import { getSuggestion, suggestionVersion } from "./queries.ts";
import { listPage, showSuggestion } from "./read-suggestions.ts";
import {
  Acceptance,
  DocumentSuggestionsQuery,
  exampleSuggestion,
  InboxQuery,
  NewSuggestion,
  Rejection,
  Suggestion,
  SuggestionParams,
} from "./schema.ts";

const tag = "Suggestions";
type Writing = Input<unknown, unknown, unknown> & { readonly tx: Tx };

const answer = async ({ app, tx }: Writing, row: SuggestionRow) =>
  ok(await showSuggestion(app, tx, row), { etag: suggestionVersion(row) });

const decisionOf = (input: Writing, changeIds: readonly string[] | undefined): Decision => ({
  app: input.app,
  tx: input.tx,
  caller: input.caller,
  actor: actorOf(input),
  expected: input.ifMatch,
  changeIds,
});

const success = (description: string) => ({
  status: 200 as const,
  description,
  data: Suggestion,
  example: exampleSuggestion,
});
const page = {
  status: 200,
  description: "A page of them, oldest first.",
  data: Suggestion,
  list: true,
  example: exampleSuggestion,
} as const;

export const suggestionRoutes: Route[] = [
  read({
    operation: "list_document_suggestions",
    path: "/documents/{id}/suggestions",
    tag,
    summary: "The suggestions for a document.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: DocumentSuggestionsQuery,
    success: page,
    handler: async ({ app, caller, db, params, query }) => {
      await getDocument(db, caller.workspaceId, params.id);
      const filter = { documentId: params.id, status: query.status };
      return listPage(app, db, caller.workspaceId, filter, query);
    },
  }),
  post({
    operation: "create_suggestion",
    path: "/documents/{id}/suggestions",
    tag,
    summary: "Propose changes of a document for people to decide.",
    description:
      "The body does not change. `base_version` may be the current version or one that is still kept as a snapshot. A suggestion holds blocks only: properties in front matter of `content` are left out, and named in `warnings`.",
    scopes: ["documents:write"],
    access: { action: "discuss", subject: "document" },
    params: DocumentParams,
    body: NewSuggestion,
    bodyExample: {
      base_version: "*",
      operations: [
        {
          op: "insert",
          position: { document_end: true },
          nodes: [{ type: "paragraph", content: [{ type: "text", text: "One more thing." }] }],
        },
      ],
      note: "Something was missing.",
    },
    etag: true,
    errors: [
      "precondition_required",
      "version_conflict",
      "invalid_document",
      "duplicate_block_id",
      "duplicate_anchor",
      "unknown_anchor",
      "block_not_found",
      "heading_not_found",
      "document_too_large",
      "quota_exceeded",
    ],
    success: {
      status: 201,
      description: "The suggestion.",
      data: object({ ...Suggestion.properties, warnings: LeftOut }),
      example: exampleSuggestion,
    },
    prepare: (input) => prepareProposal(input, input.body),
    handler: async (input) => {
      const { row, warnings } = await createSuggestion(input, input.body, input.prepared);
      const shown = await showSuggestion(input.app, input.tx, row);
      return created({ ...shown, ...(warnings.length > 0 && { warnings }) }, { etag: suggestionVersion(row) });
    },
  }),
  read({
    operation: "list_suggestions",
    path: "/suggestions",
    tag,
    summary: "The suggestions of the workspace: an inbox.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "suggestion" },
    query: InboxQuery,
    errors: ["not_found"],
    success: page,
    handler: async ({ app, caller, db, query }) => {
      const { knowledge_base_id: knowledgeBaseId, status, author } = query;
      if (knowledgeBaseId !== undefined) await getKnowledgeBase(db, caller.workspaceId, knowledgeBaseId);
      return listPage(app, db, caller.workspaceId, { knowledgeBaseId, status, author }, query);
    },
  }),
  read({
    operation: "get_suggestion",
    path: "/suggestions/{id}",
    tag,
    summary: "One suggestion, with what has become of its changes.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "suggestion" },
    params: SuggestionParams,
    etag: true,
    success: success("It."),
    handler: async ({ app, caller, db, params, request }) => {
      const row = await getSuggestion(db, caller.workspaceId, params.id);
      const version = suggestionVersion(row);
      // An open suggestion depends on the body, so only a decided one can be a 304.
      if (row.status !== "open" && alreadyHas(request.headers["if-none-match"], version)) return notModified(version);
      return ok(await showSuggestion(app, db, row), { etag: version });
    },
  }),
  post({
    operation: "accept_suggestion",
    path: "/suggestions/{id}/accept",
    tag,
    summary: "Make changes of a suggestion part of the document.",
    description:
      "All accepted changes of a call are one version, credited to author and accepter. A change whose block has changed since is left as a conflict, unless `edits` brings a person's own wording for it.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "suggestion" },
    params: SuggestionParams,
    body: Acceptance,
    bodyExample: {},
    bodyOptional: true,
    ifMatch: "required",
    etag: true,
    errors: [
      "suggestion_conflict",
      "suggestion_decided",
      "invalid_document",
      "duplicate_block_id",
      "document_too_large",
      "attachment_not_found",
    ],
    success: success("It, with what was decided."),
    handler: async (input) => {
      const { params, body } = input;
      const decision = decisionOf(input, body?.change_ids);
      return answer(input, await acceptSuggestion(decision, params.id, body?.edits ?? []));
    },
  }),
  post({
    operation: "reject_suggestion",
    path: "/suggestions/{id}/reject",
    tag,
    summary: "Turn changes of a suggestion down.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "suggestion" },
    params: SuggestionParams,
    body: Rejection,
    bodyExample: {},
    bodyOptional: true,
    ifMatch: "required",
    etag: true,
    errors: ["suggestion_decided"],
    success: success("It, with what was decided."),
    handler: async (input) => {
      const { params, body } = input;
      return answer(input, await rejectSuggestion(decisionOf(input, body?.change_ids), params.id, body?.reason));
    },
  }),
  post({
    operation: "reopen_suggestion",
    path: "/suggestions/{id}/reopen",
    tag,
    summary: "Reopen a suggestion that was rejected, withdrawn or undone.",
    description:
      "Rejected or withdrawn changes are open again, and accepted ones that the page no longer has, for example after a rollback. Other accepted changes stay. Whoever may decide reverts decisions, and the author a withdrawal.",
    scopes: ["documents:write"],
    access: { action: "discuss", subject: "suggestion" },
    params: SuggestionParams,
    ifMatch: "required",
    etag: true,
    errors: ["suggestion_decided"],
    success: success("It, open again."),
    handler: async (input) => answer(input, await reopenSuggestion(decisionOf(input, undefined), input.params.id)),
  }),
  post({
    operation: "withdraw_suggestion",
    path: "/suggestions/{id}/withdraw",
    tag,
    summary: "Take one's own suggestion back.",
    scopes: ["documents:write"],
    access: { action: "discuss", subject: "suggestion" },
    params: SuggestionParams,
    etag: true,
    errors: ["suggestion_decided"],
    success: success("It, withdrawn."),
    handler: async (input) => answer(input, await withdrawSuggestion(decisionOf(input, undefined), input.params.id)),
  }),
];
