import { invitationPage, membersPage } from "@svc/web/server/pages/workspace/members";
import type { Role } from "../../../db/schema/tables/accounts.ts";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { auditWords } from "../../../domain/identity/accounts/audit-words.ts";
import { normaliseEmail } from "../../../domain/identity/accounts/email.ts";
import { invite } from "../../../domain/identity/invitations/invite.ts";
import { mailInvitation } from "../../../domain/identity/invitations/mail-invitation.ts";
import { deleteInvitation, listInvitations } from "../../../domain/identity/invitations/queries.ts";
import { changeRole, removeMember } from "../../../domain/identity/members/change-members.ts";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { readPictures } from "../people-pictures.ts";
import { catchComplaint, isComplaint } from "../sign-in/new-account.ts";
import { withProof } from "../sign-in/prove.ts";
import {
  audit,
  get,
  goTo,
  type MemberVisit,
  type Outcome,
  type PageRoute,
  post,
  requireOwner,
  show,
} from "../visit.ts";

export async function showMembers(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const { viewer, app, formToken } = visit;
  const { workspace } = viewer;
  const now = Date.now();
  const canManage = workspace.role === "owner";
  const [pictureOf, members, invitations] = await Promise.all([
    readPictures(visit),
    listMembers(app.database.read, workspace.id),
    canManage ? listInvitations(app.database.read, workspace.id, now) : [],
  ]);
  return show(
    membersPage({
      formToken,
      workspaceName: workspace.name,
      canManage,
      canMail: app.mailer !== undefined,
      members: members.map(({ id, name, email, role, created_at, disabled_at }) => ({
        id,
        name,
        // Only people who manage members see email addresses.
        email: canManage || id === viewer.userId ? email : undefined,
        role,
        isDisabled: disabled_at !== null,
        joinedAt: created_at,
        picture: pictureOf(id),
        isViewer: id === viewer.userId,
      })),
      invitations: invitations.map(({ id, role, note, expires_at }) => ({ id, role, note, expiresAt: expires_at })),
      now,
      wrong,
    }),
    wrong ? 422 : 200,
  );
}

function readRole(form: URLSearchParams): Role {
  const role = form.get("role");
  if (role !== "owner" && role !== "editor" && role !== "viewer") throw new AccountError("Choose a role.");
  return role;
}

/** The address to mail the invitation to, if this server sends email and one is given. */
function readAddress(form: URLSearchParams, canMail: boolean): string | undefined {
  const email = (form.get("email") ?? "").trim();
  return canMail && email !== "" ? normaliseEmail(email) : undefined;
}

async function makeInvitation(visit: MemberVisit): Promise<Outcome> {
  requireOwner(visit);
  const role = await catchComplaint(async () => readRole(visit.form));
  if (isComplaint(role)) return showMembers(visit, role.complaint);
  const { app, form, viewer } = visit;
  const { workspace, userId, name } = viewer;
  const made = await catchComplaint(() =>
    app.database.transaction(async (tx) => {
      const to = readAddress(form, app.mailer !== undefined);
      const note = (form.get("note") ?? "").trim().slice(0, 100) || (to ?? "").slice(0, 100);
      await audit(tx, visit, "invite_member", auditWords.invited(name, role, note), 201);
      const secret = await invite(tx, { workspaceId: workspace.id, createdBy: userId, role, note });
      if (to !== undefined) await mailInvitation(app, tx, { to, secret, workspace, inviter: { userId, name } });
      return { secret, note, to };
    }),
  );
  if (isComplaint(made)) return showMembers(visit, made.complaint);
  const { secret, note, to } = made;
  return show(invitationPage({ url: `${visit.baseUrl}/join/${secret}`, role, note, mailedTo: to }), 201);
}

async function setRole(visit: MemberVisit): Promise<Outcome> {
  requireOwner(visit);
  const refused = await catchComplaint(async () => {
    const role = readRole(visit.form);
    await visit.app.database.transaction(async (tx) => {
      const member = await changeRole(tx, visit.viewer.workspace.id, visit.form.get("user") ?? "", role);
      if (member.role === role) return;
      await audit(tx, visit, "change_role", auditWords.roleChanged(visit.viewer.name, member.name, role));
    });
  });
  return isComplaint(refused) ? showMembers(visit, refused.complaint) : goTo("/members", "role");
}

/** Owners can remove anybody; everybody can remove themselves. */
async function endMembership(visit: MemberVisit): Promise<Outcome> {
  const userId = visit.form.get("user") ?? "";
  const isSelf = userId === visit.viewer.userId;
  if (!isSelf) requireOwner(visit);
  const refused = await catchComplaint(() =>
    visit.app.database.transaction(async (tx) => {
      const { name } = await removeMember(tx, visit.viewer.workspace.id, userId, Date.now());
      if (isSelf) await audit(tx, visit, "leave_workspace", auditWords.left(name));
      else await audit(tx, visit, "remove_member", auditWords.removed(visit.viewer.name, name));
    }),
  );
  if (isComplaint(refused)) return showMembers(visit, refused.complaint);
  return isSelf ? goTo("/", "left") : goTo("/members", "removed");
}

/** An owner can do everything, so making somebody an owner needs a proof of identity. */
function withProofForOwners(route: PageRoute): PageRoute {
  const proven = withProof(route);
  return { ...route, handler: (visit) => (visit.form.get("role") === "owner" ? proven : route).handler(visit) };
}

export const memberPages = [
  get("/members", (visit) => showMembers(visit)),
  withProofForOwners(post("/members/invite", makeInvitation)),
  withProofForOwners(post("/members/role", setRole)),
  post("/members/remove", endMembership),
  post("/members/withdraw", async (visit) => {
    requireOwner(visit);
    const id = visit.form.get("invitation") ?? "";
    const { name, workspace } = visit.viewer;
    await visit.app.database.transaction(async (tx) => {
      const gone = await deleteInvitation(tx, workspace.id, id);
      if (!gone) return;
      await audit(tx, visit, "withdraw_invitation", auditWords.invitationWithdrawn(name, gone.role, gone.note));
    });
    return goTo("/members", "withdrawn");
  }),
];
