import { html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import { form } from "../../../shared/parts.ts";

export interface Watch {
  /** The form's target: the subject's page and `/watch`. */
  readonly action: string;
  readonly isOn: boolean;
  readonly formToken: string;
}

/** Starts or stops watching; works without a script. */
export const watchButton = ({ action, isOn, formToken }: Watch): Part =>
  form(
    action,
    formToken,
    html`<button class="button button-small" name="watching" value="${isOn ? "0" : "1"}" title="${isOn ? "You are notified of changes here." : "Get notified of changes, comments and suggestions here."}">${icon("bell")}${isOn ? "Stop watching" : "Watch"}</button>`,
    "watch",
  );
