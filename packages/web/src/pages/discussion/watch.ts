import { html, type Part } from "../../html.ts";
import { icon } from "../../icons.ts";
import { form } from "../../parts.ts";

export interface Watch {
  /** Where the form is sent: the page of the thing and `/watch`. */
  readonly action: string;
  readonly isOn: boolean;
  readonly formToken: string;
}

/** Begins and ends watching; works without a script. */
export const watchButton = ({ action, isOn, formToken }: Watch): Part =>
  form(
    action,
    formToken,
    html`<button class="button button-small" name="watching" value="${isOn ? "0" : "1"}" title="${isOn ? "You hear of what happens here." : "Hear of changes, comments and suggestions here."}">${icon("bell")}${isOn ? "Stop watching" : "Watch"}</button>`,
    "watch",
  );
