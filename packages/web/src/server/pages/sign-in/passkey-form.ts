import { type Html, html, type Part } from "../../../shared/html.ts";
import { form } from "../../../shared/parts.ts";

export const PASSKEY_SCRIPT = "islands/passkey.js";

/** The data a browser needs to use or create a passkey. */
export interface PasskeyOffer {
  /** JSON, as the browser takes it. */
  readonly options: string;
  readonly ticket: string;
}

/** A form that a script submits with the passkey's answer; hidden without that script. */
export const passkeyForm = (input: {
  readonly action: string;
  readonly formToken: string;
  readonly offer: PasskeyOffer;
  readonly kind: "use" | "make";
  readonly label: string;
  readonly content?: Part;
  /** The prefix of the answer's field names. */
  readonly prefix?: "proof_";
  readonly style?: string;
}): Html =>
  html`<div data-passkey="${input.kind}" data-options="${input.offer.options}" hidden>${form(
    input.action,
    input.formToken,
    html`<input type="hidden" name="${input.prefix}passkey" data-answer><input type="hidden" name="${input.prefix}passkey_ticket" value="${input.offer.ticket}">${input.content}<button class="button ${input.style ?? "button-full"}">${input.label}</button><p class="wrong" role="alert" hidden></p>`,
  )}</div>`;
