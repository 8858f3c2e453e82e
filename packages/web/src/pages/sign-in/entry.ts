import { html, type Part } from "../../html.ts";
import type { Page, Role } from "../../page.ts";
import { field, form, roleName, wrong } from "../../parts.ts";
import { PASSKEY_SCRIPT, type PasskeyOffer, passkeyForm } from "./passkey-form.ts";

const PASSWORD_HINT = "At least 8 characters. A few unrelated words make a good one.";
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 1000;

interface EntryForm {
  readonly formToken: string;
  readonly wrong?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

const newAccountFields = (input: EntryForm): Part => [
  field({ name: "name", label: "Your name", value: input.name, autocomplete: "name", maxLength: 500, autofocus: true }),
  field({ name: "email", label: "Email", type: "email", value: input.email, autocomplete: "username", maxLength: 320 }),
  field({
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "new-password",
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    hint: PASSWORD_HINT,
  }),
];

/** The first account of an empty server. */
export const setupPage = (input: EntryForm & { readonly token: string; readonly workspace?: string }): Page => ({
  title: "Set up",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Welcome</h1>
<p class="lead">Nobody has an account here yet. Create the first one: it owns the workspace and can invite others.</p>
${wrong(input.wrong)}
${form(`/setup/${encodeURIComponent(input.token)}`, input.formToken, [
  newAccountFields(input),
  field({
    name: "workspace",
    label: "Workspace",
    value: input.workspace,
    required: false,
    autocomplete: "organization",
    maxLength: 500,
    hint: "Your team or company. It can stay empty, and be changed later.",
  }),
  html`<button class="button button-main button-full">Create account</button>`,
])}
</section>`,
});

/** Where else somebody can prove who they are. */
interface Provider {
  readonly key: string;
  readonly name: string;
}

interface SignIn extends EntryForm {
  readonly next: string;
  readonly reason?: string;
  readonly hasPassword: boolean;
  readonly providers: readonly Provider[];
  readonly passkey: PasskeyOffer | undefined;
}

export const signInPage = (input: SignIn): Page => ({
  title: "Sign in",
  shape: "narrow",
  scripts: input.passkey ? [PASSKEY_SCRIPT] : [],
  main: html`<section class="card card-entry">
<h1>Sign in</h1>
${input.reason && html`<p class="lead">${input.reason}</p>`}
${wrong(input.wrong)}
${input.hasPassword && passwordForm(input)}
${waysIn(input)}
</section>`,
});

/** In the address, because what a program asks for may be longer than a form may be. */
const onTo = (path: string, next: string): string => `${path}?next=${encodeURIComponent(next)}`;

const passwordForm = (input: SignIn): Part =>
  form(onTo("/sign-in", input.next), input.formToken, [
    field({
      name: "email",
      label: "Email",
      type: "email",
      value: input.email,
      autocomplete: "username",
      maxLength: 320,
      autofocus: !input.email,
    }),
    field({
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      maxLength: MAX_PASSWORD,
      autofocus: Boolean(input.email),
    }),
    html`<button class="button button-main button-full">Sign in</button>`,
    html`<p class="aside"><a href="/forgotten">Forgotten your password?</a></p>`,
  ]);

const NOBODY = "Nobody signs in with a password here. Ask whoever runs this server for a way in.";

const waysIn = (input: SignIn): Part => {
  const { hasPassword, providers, passkey, next } = input;
  if (!hasPassword && providers.length === 0 && !passkey) return html`<p class="lead">${NOBODY}</p>`;
  const style = hasPassword ? "button button-full" : "button button-main button-full";
  return html`<div class="ways-in">${hasPassword && providers.length > 0 && html`<p class="or">or</p>`}${providers.map(
    ({ key, name }) => html`<a class="${style}" href="${onTo(`/sign-in/oidc/${key}`, next)}">Sign in with ${name}</a>`,
  )}${passkey && passkeyWay(input, passkey)}</div>`;
};

const passkeyWay = ({ formToken, next }: SignIn, offer: PasskeyOffer): Part =>
  passkeyForm({
    action: onTo("/sign-in/passkey", next),
    formToken,
    offer,
    kind: "use",
    label: "Use a passkey",
  });

interface Invitation {
  readonly workspaceName: string;
  readonly inviter: string;
  readonly role: Role;
}

const invitationLead = ({ workspaceName, inviter, role }: Invitation): Part =>
  html`<p class="lead"><bdi>${inviter}</bdi> invites you to <strong><bdi>${workspaceName}</bdi></strong> as ${roleName(role).toLowerCase()}.</p>`;

/** An invitation opened by somebody who is not signed in. */
export const joinPage = (input: EntryForm & { readonly token: string; readonly invitation: Invitation }): Page => ({
  title: "Join a workspace",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Join ${input.invitation.workspaceName}</h1>
${invitationLead(input.invitation)}
${wrong(input.wrong)}
${form(`/join/${encodeURIComponent(input.token)}`, input.formToken, [
  newAccountFields(input),
  html`<button class="button button-main button-full">Create account and join</button>`,
])}
<p class="aside">You have an account already? <a href="/sign-in?next=${encodeURIComponent(`/join/${input.token}`)}">Sign in to join</a></p>
</section>`,
});

/** The same for somebody who is signed in. */
export const joinAsPage = (input: {
  readonly formToken: string;
  readonly token: string;
  readonly invitation: Invitation;
  readonly name: string;
  readonly email: string;
}): Page => ({
  title: "Join a workspace",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Join ${input.invitation.workspaceName}</h1>
${invitationLead(input.invitation)}
${form(
  `/join/${encodeURIComponent(input.token)}`,
  input.formToken,
  html`<button class="button button-main button-full">Join as ${input.name}</button>`,
)}
<p class="aside">You are signed in as ${input.email}.</p>
</section>`,
});
