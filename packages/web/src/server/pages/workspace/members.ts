import { html, type Part } from "../../../shared/html.ts";
import type { Page, Role } from "../../../shared/page.ts";
import { confirm, copyable, field, form, plural, roleName, wrong } from "../../../shared/parts.ts";
import { avatar } from "../../avatar.ts";
import { time } from "../../time.ts";

const roles: readonly { readonly role: Role; readonly meaning: string }[] = [
  { role: "viewer", meaning: "reads" },
  { role: "editor", meaning: "reads and writes" },
  { role: "owner", meaning: "also manages members" },
];

interface Member {
  readonly id: string;
  readonly name: string;
  /** Undefined if the reader may not see it. */
  readonly email: string | undefined;
  readonly role: Role;
  readonly joinedAt: number;
  readonly picture: string | undefined;
  readonly isViewer: boolean;
  readonly isDisabled: boolean;
}

interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly note: string;
  readonly expiresAt: number;
}

interface Members {
  readonly formToken: string;
  readonly workspaceName: string;
  readonly canManage: boolean;
  /** Whether this server sends e-mail. */
  readonly canMail: boolean;
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const membersPage = (input: Members): Page => ({
  title: "Members",
  shape: "settings",
  scripts: ["people.js"],
  main: html`<h1>Members</h1>
${wrong(input.wrong)}
${input.canManage && invite(input)}
<section class="card" aria-labelledby="people"><h2 id="people">${plural(input.members.length, "person", "people")}</h2>
<ul class="rows" data-people="people">${input.members.map((member) => memberRow(member, input))}</ul></section>
${input.canManage && workspaceName(input)}`,
});

const invite = (input: Members): Part => html`<section class="card" aria-labelledby="invite"><h2 id="invite">Invite</h2>
${form(
  "/members/invite",
  input.formToken,
  [
    input.canMail &&
      field({ name: "email", label: "Email", type: "email", maxLength: 320, required: false, autocomplete: "off" }),
    field({ name: "note", label: "Name (only you see this)", maxLength: 100, required: false, autocomplete: "off" }),
    html`<div class="field"><label for="invite-role">Role</label>${roleSelect("invite-role", "editor")}</div>`,
    html`<button class="button button-main">Create invitation</button>`,
  ],
  "add-row",
)}
<p class="hint">Creates a link for one person, valid for 7 days.${input.canMail && " Without an email address you send it yourself."}</p>
${input.invitations.length > 0 && openInvitations(input)}</section>`;

const workspaceName = (
  input: Members,
): Part => html`<section class="card" aria-labelledby="workspace"><h2 id="workspace">Workspace</h2>
${form(
  "/workspaces/rename",
  input.formToken,
  [
    field({ name: "name", label: "Name", value: input.workspaceName, maxLength: 500, autocomplete: "off" }),
    html`<button class="button">Rename</button>`,
  ],
  "add-row",
)}</section>`;

const openInvitations = ({ invitations, formToken, now }: Members): Part => html`<h3>Open invitations</h3>
<ul class="rows">${invitations.map(
  (
    invitation,
  ) => html`<li class="row"><div class="row-main"><p class="row-title"><bdi>${invitation.note || "Invitation"}</bdi> <span class="tag">${roleName(invitation.role)}</span></p>
<p class="row-facts"><span>Expires ${time(invitation.expiresAt, now)}</span></p></div>
${form("/members/withdraw", formToken, html`<button class="button button-small" name="invitation" value="${invitation.id}">Withdraw</button>`)}</li>`,
)}</ul>`;

/** For an invitation with the meaning of each role; beside a member only the names. */
const roleSelect = (id: string, chosen: Role, label?: string): Part =>
  html`<select id="${id}" name="role" ${label && html`aria-label="${label}"`}>${roles.map(
    ({ role, meaning }) =>
      html`<option value="${role}" ${role === chosen && html`selected`}>${roleName(role)}${!label && `: ${meaning}`}</option>`,
  )}</select>`;

const memberRow = (member: Member, input: Members): Part => html`<li class="row">
${avatar(member.name, member.picture)}
<div class="row-main"><p class="row-title"><bdi>${member.name}</bdi> ${member.isViewer && html`<span class="tag tag-good">you</span>`} ${member.isDisabled && html`<span class="tag">disabled</span>`} ${!input.canManage && html`<span class="tag">${roleName(member.role)}</span>`}</p>
<p class="row-facts">${member.email !== undefined && html`<span><bdi>${member.email}</bdi></span>`}<span>Joined ${time(member.joinedAt, input.now)}</span></p></div>
${input.canManage ? memberActions(member, input) : member.isViewer && leave(member, input)}</li>`;

const memberActions = (member: Member, input: Members): Part =>
  html`<div class="row-actions">${form(
    "/members/role",
    input.formToken,
    html`<input type="hidden" name="user" value="${member.id}">${roleSelect(`role-${member.id}`, member.role, `Role of ${member.name}`)}<button class="button button-small">Save</button>`,
    "inline-form",
  )}${member.isViewer ? leave(member, input) : removal(member, input)}</div>`;

const removal = (member: Member, { formToken }: Members): Part =>
  confirm(
    "Remove",
    "They lose access, and their tokens and open invitations here end.",
    form(
      "/members/remove",
      formToken,
      html`<button class="button button-danger" name="user" value="${member.id}">Remove ${member.name}</button>`,
    ),
  );

const leave = (member: Member, { formToken }: Members): Part =>
  confirm(
    "Leave",
    "You lose access, and your tokens here are revoked.",
    form(
      "/members/remove",
      formToken,
      html`<button class="button button-danger" name="user" value="${member.id}">Leave workspace</button>`,
    ),
  );

/** The only page that shows the link. */
interface NewInvitation {
  readonly url: string;
  readonly role: Role;
  readonly note: string;
  /** The address that the link is being mailed to. */
  readonly mailedTo?: string | undefined;
}

const whatToDo = ({ note, mailedTo }: NewInvitation): Part =>
  mailedTo !== undefined
    ? html`The link is on its way to <bdi>${mailedTo}</bdi>. You can also send the link yourself:`
    : html`Send this link to ${note ? html`<bdi>${note}</bdi>` : "the person you invite"}.`;

export const invitationPage = (input: NewInvitation): Page => ({
  title: "Invitation",
  shape: "settings",
  main: html`<h1>Invitation ready</h1>
<section class="card">
<p class="banner banner-care">${whatToDo(input)} It works once, within 7 days, and is not shown again.</p>
${copyable("link", `Link for one ${roleName(input.role).toLowerCase()}`, input.url)}
<p><a class="button button-main" href="/members">Done</a></p>
</section>`,
});

export const newWorkspacePage = (input: {
  readonly formToken: string;
  readonly name?: string;
  readonly wrong?: string;
}): Page => ({
  title: "New workspace",
  shape: "narrow",
  main: html`<section class="card card-entry"><h1>New workspace</h1>
<p class="lead">A workspace has its own knowledge bases, members and tokens.</p>
${wrong(input.wrong)}
${form("/workspaces", input.formToken, [
  field({ name: "name", label: "Name", value: input.name, maxLength: 500, autocomplete: "off", autofocus: true }),
  html`<button class="button button-main button-full">Create workspace</button>`,
])}</section>`,
});
