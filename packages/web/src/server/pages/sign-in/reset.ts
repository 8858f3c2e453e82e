import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { field, form, wrong } from "../../../shared/parts.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "./entry.ts";

/** Offered wherever a password is reset: somebody who knew the old one may have created tokens with it. */
export const revokeTokensChoice = html`<label class="tick"><input type="checkbox" name="revoke_tokens" value="1"> Also revoke all my tokens, in every workspace</label>`;

const FIRST_PROOF =
  " This address had never been verified, so the account's passkeys, tokens and connected apps end too.";

/** The page of a one-time link: a new password for an existing account. */
export const resetPage = (input: {
  readonly formToken: string;
  readonly token: string;
  readonly email: string;
  /** Whether the address has never been verified. */
  readonly isFirstProof: boolean;
  readonly wrong?: string;
}): Page => ({
  title: "New password",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>New password</h1>
<p class="lead">For <bdi>${input.email}</bdi>. All your sessions end.${input.isFirstProof && FIRST_PROOF}</p>
${wrong(input.wrong)}
${form(`/reset/${encodeURIComponent(input.token)}`, input.formToken, [
  field({
    name: "password",
    label: "New password",
    type: "password",
    autocomplete: "new-password",
    minLength: MIN_PASSWORD,
    maxLength: MAX_PASSWORD,
    hint: `At least ${MIN_PASSWORD} characters.`,
    autofocus: true,
  }),
  !input.isFirstProof && revokeTokensChoice,
  html`<button class="button button-main button-full">Set password and sign in</button>`,
])}
</section>`,
});

/** The same without password sign-in. */
export const signInOncePage = (input: {
  readonly formToken: string;
  readonly token: string;
  readonly email: string;
}): Page => ({
  title: "Sign in once",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Sign in once</h1>
<p class="lead">As <bdi>${input.email}</bdi>. This link works once.</p>
${form(
  `/reset/${encodeURIComponent(input.token)}`,
  input.formToken,
  html`<button class="button button-main button-full">Sign in</button>`,
)}
</section>`,
});
