import { deviceCodePage, deviceDonePage, devicePage } from "@svc/web/server/pages/account/device";
import type { Tx } from "../../../db/database.ts";
import type { Access, DeviceCodeRow } from "../../../db/schema/tables/accounts.ts";
import { listWritingWorkspaces } from "../../../domain/access/policy/writing-workspaces.ts";
import { notifySecurityEvent } from "../../../domain/discussion/notifications/notify-security.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { admit, codeSubjects, forgive } from "../../../domain/identity/attempts/slow-down.ts";
import { grantedScopes } from "../../../domain/identity/devices/poll-device.ts";
import { findPendingDevice, updateDecision } from "../../../domain/identity/devices/queries.ts";
import { readUserCode } from "../../../domain/identity/devices/user-code.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { withProof } from "../sign-in/prove.ts";
import { tooManyTries } from "../sign-in/too-many-tries.ts";
import { audit, get, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { holdSession } from "./hold-session.ts";

const UNKNOWN = "No request is waiting for this code. Check the letters; a code works for ten minutes, once.";

/** Shows the code form, or the request for a code. Wrong codes are counted so that nobody can guess them. */
async function showDevice(visit: MemberVisit): Promise<Outcome> {
  const typed = visit.query.get("code");
  if (!typed) return show(deviceCodePage({}));
  const { database, config } = visit.app;
  const { read } = visit.everywhere.database;
  const subjects = codeSubjects(visit.viewer.userId);
  const wait = await admit(database, subjects, Date.now());
  if (wait > 0) return show(deviceCodePage({ typed, wrong: tooManyTries(wait).wrong }), 429);
  const code = readUserCode(typed);
  const pending = code && (await findPendingDevice(database.read, hashSecret(code), Date.now()));
  if (!pending) return show(deviceCodePage({ typed: typed.slice(0, 20), wrong: UNKNOWN }), 404);
  await forgive(database, subjects);
  const { viewer } = visit;
  return show(
    devicePage({
      formToken: visit.formToken,
      code,
      clientName: pending.client_name,
      address: pending.address,
      ...whatIsAsked(pending, (await listWritingWorkspaces(read, viewer.userId)).size > 0),
      expiresAt: pending.expires_at,
      now: Date.now(),
      tokenDays: config.deviceTokenTtlDays,
      person: `${viewer.name} (${viewer.email})`,
      workspace: viewer.workspace,
      workspaces: viewer.workspaces,
    }),
  );
}

/** The scopes that the program gets with either answer, limited to what the person may grant. */
function whatIsAsked(pending: Pick<DeviceCodeRow, "access" | "scopes">, mayWrite: boolean) {
  const access = mayWrite ? pending.access : "read_only";
  return { asksToWrite: access === "read_write", scopes: grantedScopes({ ...pending, access }) };
}

/** Grants at most what the program asked for and what the person may do. */
const grantedAccess = (asked: Access, answer: string | null, mayWrite: boolean): Access =>
  answer === "approve" && asked === "read_write" && mayWrite ? "read_write" : "read_only";

async function answerDevice(visit: MemberVisit): Promise<Outcome> {
  const { form, viewer, app } = visit;
  const code = readUserCode(form.get("code") ?? "");
  const answer = form.get("answer");
  const workspace = viewer.workspaces.find(({ id }) => id === form.get("workspace")) ?? viewer.workspace;
  const approved = answer === "approve" || answer === "approve_read_only";
  const now = Date.now();
  const subjects = codeSubjects(viewer.userId);
  const wait = await admit(app.database, subjects, now);
  if (wait > 0) return show(deviceCodePage({ wrong: tooManyTries(wait).wrong }), 429);
  if (!code || !(approved || answer === "deny")) return show(deviceCodePage({ wrong: UNKNOWN }), 404);
  const decided = await app.database.transaction(async (tx) => {
    await holdSession(tx, visit);
    const pending = await findPendingDevice(tx, hashSecret(code), now);
    if (!pending) return undefined;
    const mayWrite = (await listWritingWorkspaces(tx, viewer.userId)).has(workspace.id);
    const access = grantedAccess(pending.access, answer, mayWrite);
    const decision = { access, user_id: viewer.userId, workspace_id: workspace.id };
    const row = await updateDecision(
      tx,
      hashSecret(code),
      { ...decision, status: approved ? "approved" : "denied" },
      now,
    );
    if (row) await auditAnswer(tx, { ...visit, viewer: { ...viewer, workspace } }, row.client_name, approved && access);
    return row;
  });
  if (!decided) return show(deviceCodePage({ typed: code, wrong: UNKNOWN }), 404);
  await forgive(app.database, subjects);
  return show(deviceDonePage({ clientName: decided.client_name, approved }));
}

async function auditAnswer(tx: Tx, visit: MemberVisit, program: string, access: Access | false): Promise<void> {
  const { name, userId, workspace } = visit.viewer;
  const words = auditWords.deviceAnswered(name, program, access || undefined);
  await audit(tx, visit, access ? "approve_device" : "deny_device", words);
  if (access) await notifySecurityEvent(visit.app, tx, { workspaceId: workspace.id, userId, words });
}

/** An approval creates a token, so it needs a fresh proof; a refusal does not. */
const answer = post("/device", answerDevice);
const approve = withProof(answer);

export const devicePages = [
  get("/device", showDevice),
  post("/device", (visit) => (visit.form.get("answer") === "deny" ? answer : approve).handler(visit)),
];
