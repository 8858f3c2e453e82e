import { type Html, html } from "../../../shared/html.ts";
import { type IconName, icon } from "../../../shared/icons.ts";

/** A command of the island, its name, and the icon or the word that stands for it. */
export type ToolButton = readonly [command: string, label: string, sign: { readonly icon: IconName } | string];

/** Hidden until the island handles it; `part` is the attribute by which the island finds it. */
export const toolbar = (label: string, part: Html, buttons: readonly ToolButton[]): Html =>
  html`<div class="editor-tools" role="toolbar" aria-label="${label}" ${part} hidden>${buttons.map(
    ([command, name, sign]) =>
      html`<button type="button" class="tool${command.startsWith("menu-") && " grid-menu"}" data-command="${command}" aria-label="${name}" title="${name}">${typeof sign === "string" ? html`<span aria-hidden="true">${sign}</span>` : icon(sign.icon)}</button>`,
  )}</div>`;
