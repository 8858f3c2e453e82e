import { html } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { field, form, wrong } from "../../../shared/parts.ts";
import { PASSKEY_SCRIPT, type PasskeyOffer, passkeyForm } from "./passkey-form.ts";

const ticketField = (ticket: string) => html`<input type="hidden" name="ticket" value="${ticket}">`;

/** After the password: the code of an app, one of the codes on paper, or a passkey. */
export const secondStepPage = (input: {
  readonly formToken: string;
  readonly ticket: string;
  readonly passkey: PasskeyOffer | undefined;
  readonly wrong?: string | undefined;
}): Page => ({
  title: "Second step",
  shape: "narrow",
  scripts: input.passkey ? [PASSKEY_SCRIPT] : [],
  main: html`<section class="card card-entry">
<h1>Second step</h1>
<p class="lead">Enter the code from your authenticator app, or one of your recovery codes.</p>
${wrong(input.wrong)}
${form("/sign-in/code", input.formToken, [
  ticketField(input.ticket),
  field({ name: "code", label: "Code", autocomplete: "one-time-code", maxLength: 40, autofocus: true }),
  html`<button class="button button-main button-full">Sign in</button>`,
])}
${
  input.passkey &&
  passkeyForm({
    action: "/sign-in/code",
    formToken: input.formToken,
    offer: input.passkey,
    kind: "use",
    label: "Use a passkey",
    content: ticketField(input.ticket),
  })
}
<p class="aside">Lost both? The administrator of this server can help, with <code>svc users reset-factors</code>.</p>
</section>`,
});
