import { type Html, html, type Part } from "../../html.ts";
import { form } from "../../parts.ts";

export const PASSKEY_SCRIPT = "islands/passkey.js";

/** What the browser needs to use a passkey, or to make one. */
export interface PasskeyOffer {
  /** JSON, as the browser takes it. */
  readonly options: string;
  readonly ticket: string;
}

/** A form that a script sends with what the person's passkey answered; hidden where there is no such script. */
export const passkeyForm = (input: {
  readonly action: string;
  readonly formToken: string;
  readonly offer: PasskeyOffer;
  readonly kind: "use" | "make";
  readonly label: string;
  readonly content?: Part;
  /** Before the names of the fields with the answer. */
  readonly prefix?: "proof_";
  readonly style?: string;
}): Html =>
  html`<div data-passkey="${input.kind}" data-options="${input.offer.options}" hidden>${form(
    input.action,
    input.formToken,
    html`<input type="hidden" name="${input.prefix}passkey" data-answer><input type="hidden" name="${input.prefix}passkey_ticket" value="${input.offer.ticket}">${input.content}<button class="button ${input.style ?? "button-full"}">${input.label}</button><p class="wrong" role="alert" hidden></p>`,
  )}</div>`;
