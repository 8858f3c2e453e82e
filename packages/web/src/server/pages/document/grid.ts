import { columnTypes } from "@svc/document/sheet/table-source";
import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf } from "./document-top.ts";
import { type ToolButton, toolbar } from "./toolbar.ts";

interface GridInput {
  readonly head: DocumentHead;
  readonly userId: string;
  /** The sheets for readers, shown until the grid has loaded, and when scripts are disabled. */
  readonly content: Html;
  readonly now: number;
}

const buttons: readonly ToolButton[] = [
  ["undo", "Undo", { icon: "undo" }],
  ["redo", "Redo", { icon: "redo" }],
  ["menu-format", "Format", "Format"],
  ["menu-row", "Row", "Row"],
  ["menu-column", "Column", "Column"],
  ["menu-sort", "Sort", "Sort"],
  ["menu-sheet", "Sheet", "Sheet"],
];

const cells = toolbar("Cells", html`data-grid-part="toolbar"`, buttons);

const typeNames: Readonly<Record<string, string>> = {
  auto: "Any",
  text: "Text",
  number: "Number",
  date: "Date",
  check: "Check box",
  choice: "Choice",
};

const cellBar = html`<div class="grid-bar" data-grid-part="cell" hidden>
<span class="grid-name" data-grid-part="cell-name">A1</span>
<input class="grid-formula" name="formula" aria-label="Text or formula of the cell" placeholder="Text, or a formula such as =SUM(A1:A9)" autocomplete="off" spellcheck="false">
<label>Column <select name="type">${columnTypes.map((type) => html`<option value="${type}">${typeNames[type]}</option>`)}</select></label>
<label hidden>Choices <input name="choices" placeholder="open, done" autocomplete="off"></label>
<label>Filter <input name="filter" placeholder="text, or >5" autocomplete="off"></label>
<span role="status" data-grid-part="filtered"></span>
<label>Find <input name="find" placeholder="text, Enter" autocomplete="off"></label>
<span class="grid-replace" data-grid-part="replace" hidden><label>Replace with <input name="replace" autocomplete="off"></label>
<button class="button button-small" type="button" data-replace="one">Replace</button>
<button class="button button-small" type="button" data-replace="all">Replace all</button></span>
<span role="status" data-grid-part="found"></span>
</div>`;

const importing = html`<label class="button button-small">Import<input class="visually-hidden" type="file" accept=".csv,.tsv,.txt,.xlsx"></label>`;

/** Readers can export files but not import them. */
const files = ({ id, canWrite }: DocumentHead): Part => {
  const url = `/app/api/v1/documents/${id}/spreadsheet?live=true&format=`;
  return html`<div class="grid-files" data-grid-part="files" hidden><a class="button button-small" href="${url}csv" download>CSV</a><a class="button button-small" href="${url}xlsx" download>XLSX</a>${canWrite && importing}</div>`;
};

const presence = html`<div class="editor-presence"><ul class="editor-people" aria-label="Also here" data-grid-part="people"></ul><p class="editor-status" role="status" data-grid-part="status">Connecting…</p></div>`;

/** The editing page of a spreadsheet. */
export const gridPage = (input: GridInput): Page => ({
  title: `Edit ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["editor.css", "grid.css"],
  scripts: ["islands/grid.js"],
  preloads: [`/documents/${input.head.id}/live/state`],
  main: html`${documentTop(input.head, "edit", input.now, { presence })}
<div class="grid-head">
<div class="grid-tools">${cells}${files(input.head)}</div>
</div>
${cellBar}
<noscript><p class="banner">Editing needs JavaScript; this is the spreadsheet as it is saved.</p></noscript>
<div class="grid-frame" data-live-grid data-document-id="${input.head.id}" data-user-id="${input.userId}" data-document-title="${input.head.title}"><article class="prose" aria-label="${input.head.title}">${input.content}</article></div>
<div class="grid-sheets" role="group" aria-label="Sheets" data-grid-part="sheets"></div>`,
});
