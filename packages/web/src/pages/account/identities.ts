import { html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { confirm, form } from "../../parts.ts";
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
  html`<section class="card" aria-labelledby="identities"><h2 id="identities">Accounts elsewhere</h2>
<p class="lead">An account that you have elsewhere, at your company for example, signs you in here.</p>
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
    "It no longer signs you in here, until you connect it again or sign in there with this account's e-mail address.",
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
<p class="lead">You signed in at ${input.provider} as <bdi>${input.who}</bdi>. Whoever signs in with that account is you here from now on.</p>
${input.hasCodes && html`<p class="hint">No code of your authenticator app is asked for then.</p>`}
${form(`${SECURITY}/connect/${encodeURIComponent(input.key)}`, input.formToken, [
  html`<input type="hidden" name="ticket" value="${input.ticket}">`,
  html`<button class="button button-main button-full">Connect</button>`,
])}
<p class="aside"><a href="${SECURITY}">Do not connect</a></p>
</section>`,
});
