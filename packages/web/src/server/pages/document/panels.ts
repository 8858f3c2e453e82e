import { html, type Part } from "../../../shared/html.ts";

export type PanelName = "contents" | "comments" | "info" | "history";

/** The panels beside a text, one at a time. Without scripts all of them are shown. */
export const panels = (shown: PanelName, parts: Readonly<Record<PanelName, Part>>): Part =>
  html`<aside class="beside" aria-label="About this document" data-panels="${shown}"><button type="button" class="icon-button panel-close with-script" data-close-panel aria-label="Close">×</button>
${Object.entries(parts).map(
  ([name, part]) =>
    html`<div class="panel" id="panel-${name}" data-panel="${name}" ${name !== shown && html`hidden`}>${part}</div>`,
)}</aside>`;
