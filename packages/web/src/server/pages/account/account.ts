import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, field, form, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "../sign-in/entry.ts";
import { revokeTokensChoice } from "../sign-in/reset.ts";
import { type EmailState, emailPart } from "./email.ts";

interface Session {
  readonly id: string;
  readonly device: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** The address of its last use. */
  readonly address: string | null;
  readonly isThis: boolean;
}

/** A program that was connected in the browser. */
interface Program {
  readonly id: string;
  readonly name: string;
  readonly access: "read_only" | "suggest" | "read_write";
  readonly workspaceName: string;
  readonly connectedAt: number;
  readonly lastUsedAt: number | null;
  /** The names of the knowledge bases that it is limited to; null if it reaches all that the person can see. */
  readonly bases: readonly string[] | null;
}

interface Account extends EmailState {
  readonly formToken: string;
  readonly name: string;
  /** `none`: the person signs in another way. `no use`: password sign-in is off. */
  readonly password: "set" | "none" | "no use";
  readonly sessions: readonly Session[];
  readonly programs: readonly Program[];
  readonly now: number;
  readonly wrongName?: string | undefined;
  readonly wrongPassword?: string | undefined;
}

export const accountPage = (input: Account): Page => ({
  title: "Account",
  shape: "settings",
  main: html`<h1>Account</h1>
<p class="lead"><a href="/account/security">Sign-in and security</a>: passkeys, authenticator app, connected accounts.</p>
<div class="columns">
<section class="card" aria-labelledby="profile"><h2 id="profile">Profile</h2>
${wrong(input.wrongName)}
${form("/account/name", input.formToken, [
  field({ name: "name", label: "Name", value: input.name, autocomplete: "name", maxLength: 500 }),
  html`<button class="button">Save name</button>`,
])}
${emailPart(input)}</section>
${input.password !== "no use" && passwordPart(input)}
</div>
<section class="card" aria-labelledby="sessions"><div class="card-head"><h2 id="sessions">Sessions</h2>
${input.sessions.length > 1 && form("/account/sessions/end-others", input.formToken, html`<button class="button button-small">End all others</button>`)}</div>
<p class="lead">Browsers where you are signed in.</p>
<ul class="rows">${input.sessions.map((session) => sessionRow(session, input))}</ul></section>
<section class="card" aria-labelledby="programs"><h2 id="programs">Connected apps</h2>
<p class="lead">Apps that act on your behalf, under the names they gave themselves.</p>
${input.programs.length > 0 ? html`<ul class="rows">${input.programs.map((program) => programRow(program, input))}</ul>` : html`<p class="empty">None. <a href="/account/connect">Connect an agent</a>.</p>`}</section>`,
});

const passwordPart = (input: Account): Part =>
  html`<section class="card" aria-labelledby="password-title"><h2 id="password-title">Password</h2>
${wrong(input.wrongPassword)}
${input.password === "set" ? form("/account/password", input.formToken, passwordFields()) : noPassword(input.canMail)}</section>`;

const noPassword = (canMail: boolean): Part =>
  html`<p class="lead">You sign in without one. ${
    canMail
      ? html`You can <a href="/forgotten">set one by email</a>.`
      : html`The administrator of this server can create a link to set one, with <code>svc users reset-password</code>.`
  }</p>`;

const passwordFields = (): Part => [
  field({
    name: "current",
    label: "Current password",
    type: "password",
    autocomplete: "current-password",
    maxLength: MAX_PASSWORD,
  }),
  field({
    name: "password",
    label: "New password",
    type: "password",
    autocomplete: "new-password",
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    hint: `At least ${MIN_PASSWORD} characters. Your other sessions end.`,
  }),
  revokeTokensChoice,
  html`<button class="button">Change password</button>`,
];

const accessNames = { read_only: "read-only", suggest: "suggests", read_write: "read-write" };

const programRow = (program: Program, { formToken, now }: Account): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${program.name}</bdi> <span class="tag">${accessNames[program.access]}</span></p>
<p class="row-facts"><span>In <bdi>${program.workspaceName}</bdi>${program.bases && html`, only <bdi>${program.bases.join(", ") || "knowledge bases that you can no longer see"}</bdi>`}</span><span>Connected ${time(program.connectedAt, now)}</span><span>${program.lastUsedAt === null ? "Never used" : html`Used ${time(program.lastUsedAt, now)}`}</span></p></div>
${confirm(
  "Disconnect",
  "It loses access at once and has to ask you again.",
  form(
    "/account/programs/disconnect",
    formToken,
    html`<button class="button button-danger" name="program" value="${program.id}">Disconnect</button>`,
  ),
)}</li>`;

const sessionRow = (session: Session, { formToken, now }: Account): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${session.device}</bdi> ${session.isThis && html`<span class="tag tag-good">this one</span>`}</p>
<p class="row-facts"><span>Signed in ${time(session.createdAt, now)}</span><span>Seen ${time(session.lastSeenAt, now)}${session.address !== null && html` from <bdi>${session.address}</bdi>`}</span></p></div>
${
  !session.isThis &&
  confirm(
    "End",
    "It will have to sign in again.",
    form(
      "/account/sessions/end",
      formToken,
      html`<button class="button button-danger" name="session" value="${session.id}">End session</button>`,
    ),
  )
}</li>`;
