import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { type BaseRole, baseRoles } from "@svc/server/db/schema/tables/rights";
import type { Route } from "@svc/server/http/route";
import { routes } from "@svc/server/routes";
import { assertError, type Reply } from "../../support/client.ts";
import { makeKnowledgeBase, ownedPath } from "../../support/fixtures.ts";
import { makePrivate } from "../../support/make-private.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** Nouns whose things belong to the workspace, not to a knowledge base. */
const OF_WORKSPACE = /^\/(groups|webhooks|members)\//;

/** Routes about one thing in a knowledge base. An import that has not ended is in none yet. */
const placed = routes.filter(
  (route) =>
    route.scopes !== "public" &&
    route.path.includes("{id}") &&
    !OF_WORKSPACE.test(route.path) &&
    !/import-jobs/.test(route.path),
);

const roles = { none: 0, viewer: 1, commenter: 2, editor: 3, owner: 4 } as const satisfies Record<BaseRole, number>;

/** The least role that a route needs, from what it is. */
function leastRole(route: Route): BaseRole {
  if (route.operation === "put_knowledge_base_access") return "owner";
  return route.kind === "read" || route.personal || route.discusses ? "viewer" : "editor";
}

/** Whether the answer says that the thing in the path is not there. */
function isMissing({ status, body }: Reply, path: string): boolean {
  const { id, resource } = body?.error?.details ?? {};
  // A document that is there may have no languages, or no link.
  if (["document_set", "public_share"].includes(resource)) return false;
  return status === 404 && id !== undefined && path.split("/").includes(encodeURIComponent(String(id)));
}

/** The role that somebody has in a knowledge base, and how they come to it. */
interface Column {
  readonly role: BaseRole;
  /** In the workspace. */
  readonly member: "viewer" | "editor" | "owner";
  readonly title: string;
}

/** In private knowledge bases the role is assigned there and differs from the workspace's. */
const privately: readonly Column[] = baseRoles.map((role) => ({
  role,
  member: role === "none" ? "editor" : "viewer",
  title: `as ${role}`,
}));

/** In other knowledge bases the role comes from the workspace. */
const openly: readonly Column[] = (["viewer", "editor", "owner"] as const).map((role) => ({
  role,
  member: role,
  title: `as ${role} of the workspace`,
}));

const walk =
  (columns: readonly Column[], isPrivate: boolean) =>
  (world: World): void => {
    const members = new Map<BaseRole, Person>();
    /** A thing for each route; for each role that may change it one of its own. */
    const paths = new Map<string, string>();
    const nameOf = (route: Route, role: BaseRole): string =>
      `${route.operation} ${route.kind === "write" && roles[role] >= roles[leastRole(route)] ? role : ""}`;

    before(async () => {
      const owner = await world.person();
      for (const { role, member } of columns)
        members.set(role, await world.person({ workspace: owner.workspaceId, role: member }));
      const other = await makeKnowledgeBase(owner.client);
      await makePrivate(world, owner.workspaceId);
      for (const route of placed)
        for (const { role } of columns)
          if (!paths.has(nameOf(route, role))) paths.set(nameOf(route, role), await ownedPath(route, owner, world));
      if (isPrivate) await makePrivate(world, owner.workspaceId, members);
      const { client } = defined(members.get(isPrivate ? "none" : "viewer"));
      assertError(await client.get(`/knowledge-bases/${other.id}`), "not_found");
    });

    for (const route of placed)
      describe(`${route.method} ${route.path}`, () => {
        for (const { role, title } of columns)
          test(`RIGHT10 ${title}`, async () => {
            const path = defined(paths.get(nameOf(route, role)));
            const { client } = defined(members.get(role));
            const reply = await client.call(route.method, path, route.bodyExample, { ifMatch: "*" });
            if (role === "none") assertError(reply, "not_found");
            else if (roles[role] < roles[leastRole(route)]) assertError(reply, "insufficient_role");
            else {
              assert.ok(!isMissing(reply, path), reply.text);
              const isRefused = reply.body?.error?.code === "insufficient_role";
              // Actions reserved for the author are refused to everyone else, whatever their role.
              assert.ok(!isRefused || /author/.test(reply.text), reply.text);
            }
          });
      });
  };

const SETTINGS = { SVC_MAX_KNOWLEDGE_BASES: "10000", SVC_MAX_WEBHOOKS: "1000" };
onEachDatabase("every route, for every role in a private knowledge base", walk(privately, true), SETTINGS);
onEachDatabase("every route, for every role in the workspace, beside a private one", walk(openly, false), SETTINGS);
