import { Type } from "typebox";
import { post, type Route } from "../../../http/route.ts";
import { errorMembers, retrieve } from "./retrieve.ts";
import { exampleRecord, RetrievalRecord, RetrievalRequest } from "./schema.ts";

export const retrievalRoutes: Route[] = [
  post({
    operation: "retrieve",
    path: "/retrieval",
    tag: "Search",
    summary: "Retrieve passages, as Dify's external knowledge API asks for them.",
    description:
      "Register `/api/v1` of this server as the endpoint of an external knowledge API, with a token that reads documents as its key. Scores lie between 0 and 1; refusals also have `error_code` and `error_msg`.",
    scopes: ["documents:read"],
    access: { action: "personal", subject: "workspace", checkedByHandler: true },
    body: RetrievalRequest,
    bodyExample: {
      knowledge_id: "all",
      query: "How do I run the installer?",
      retrieval_setting: { top_k: 3, score_threshold: 0.5 },
    },
    errors: ["not_found"],
    errorMembers,
    success: {
      status: 200,
      description: "The passages, best first.",
      more: { records: Type.Array(RetrievalRecord) },
      moreExample: { records: [exampleRecord] },
    },
    prepare: ({ app, caller, body }) => retrieve(app, caller.workspaceId, body),
    handler: async ({ prepared }) => ({ envelope: { records: prepared } }),
  }),
];
