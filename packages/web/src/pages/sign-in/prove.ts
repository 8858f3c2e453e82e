import { html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { field, form, wrong } from "../../parts.ts";
import { MAX_PASSWORD } from "./entry.ts";
import { PASSKEY_SCRIPT, type PasskeyOffer, passkeyForm } from "./passkey-form.ts";

/** With what a person can prove who they are. */
export interface Ways {
  readonly hasPassword: boolean;
  readonly hasCode: boolean;
  readonly passkey: PasskeyOffer | undefined;
  readonly providers: readonly { readonly key: string; readonly name: string }[];
}

interface Prove {
  readonly formToken: string;
  /** Where the form goes that needs the proof, with its fields. */
  readonly action: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly ways: Ways;
  /** Where somebody is led who proves it elsewhere. */
  readonly back: string;
  /** Where somebody goes who does not want to. */
  readonly away: string;
  readonly wrong?: string | undefined;
}

export const provePage = (input: Prove): Page => ({
  title: "Is it you?",
  shape: "narrow",
  scripts: input.ways.passkey ? [PASSKEY_SCRIPT] : [],
  main: html`<section class="card card-entry">
<h1>Is it you?</h1>
<p class="lead">What you want to do needs a fresh proof. It counts for ten minutes.</p>
${wrong(input.wrong)}
${waysOf(input)}
<p class="aside"><a href="${input.away}">Do not go on</a></p>
</section>`,
});

const hidden = (input: Prove, proof: string): Part => [
  input.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`),
  html`<input type="hidden" name="proof" value="${proof}">`,
];

const waysOf = (input: Prove): Part => {
  const { hasPassword, hasCode, passkey, providers } = input.ways;
  const ways = [
    hasPassword && byPassword(input),
    hasCode && byCode(input),
    passkey &&
      passkeyForm({
        action: input.action,
        formToken: input.formToken,
        offer: passkey,
        kind: "use",
        prefix: "proof_",
        label: "Use a passkey",
        content: hidden(input, "passkey"),
      }),
    ...providers.map(
      ({ key, name }) =>
        html`<a class="button button-full" href="/prove/oidc/${key}?next=${encodeURIComponent(input.back)}">Sign in with ${name} again</a>`,
    ),
  ].filter(Boolean);
  return ways.length > 0
    ? ways
    : html`<p class="lead">You have nothing to prove it with here: sign out, and sign in again.</p>`;
};

const byPassword = (input: Prove): Part =>
  form(input.action, input.formToken, [
    hidden(input, "password"),
    field({
      name: "proof_password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      maxLength: MAX_PASSWORD,
      autofocus: true,
    }),
    html`<button class="button button-main button-full">Go on</button>`,
  ]);

const byCode = (input: Prove): Part =>
  form(input.action, input.formToken, [
    hidden(input, "code"),
    field({
      name: "proof_code",
      label: "Code",
      autocomplete: "one-time-code",
      maxLength: 40,
      hint: "From your authenticator app, or a recovery code.",
      autofocus: !input.ways.hasPassword,
    }),
    html`<button class="button ${input.ways.hasPassword ? "" : "button-main"} button-full">Go on with a code</button>`,
  ]);
