import { html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { confirm, field, form, wrong } from "../../parts.ts";
import { time } from "../../time.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "../sign-in/entry.ts";
import { revokeTokensChoice } from "../sign-in/reset.ts";
import { type EmailState, emailPart } from "./email.ts";

interface Session {
  readonly id: string;
  readonly device: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Where it was used last. */
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
  /** The names of those that it is bound to; null: all that the person sees. */
  readonly bases: readonly string[] | null;
}

interface Account extends EmailState {
  readonly formToken: string;
  readonly name: string;
  /** `none`: they come in another way. `no use`: nobody signs in with one here. */
  readonly password: "set" | "none" | "no use";
  readonly sessions: readonly Session[];
  readonly programs: readonly Program[];
  readonly now: number;
  readonly wrongName?: string | undefined;
  readonly wrongPassword?: string | undefined;
}

export const accountPage = (input: Account): Page => ({
  title: "Account",
  main: html`<h1>Account</h1>
<p class="lead"><a href="/account/security">Sign-in and security</a>: passkeys, codes of an authenticator app, accounts elsewhere.</p>
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
<p class="lead">Browsers in which you are signed in.</p>
<ul class="rows">${input.sessions.map((session) => sessionRow(session, input))}</ul></section>
<section class="card" aria-labelledby="programs"><h2 id="programs">Connected programs</h2>
<p class="lead">Programs that work on your behalf. Each has the name that it gave itself.</p>
${input.programs.length > 0 ? html`<ul class="rows">${input.programs.map((program) => programRow(program, input))}</ul>` : html`<p class="empty">None. <a href="/account/connect">Connect an agent</a>.</p>`}</section>`,
});

const passwordPart = (input: Account): Part =>
  html`<section class="card" aria-labelledby="password-title"><h2 id="password-title">Password</h2>
${wrong(input.wrongPassword)}
${input.password === "set" ? form("/account/password", input.formToken, passwordFields()) : noPassword(input.canMail)}</section>`;

const noPassword = (canMail: boolean): Part =>
  html`<p class="lead">You sign in without one. ${
    canMail
      ? html`<a href="/forgotten">A link that sets one</a> comes by e-mail.`
      : html`Whoever runs this server can make a link that sets one, with <code>svc users reset-password</code>.`
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
<p class="row-facts"><span>In <bdi>${program.workspaceName}</bdi>${program.bases && html`, only <bdi>${program.bases.join(", ") || "knowledge bases that you no longer see"}</bdi>`}</span><span>Connected ${time(program.connectedAt, now)}</span><span>${program.lastUsedAt === null ? "Never used" : html`Used ${time(program.lastUsedAt, now)}`}</span></p></div>
${confirm(
  "Disconnect",
  "It is shut out at once, and has to ask you again.",
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
    "It has to sign in again.",
    form(
      "/account/sessions/end",
      formToken,
      html`<button class="button button-danger" name="session" value="${session.id}">End session</button>`,
    ),
  )
}</li>`;
