import { ApiError } from "@svc/sdk";
import { groupsPage } from "@svc/web/server/pages/workspace/groups";
import { listGroupMembers, listGroups } from "../../../domain/identity/groups/queries.ts";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";

const MAX_GROUPS = 1000;

/** All groups that a page can show. */
export async function readGroups({ app, viewer }: MemberVisit) {
  const { read } = app.database;
  const groups = await listGroups(read, viewer.workspace.id, "", MAX_GROUPS);
  const ids = groups.map(({ id }) => id);
  const members = await listGroupMembers(read, viewer.workspace.id, ids);
  return groups.map(({ id, name }) => ({ id, name, members: members.get(id) ?? [] }));
}

async function showGroups(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const { viewer, app, formToken } = visit;
  const [groups, members] = await Promise.all([readGroups(visit), listMembers(app.database.read, viewer.workspace.id)]);
  return show(
    groupsPage({
      formToken,
      canManage: viewer.workspace.role === "owner",
      groups: groups.map(({ id, name, members: inside }) => ({
        id,
        name,
        members: inside.map((member) => ({ id: member.user_id, name: member.name })),
      })),
      members: members.map(({ id, name }) => ({ id, name })),
      wrong,
    }),
    wrong === undefined ? 200 : 422,
  );
}

/** Makes the change through the API, which authorizes it; a problem with the name is shown on the page. */
const change =
  (notice: string, work: (visit: MemberVisit) => Promise<unknown>) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    try {
      await work(visit);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return showGroups(visit, "A name has 1 to 500 characters and no control characters.");
    }
    return goTo("/groups", notice);
  };

const groupOf = ({ params }: MemberVisit) => ({ id: idFrom(params.id, "group") });
const nameOf = ({ form }: MemberVisit) => ({ name: form.get("name") ?? "" });
const memberOf = (visit: MemberVisit) => ({ ...groupOf(visit), userId: idFrom(visit.form.get("user"), "member") });

export const groupPages = [
  get("/groups", (visit) => showGroups(visit)),
  post(
    "/groups",
    change("group-made", (visit) => visit.api.post("/groups", { body: nameOf(visit) })),
  ),
  post(
    "/groups/:id/rename",
    change("group-changed", (visit) => visit.api.patch("/groups/{id}", { path: groupOf(visit), body: nameOf(visit) })),
  ),
  post(
    "/groups/:id/delete",
    change("group-deleted", (visit) => visit.api.delete("/groups/{id}", { path: groupOf(visit) })),
  ),
  post(
    "/groups/:id/add",
    change("group-changed", (visit) => visit.api.put("/groups/{id}/members/{userId}", { path: memberOf(visit) })),
  ),
  post(
    "/groups/:id/remove",
    change("group-changed", (visit) => visit.api.delete("/groups/{id}/members/{userId}", { path: memberOf(visit) })),
  ),
];
