import { WeakCache } from "../../../cache/weak-cache.ts";
import { type Answer, ok } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { type Route, read } from "../../../http/route.ts";
import { writesSomewhere } from "../../../rights/rights.ts";
import { readQuota } from "./read-quota.ts";
import { Me, Quota } from "./schema.ts";

const meOf = (caller: Caller) => ({
  user: { id: caller.userId, email: caller.email, name: caller.userName },
  scopes: caller.scopes,
  token_id: caller.tokenId,
  may_write: writesSomewhere(caller),
  workspace: { id: caller.workspaceId, name: caller.workspaceName, role: caller.role },
  token: {
    name: caller.tokenName,
    access: caller.access,
    created_at: caller.createdAt,
    expires_at: caller.expiresAt,
    knowledge_base_ids: caller.knowledgeBaseIds,
  },
});

/** A caller stays the same object while its token's row is unchanged. */
const CALLERS = new WeakCache<Caller, string>("caller_answers");
const meJson = (caller: Caller): string => JSON.stringify(meOf(caller));

const describeCaller = (caller: Caller): Answer => ({ dataJson: CALLERS.getOrMake(caller, meJson) });

export const meRoutes: Route[] = [
  read({
    operation: "get_me",
    path: "/me",
    tag: "Identity",
    summary: "The token's user, workspace and scopes.",
    scopes: [],
    access: { action: "read", subject: "workspace" },
    success: {
      status: 200,
      description: "The caller.",
      data: Me,
      example: {
        user: { id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", email: "ada@example.com", name: "Ada" },
        scopes: ["documents:read"],
        token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
        may_write: true,
        workspace: { id: "ws_01K9ZQ4T6N4Y3V7J8W2M5R1XCF", name: "Ada's workspace", role: "owner" },
        token: {
          name: "laptop",
          access: "read_only",
          created_at: 1794700000000,
          expires_at: null,
          knowledge_base_ids: null,
        },
      },
    },
    handler: ({ caller }) => describeCaller(caller),
  }),
  read({
    operation: "get_quota",
    path: "/me/quota",
    tag: "Identity",
    summary: "The workspace's usage and limits.",
    scopes: [],
    access: { action: "read", subject: "workspace" },
    success: {
      status: 200,
      description: "Usage and caps.",
      data: Quota,
      example: {
        workspace_id: "ws_01K9ZQ4T6N4Y3V7J8W2M5R1XCF",
        knowledge_bases: { used: 2, limit: 100 },
        folders: { used: 14, limit: 10000 },
        documents: { used: 230, limit: 100000 },
        webhooks: { used: 1, limit: 20 },
        document_characters: { limit: 2000000 },
        attachments: { used_bytes: 1048576, limit_bytes: 10737418240, max_file_bytes: 52428800 },
        machine_translation: { used_characters: 0, limit_characters: 500000, resets_at: 1794787200000 },
        questions: { used_tokens: 0, limit_tokens: 1000000, resets_at: 1794787200000 },
      },
    },
    handler: async ({ caller, db, app }) => ok(await readQuota(db, caller.workspaceId, app.config, Date.now())),
  }),
];
