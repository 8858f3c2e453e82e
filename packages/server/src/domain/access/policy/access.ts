import { hash } from "node:crypto";
import type { Reader, Tx } from "../../../db/database.ts";
import type { BaseRole } from "../../../db/schema/tables/rights.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { renewRights } from "../../../rights/renew-rights.ts";
import { lockWorkspace } from "../../identity/members/queries.ts";
import { getKnowledgeBase, lockKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { listBaseRoles, listKnownSubjects, replaceBaseRoles } from "./queries.ts";

/** The access list of a knowledge base, as it was set. */
export interface BaseAccess {
  readonly default_role: BaseRole | null;
  readonly members: readonly { readonly user_id: string; readonly role: BaseRole }[];
  readonly groups: readonly { readonly group_id: string; readonly role: BaseRole }[];
}

const GROUP = /^grp_/;

export async function readAccess(db: Reader, workspaceId: string, id: number): Promise<BaseAccess> {
  const { default_role } = await getKnowledgeBase(db, workspaceId, id);
  const rows = await listBaseRoles(db, workspaceId, id);
  return {
    default_role,
    members: rows
      .filter((row) => !GROUP.test(row.subject_id))
      .map(({ subject_id, role }) => ({ user_id: subject_id, role })),
    groups: rows
      .filter((row) => GROUP.test(row.subject_id))
      .map(({ subject_id, role }) => ({ group_id: subject_id, role })),
  };
}

export const accessVersion = (access: BaseAccess): string => `sha256:${hash("sha256", JSON.stringify(access), "hex")}`;

/** Replaces all of it. What is as it was already changes nothing. */
export async function putAccess(
  tx: Tx,
  workspaceId: string,
  id: number,
  wanted: BaseAccess,
  expected: Expected | undefined,
): Promise<BaseAccess> {
  await lockWorkspace(tx, workspaceId);
  await lockKnowledgeBase(tx, workspaceId, id);
  const before = await readAccess(tx, workspaceId, id);
  checkExpected(requireExpected(expected), accessVersion(before));
  await checkSubjects(tx, workspaceId, wanted);
  const rows = rowsOf(workspaceId, id, wanted);
  await replaceBaseRoles(tx, workspaceId, id, wanted.default_role, rows);
  const after = await readAccess(tx, workspaceId, id);
  if (accessVersion(after) !== accessVersion(before)) await renewRights(tx, workspaceId);
  return after;
}

function rowsOf(workspace_id: string, knowledge_base_id: number, { members, groups }: BaseAccess) {
  const rows = [
    ...members.map(({ user_id, role }) => ({ subject_id: user_id, role })),
    ...groups.map(({ group_id, role }) => ({ subject_id: group_id, role })),
  ];
  if (new Set(rows.map((row) => row.subject_id)).size < rows.length)
    throw invalidRequest("body", "names somebody twice");
  return rows.map((row) => ({ workspace_id, knowledge_base_id, ...row }));
}

/** 404 for an id that is not of this workspace, and for a member's id among groups or a group's among members. */
async function checkSubjects(tx: Tx, workspaceId: string, { members, groups }: BaseAccess): Promise<void> {
  const wanted = [
    ...members.map(({ user_id: id }) => ({ id, resource: "member", isRight: !GROUP.test(id) })),
    ...groups.map(({ group_id: id }) => ({ id, resource: "group", isRight: GROUP.test(id) })),
  ];
  const known = await listKnownSubjects(
    tx,
    workspaceId,
    wanted.map(({ id }) => id),
  );
  const missing = wanted.find(({ id, isRight }) => !isRight || !known.has(id));
  if (missing) throw notFound(missing.resource, missing.id);
}
