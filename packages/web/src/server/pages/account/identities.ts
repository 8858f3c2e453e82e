import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, form } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

/** An account at a provider that signs the person in. */
export interface ConnectedIdentity {
  readonly issuer: string;
  readonly name: string;
  readonly since: number;
}

interface Elsewhere {
  readonly formToken: string;
  readonly isProven: boolean;
  readonly identities: readonly ConnectedIdentity[];
  readonly providers: readonly { readonly key: string; readonly name: string }[];
  readonly now: number;
}

const SECURITY = "/account/security";

/** Nothing where the server has no provider, and never had one. */
export const identitiesPart = (input: Elsewhere): Part =>
  input.identities.length + input.providers.length > 0 &&
  html`<section class="card" aria-labelledby="identities"><h2 id="identities">Connected accounts</h2>
<p class="lead">Sign in here with an account from elsewhere, for example your company’s.</p>
${input.identities.length > 0 && html`<ul class="rows">${input.identities.map((each) => identityRow(each, input))}</ul>`}
${
  input.isProven &&
  input.providers.map(
    ({ key, name }) => html`<p><a class="button" href="${SECURITY}/connect/${key}">Connect ${name}</a></p>`,
  )
}</section>`;

const identityRow = (
  identity: ConnectedIdentity,
  { formToken, isProven, now }: Elsewhere,
): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${identity.name}</bdi></p><p class="row-facts"><span>Since ${time(identity.since, now)}</span></p></div>
${
  isProven &&
  confirm(
    "Disconnect",
    "You can no longer sign in with it until you connect it again, or sign in there with this account's email address.",
    form(
      `${SECURITY}/disconnect`,
      formToken,
      html`<button class="button button-danger" name="issuer" value="${identity.issuer}">Disconnect</button>`,
    ),
  )
}</li>`;

export const connectIdentityPage = (input: {
  readonly formToken: string;
  readonly ticket: string;
  readonly key: string;
  readonly provider: string;
  /** The person there, as the provider calls them. */
  readonly who: string;
  readonly hasCodes: boolean;
}): Page => ({
  title: `Connect ${input.provider}`,
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Connect ${input.provider}</h1>
<p class="lead">You signed in at ${input.provider} as <bdi>${input.who}</bdi>. Anyone who signs in with that account will be signed in as you.</p>
${input.hasCodes && html`<p class="hint">That sign-in will not ask for a code from your authenticator app.</p>`}
${form(`${SECURITY}/connect/${encodeURIComponent(input.key)}`, input.formToken, [
  html`<input type="hidden" name="ticket" value="${input.ticket}">`,
  html`<button class="button button-main button-full">Connect</button>`,
])}
<p class="aside"><a href="${SECURITY}">Cancel</a></p>
</section>`,
});
