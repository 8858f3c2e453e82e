import { newWorkspacePage } from "@svc/web/server/pages/workspace/members";
import type { Tx } from "../../../db/database.ts";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import {
  insertMembership,
  insertWorkspace,
  listMemberships,
  updateWorkspaceName,
} from "../../../domain/identity/accounts/queries.ts";
import { updateSessionWorkspace } from "../../../domain/identity/sessions/queries.ts";
import { notFound } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { audit, auditAs, get, goTo, type MemberVisit, type Outcome, post, requireOwner, show } from "../visit.ts";
import { showMembers } from "./members.ts";

async function switchTo(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("workspace") ?? "";
  if (!visit.viewer.workspaces.some((workspace) => workspace.id === id)) throw notFound("workspace", id);
  await visit.app.database.transaction((tx) => updateSessionWorkspace(tx, visit.viewer.sessionId, id));
  return goTo("/");
}

/** Checks the quota under a lock, so concurrent requests wait for each other. */
async function checkOwned(tx: Tx, userId: string, limit: number): Promise<void> {
  await tx.lock("user", userId, userId);
  const owned = (await listMemberships(tx, userId)).filter(({ role }) => role === "owner").length;
  if (owned >= limit) throw new AccountError(`You own ${owned} workspaces; one person may own ${limit}.`);
}

async function makeWorkspace(visit: MemberVisit): Promise<Outcome> {
  const typed = visit.form.get("name") ?? "";
  const name = await catchComplaint(async () => normaliseName(typed));
  const refuse = (wrong: string) => show(newWorkspacePage({ formToken: visit.formToken, name: typed, wrong }), 422);
  if (isComplaint(name)) return refuse(name.complaint);
  const id = newId("ws");
  const { userId, sessionId } = visit.viewer;
  const now = Date.now();
  const { database, config } = visit.app;
  const made = await catchComplaint(() =>
    database.transaction(async (tx) => {
      await checkOwned(tx, userId, config.maxWorkspacesPerUser);
      await insertWorkspace(tx, { id, name, created_at: now });
      await insertMembership(tx, { workspace_id: id, user_id: userId, role: "owner", created_at: now });
      await updateSessionWorkspace(tx, sessionId, id);
      const words = auditWords.workspaceMade(visit.viewer.name, name);
      await auditAs(tx, visit, { workspaceId: id, userId }, "create_workspace", words, 201);
    }),
  );
  if (isComplaint(made)) return refuse(made.complaint);
  return goTo("/", "workspace-made");
}

async function rename(visit: MemberVisit): Promise<Outcome> {
  requireOwner(visit);
  const name = await catchComplaint(async () => normaliseName(visit.form.get("name") ?? ""));
  if (isComplaint(name)) return showMembers(visit, name.complaint);
  await visit.app.database.transaction(async (tx) => {
    await updateWorkspaceName(tx, visit.viewer.workspace.id, name);
    await audit(tx, visit, "rename_workspace", auditWords.workspaceRenamed(visit.viewer.name, name));
  });
  return goTo("/members", "renamed");
}

export const workspacePages = [
  get("/workspaces/new", async ({ formToken }) => show(newWorkspacePage({ formToken }))),
  post("/workspaces", makeWorkspace),
  post("/workspaces/switch", switchTo),
  post("/workspaces/rename", rename),
];
