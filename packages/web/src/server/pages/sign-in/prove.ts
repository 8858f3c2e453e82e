import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { field, form, wrong } from "../../../shared/parts.ts";
import { MAX_PASSWORD } from "./entry.ts";
import { PASSKEY_SCRIPT, type PasskeyOffer, passkeyForm } from "./passkey-form.ts";

/** The methods by which a person can prove who they are. */
export interface Ways {
  readonly hasPassword: boolean;
  readonly hasCode: boolean;
  readonly passkey: PasskeyOffer | undefined;
  readonly providers: readonly { readonly key: string; readonly name: string }[];
}

interface Prove {
  readonly formToken: string;
  /** The target of the form that needs the proof, with its fields. */
  readonly action: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly ways: Ways;
  /** The page to return to after a proof at a provider. */
  readonly back: string;
  /** The page to go to on cancel. */
  readonly away: string;
  readonly wrong?: string | undefined;
}

export const provePage = (input: Prove): Page => ({
  title: "Confirm it’s you",
  shape: "narrow",
  scripts: input.ways.passkey ? [PASSKEY_SCRIPT] : [],
  main: html`<section class="card card-entry">
<h1>Confirm it’s you</h1>
<p class="lead">Confirm your identity to continue. This lasts for ten minutes.</p>
${wrong(input.wrong)}
${waysOf(input)}
<p class="aside"><a href="${input.away}">Cancel</a></p>
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
    : html`<p class="lead">There is no method to confirm it here: sign out, and sign in again.</p>`;
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
    html`<button class="button button-main button-full">Continue</button>`,
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
    html`<button class="button ${input.ways.hasPassword ? "" : "button-main"} button-full">Continue with a code</button>`,
  ]);
