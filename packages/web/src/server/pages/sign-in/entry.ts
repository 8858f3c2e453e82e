import { html, type Part } from "../../../shared/html.ts";
import type { Page, Role } from "../../../shared/page.ts";
import { field, form, roleName, wrong } from "../../../shared/parts.ts";
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
<p class="lead">There are no accounts yet. Create the first one: it owns the workspace and can invite others.</p>
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
    hint: "Your team or company. You can leave this empty and change it later.",
  }),
  html`<button class="button button-main button-full">Create account</button>`,
])}
</section>`,
});

/** A sign-in provider. */
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
${otherMethods(input)}
</section>`,
});

/** In the address, because a program's request may be longer than a form may be. */
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

const NOBODY = "Password sign-in is off. Ask the administrator of this server how to sign in.";

const otherMethods = (input: SignIn): Part => {
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

/** An invitation opened without being signed in. */
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
<p class="aside">Already have an account? <a href="/sign-in?next=${encodeURIComponent(`/join/${input.token}`)}">Sign in to join</a></p>
</section>`,
});

/** An invitation opened while signed in. */
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
