import { ApiError } from "@svc/sdk";
import { accessPage, type BaseRole, baseRoles } from "@svc/web/server/pages/library/access";
import { accessVersion, readAccess } from "../../../domain/access/policy/access.ts";
import { listShares } from "../../../domain/access/shares/queries.ts";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { getKnowledgeBase } from "../../../domain/library/knowledge-bases/queries.ts";
import { roleIn } from "../../../rights/rights.ts";
import { get, goTo, holderOf, type MemberVisit, numberFrom, type Outcome, post, show, versionFrom } from "../visit.ts";
import { readGroups } from "../workspace/groups.ts";

const roleFrom = (text: string | null): BaseRole | undefined => baseRoles.find((role) => role === text);

async function showAccess(visit: MemberVisit, wrong?: string, status = 200): Promise<Outcome> {
  const { viewer, app, formToken } = visit;
  const { read } = app.database;
  const workspaceId = viewer.workspace.id;
  const id = numberFrom(visit.params.id, "knowledge_base");
  const ownRole = roleIn(holderOf(visit), id);
  const canChange = ownRole === "owner";
  const [base, access, members, groups, links] = await Promise.all([
    getKnowledgeBase(read, workspaceId, id),
    readAccess(read, workspaceId, id),
    listMembers(read, workspaceId),
    readGroups(visit),
    canChange ? listShares(read, workspaceId, id, [], 1) : [],
  ]);
  const roles = new Map<string, BaseRole>([
    ...access.members.map(({ user_id, role }) => [user_id, role] as const),
    ...access.groups.map(({ group_id, role }) => [group_id, role] as const),
  ]);
  const withRole = ({ id, name }: { id: string; name: string }) => ({ id, name, role: roles.get(id) });
  return show(
    accessPage({
      formToken,
      knowledgeBase: { id, name: base.name },
      ownRole,
      canChange,
      hasPublicLinks: links.length > 0,
      version: accessVersion(access),
      defaultRole: access.default_role,
      viewersDiscuss: base.members_may_comment === 1,
      members: members.map(withRole),
      groups: groups.map(withRole),
      wrong,
    }),
    status,
  );
}

/** The roles from the form for members or groups, without the subjects that have none of their own. */
const given = ({ form }: MemberVisit, kind: "member" | "group") =>
  [...form].flatMap(([name, value]) => {
    const role = roleFrom(value);
    return name.startsWith(`${kind}:`) && role ? [{ id: name.slice(kind.length + 1), role }] : [];
  });

/** Saves whether viewers may comment and suggest, a setting of the knowledge base itself. */
async function saveDiscussion({ api, app, form, viewer }: MemberVisit, id: number): Promise<void> {
  const members_may_comment = form.get("viewers_discuss") === "1";
  const before = await getKnowledgeBase(app.database.read, viewer.workspace.id, id);
  if ((before.members_may_comment === 1) !== members_may_comment)
    await api.patch("/knowledge-bases/{id}", { path: { id }, body: { members_may_comment } });
}

async function save(visit: MemberVisit): Promise<Outcome> {
  const id = numberFrom(visit.params.id, "knowledge_base");
  const body = {
    default_role: roleFrom(visit.form.get("default")) ?? null,
    members: given(visit, "member").map(({ id, role }) => ({ user_id: id, role })),
    groups: given(visit, "group").map(({ id, role }) => ({ group_id: id, role })),
  };
  try {
    const ifMatch = versionFrom(visit.form);
    await visit.api.put("/knowledge-bases/{id}/access", { path: { id }, body, ifMatch });
    await saveDiscussion(visit, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return showAccess(visit, "Someone else changed the permissions. These are the current ones.", 409);
  }
  return goTo(`/knowledge-bases/${id}/access`, "access-saved");
}

async function deleteBase(visit: MemberVisit): Promise<Outcome> {
  const path = { id: numberFrom(visit.params.id, "knowledge_base") };
  const base = await getKnowledgeBase(visit.app.database.read, visit.viewer.workspace.id, path.id);
  if ((visit.form.get("name") ?? "").trim() !== base.name)
    return showAccess(visit, `Nothing was deleted: the name does not match, it is “${base.name}”.`, 422);
  try {
    await visit.api.delete("/knowledge-bases/{id}", { path, body: { confirm_id: base.confirm_id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return showAccess(visit, error.message, 409);
    throw error;
  }
  return goTo("/knowledge-bases", "base-deleted");
}

export const accessPages = [
  get("/knowledge-bases/:id/access", (visit) => showAccess(visit)),
  post("/knowledge-bases/:id/access", save),
  post("/knowledge-bases/:id/delete", deleteBase),
];
