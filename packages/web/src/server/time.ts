import { type Html, html } from "../shared/html.ts";
import { timeText } from "../shared/time-text.ts";

const moments = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** A readable time with the exact one as a tooltip. */
export const time = (at: number, now: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}" title="${moments.format(at)} UTC">${timeText(at, now)}</time>`;
