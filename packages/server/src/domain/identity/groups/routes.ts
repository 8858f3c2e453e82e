import { Type } from "typebox";
import type { Reader, Tx } from "../../../db/database.ts";
import type { MemberGroupRow } from "../../../db/schema/tables/rights.ts";
import { notFound } from "../../../errors.ts";
import { created, deleted, ok } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { pageOf } from "../../../http/page.ts";
import { patch, post, put, type Route, read, remove } from "../../../http/route.ts";
import { cursor, deletedSchema, idText, limit, name, named, object, time } from "../../../http/schemas.ts";
import { newId } from "../../../ids.ts";
import { renewRights } from "../../../rights/renew-rights.ts";
import { requireAtLeast } from "../../../rights/rights.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { findRole, lockWorkspace } from "../members/queries.ts";
import {
  deleteGroup,
  deleteGroupMember,
  getGroup,
  insertGroup,
  insertGroupMember,
  listGroupMembers,
  listGroups,
  renameGroup,
} from "./queries.ts";

const tag = "Access";

const Group = named(
  "Group",
  object({
    id: Type.String(),
    name: Type.String(),
    members: Type.Array(object({ user_id: Type.String(), name: Type.String() })),
    created_at: time(),
    updated_at: time(),
  }),
);

const example = {
  id: "grp_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
  name: "Editors",
  members: [{ user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", name: "Ada" }],
  created_at: 1794700000000,
  updated_at: 1794700000000,
};

const GroupName = object({ name: name() });
const GroupParams = Type.Object({ id: idText("grp") });
const MemberParams = Type.Object({ id: idText("grp"), userId: idText("user") });
const writing = { tag, scopes: ["knowledge-bases:write"] } as const;
const reading = { tag, scopes: ["knowledge-bases:read"] } as const;

type Members = Awaited<ReturnType<typeof listGroupMembers>>;

const groupOf = ({ workspace_id: _, ...row }: MemberGroupRow, members: Members) => ({
  ...row,
  members: (members.get(row.id) ?? []).map(({ user_id, name }) => ({ user_id, name })),
});

async function readGroup(db: Reader, workspaceId: string, id: string) {
  return groupOf(await getGroup(db, workspaceId, id), await listGroupMembers(db, workspaceId, [id]));
}

/** Groups belong to the workspace: only its owners change them, because rights depend on them. */
async function changing(tx: Tx, { role, workspaceId }: Caller, id?: string): Promise<void> {
  if (id !== undefined) await getGroup(tx, workspaceId, id);
  requireAtLeast(role, "owner");
  await lockWorkspace(tx, workspaceId);
  // It may have been deleted while this transaction waited for the lock.
  if (id !== undefined) await getGroup(tx, workspaceId, id);
  await renewRights(tx, workspaceId);
}

export const groupRoutes: Route[] = [
  read({
    ...reading,
    operation: "list_groups",
    path: "/groups",
    access: { action: "read", subject: "workspace" },
    summary: "The groups of the workspace's members, by id.",
    query: object({ limit: limit(), cursor: cursor() }),
    success: { status: 200, description: "A page of them.", data: Group, list: true, example },
    handler: async ({ app, caller, db, query }) => {
      let members: Members = new Map();
      return pageOf(app.secret, { list: "groups" }, query, {
        fetch: async ([after = ""], size) => {
          const rows = await listGroups(db, caller.workspaceId, String(after), size);
          members = await listGroupMembers(
            db,
            caller.workspaceId,
            rows.map((row) => row.id),
          );
          return rows;
        },
        keyOf: (row) => [row.id],
        represent: (row) => groupOf(row, members),
      });
    },
  }),
  post({
    ...writing,
    operation: "create_group",
    path: "/groups",
    access: { action: "create", subject: "workspace" },
    summary: "Make a group. Owners of the workspace do.",
    body: GroupName,
    bodyExample: { name: "Editors" },
    errors: ["quota_exceeded"],
    success: { status: 201, description: "The new one.", data: Group, example: { ...example, members: [] } },
    handler: async ({ app, caller, tx, body }) => {
      await changing(tx, caller);
      await checkRowQuota(tx, app.config, "member_groups", caller.workspaceId);
      const now = Date.now();
      const row = { workspace_id: caller.workspaceId, id: newId("grp"), name: body.name.trim() };
      await insertGroup(tx, { ...row, created_at: now, updated_at: now });
      return created(await readGroup(tx, caller.workspaceId, row.id));
    },
  }),
  read({
    ...reading,
    operation: "get_group",
    path: "/groups/{id}",
    access: { action: "read", subject: "workspace" },
    summary: "One group with its members.",
    params: GroupParams,
    success: { status: 200, description: "It.", data: Group, example },
    handler: async ({ caller, db, params }) => ok(await readGroup(db, caller.workspaceId, params.id)),
  }),
  patch({
    ...writing,
    operation: "rename_group",
    path: "/groups/{id}",
    access: { action: "write", subject: "workspace" },
    summary: "Rename a group.",
    params: GroupParams,
    body: GroupName,
    bodyExample: { name: "Reviewers" },
    success: { status: 200, description: "It, changed.", data: Group, example },
    handler: async ({ caller, tx, params, body }) => {
      await changing(tx, caller, params.id);
      await renameGroup(tx, caller.workspaceId, params.id, body.name.trim());
      return ok(await readGroup(tx, caller.workspaceId, params.id));
    },
  }),
  remove({
    ...writing,
    operation: "delete_group",
    path: "/groups/{id}",
    access: { action: "write", subject: "workspace" },
    summary: "Delete a group; the roles that it had go with it.",
    params: GroupParams,
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: example.id, deleted: true },
    },
    handler: async ({ caller, tx, params }) => {
      await changing(tx, caller, params.id);
      await deleteGroup(tx, caller.workspaceId, params.id);
      return deleted(params.id);
    },
  }),
  put({
    ...writing,
    operation: "add_group_member",
    path: "/groups/{id}/members/{userId}",
    access: { action: "write", subject: "workspace" },
    summary: "Put a member of the workspace into a group.",
    params: MemberParams,
    success: { status: 200, description: "The group.", data: Group, example },
    handler: async ({ caller, tx, params: { id, userId } }) => {
      await changing(tx, caller, id);
      if (!(await findRole(tx, caller.workspaceId, userId))) throw notFound("member", userId);
      await insertGroupMember(tx, caller.workspaceId, id, userId);
      return ok(await readGroup(tx, caller.workspaceId, id));
    },
  }),
  remove({
    ...writing,
    operation: "remove_group_member",
    path: "/groups/{id}/members/{userId}",
    access: { action: "write", subject: "workspace" },
    summary: "Take a member out of a group.",
    params: MemberParams,
    success: { status: 200, description: "The group.", data: Group, example: { ...example, members: [] } },
    handler: async ({ caller, tx, params: { id, userId } }) => {
      await changing(tx, caller, id);
      await deleteGroupMember(tx, caller.workspaceId, id, userId);
      return ok(await readGroup(tx, caller.workspaceId, id));
    },
  }),
];
