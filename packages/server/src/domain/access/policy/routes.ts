import { actorOf } from "../../../events/actor.ts";
import { notModified, ok } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { put, type Route, read } from "../../../http/route.ts";
import { requireRoleIn } from "../../../rights/rights.ts";
import { notifyShared } from "../../discussion/notifications/notify-access.ts";
import { KnowledgeBaseParams } from "../../library/knowledge-bases/schema.ts";
import { accessVersion, type BaseAccess, putAccess, readAccess } from "./access.ts";
import { Access, exampleAccess } from "./schema.ts";

const tag = "Access";

const answer = (access: BaseAccess) => ok(access, { etag: accessVersion(access) });

/** People who are named now and were not, or were kept out. */
function newlyNamed(before: BaseAccess, after: BaseAccess): string[] {
  const named = (access: BaseAccess) => access.members.filter(({ role }) => role !== "none").map((one) => one.user_id);
  const then = new Set(named(before));
  return named(after).filter((id) => !then.has(id));
}

export const accessRoutes: Route[] = [
  read({
    operation: "get_knowledge_base_access",
    path: "/knowledge-bases/{id}/access",
    tag,
    summary: "The access list of a knowledge base.",
    description:
      "The highest of a member's own role, those of their groups and the default counts; `none` for the member beats " +
      "them all. Owners of the workspace are owners everywhere. A knowledge base in which somebody has the role `none` " +
      "is not there for them.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    etag: true,
    success: { status: 200, description: "It.", data: Access, example: exampleAccess },
    handler: async ({ caller, db, params, request }) => {
      const access = await readAccess(db, caller.workspaceId, params.id);
      const version = accessVersion(access);
      return alreadyHas(request.headers["if-none-match"], version) ? notModified(version) : answer(access);
    },
  }),
  put({
    operation: "put_knowledge_base_access",
    path: "/knowledge-bases/{id}/access",
    tag,
    summary: "Set who may do what in a knowledge base, replacing all of it.",
    description: "For owners of the knowledge base. It takes effect at once, on open streams and editors too.",
    scopes: ["knowledge-bases:write"],
    access: { action: "administer", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    body: Access,
    bodyExample: { default_role: null, members: [], groups: [] },
    ifMatch: "required",
    etag: true,
    success: { status: 200, description: "It, as it is now.", data: Access, example: exampleAccess },
    errors: ["version_conflict"],
    handler: async (input) => {
      const { app, caller, tx, params, body, ifMatch } = input;
      const { workspaceId } = caller;
      const before = await readAccess(tx, workspaceId, params.id);
      requireRoleIn(caller, params.id, "owner");
      const after = await putAccess(tx, workspaceId, params.id, body, ifMatch);
      const userIds = newlyNamed(before, after);
      await notifyShared(app, tx, { workspaceId, knowledgeBaseId: params.id, by: actorOf(input), userIds });
      return answer(after);
    },
  }),
];
