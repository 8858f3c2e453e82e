import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form } from "../../../shared/parts.ts";

/** The page after a sign-in at a provider whose address matches an account with an unverified address. */
export const takeOverPage = (input: {
  readonly formToken: string;
  readonly ticket: string;
  readonly key: string;
  readonly provider: string;
  readonly email: string;
  readonly next: string;
  /** Whether this server sends e-mail. */
  readonly canMail: boolean;
}): Page => ({
  title: "Is this account yours?",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Is this account yours?</h1>
<p class="lead">There is an account with the address <bdi>${input.email}</bdi>, but the address was never verified. Someone else may have typed it in.</p>
<p>If you made it, sign in as before and ${
    input.canMail
      ? "have your address verified on the account page"
      : "ask the administrator of this server to verify your address"
  }. Then you can sign in with ${input.provider}, and you keep everything.</p>
<p><a class="button button-main button-full" href="/sign-in?next=${encodeURIComponent(input.next)}">Sign in as before</a></p>
${form(`/sign-in/oidc/${encodeURIComponent(input.key)}/take-over`, input.formToken, [
  html`<input type="hidden" name="ticket" value="${input.ticket}"><input type="hidden" name="next" value="${input.next}">`,
  html`<p class="hint">Or take it over: its password, passkeys, codes, sessions, tokens and connected apps end. Workspaces and their content stay.</p>`,
  html`<button class="button button-full">Take over and sign in</button>`,
])}
</section>`,
});
