import { newWorkspacePage } from "@svc/web/pages/workspace/members";
import { notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { auditWords } from "../../resources/accounts/audit-words.ts";
import { normaliseName } from "../../resources/accounts/create-user.ts";
import { insertMembership, insertWorkspace, updateWorkspaceName } from "../../resources/accounts/queries.ts";
import { updateSessionWorkspace } from "../../resources/sessions/queries.ts";
import { isComplaint, orComplaint } from "../account/new-account.ts";
import { audit, auditAs, get, goTo, type MemberVisit, type Outcome, post, requireOwner, show } from "../visit.ts";

async function switchTo(visit: MemberVisit): Promise<Outcome> {
  const id = visit.form.get("workspace") ?? "";
  if (!visit.viewer.workspaces.some((workspace) => workspace.id === id)) throw notFound("workspace", id);
  await visit.app.database.transaction((tx) => updateSessionWorkspace(tx, visit.viewer.sessionId, id));
  return goTo("/");
}

async function makeWorkspace(visit: MemberVisit): Promise<Outcome> {
  const typed = visit.form.get("name") ?? "";
  const name = await orComplaint(async () => normaliseName(typed));
  if (isComplaint(name))
    return show(newWorkspacePage({ formToken: visit.formToken, name: typed, wrong: name.complaint }), 422);
  const id = newId("ws");
  const { userId, sessionId } = visit.viewer;
  const now = Date.now();
  await visit.app.database.transaction(async (tx) => {
    await insertWorkspace(tx, { id, name, created_at: now });
    await insertMembership(tx, { workspace_id: id, user_id: userId, role: "owner", created_at: now });
    await updateSessionWorkspace(tx, sessionId, id);
    const words = auditWords.workspaceMade(visit.viewer.name, name);
    await auditAs(tx, visit, { workspaceId: id, userId }, "create_workspace", words, 201);
  });
  return goTo("/", "workspace-made");
}

async function rename(visit: MemberVisit): Promise<Outcome> {
  requireOwner(visit);
  const name = await orComplaint(async () => normaliseName(visit.form.get("name") ?? ""));
  if (isComplaint(name)) return goTo("/members");
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
