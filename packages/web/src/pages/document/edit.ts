import { assetUrl } from "../../assets.ts";
import { type Html, html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { type DocumentHead, documentTop, hereOf, lookOf } from "./document-top.ts";
import { type ToolButton, toolbar } from "./toolbar.ts";

interface Edit {
  readonly head: DocumentHead;
  readonly userId: string;
  /** The body as it is read: what is shown until the editor is there, and where scripts do not run. */
  readonly content: Html;
  readonly now: number;
}

const buttons: readonly ToolButton[] = [
  ["undo", "Undo", "↶"],
  ["redo", "Redo", "↷"],
  ["bold", "Bold", "B"],
  ["italic", "Italic", "I"],
  ["strike", "Strike through", "S"],
  ["code", "Code", "‹›"],
  ["heading", "Heading", "H"],
  ["bulletList", "Bullet list", "•"],
  ["orderedList", "Numbered list", "≡"],
  ["taskList", "Task list", "☑"],
  ["blockquote", "Quote", "❝"],
  ["codeBlock", "Code block", "{ }"],
  ["table", "Table", "▦"],
  ["settings", "Page settings", "⚙"],
  ["help", "Keys of the editor", "?"],
];

const formatting = (shown: readonly ToolButton[]) => toolbar("Formatting", html`data-editor-part="toolbar"`, shown);
/** The page's settings are no part of a suggestion. */
const suggesting = buttons.filter(([command]) => command !== "settings");

const contextBars = html`<div class="editor-context" role="toolbar" aria-label="Tools for this block" data-editor-part="context" hidden></div>
<div class="editor-context" role="search" aria-label="Find and replace" data-editor-part="find" hidden></div>`;

/** The two ways to write: into the page, or as a suggestion for it. Whoever may do one of them gets no switch. */
const modeSwitch = ({ id, canWrite, maySuggest }: DocumentHead, mode: "edit" | "suggest"): Part =>
  canWrite &&
  maySuggest &&
  html`<nav class="mode-switch" aria-label="Mode">${modes.map(([name, label]) => html`<a href="/documents/${id}/${name}" ${name === mode && html`aria-current="true"`}>${label}</a>`)}</nav>`;

const modes = [
  ["edit", "Edit"],
  ["suggest", "Suggest"],
] as const;

const surface = ({ head, userId, content }: Edit, mode: "edit" | "suggest"): Part =>
  html`<div class="editor${lookOf(head)}" data-live-editor data-mode="${mode}" data-document-id="${head.id}" data-user-id="${userId}" data-title="${head.title}" data-markdown="${assetUrl("islands/markdown.js")}" data-collapsed="${head.collapsed}" data-math="${assetUrl("islands/math.js")}" data-code="${assetUrl("islands/code.js")}"><article class="prose${head.isNumbered && " numbered"}" aria-label="${head.title}">${content}</article></div>`;

export const editPage = (input: Edit): Page => ({
  title: `Edit ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["discussion.css", "editor.css"],
  scripts: ["islands/editor.js"],
  preloads: [`/documents/${input.head.id}/live/state`],
  main: html`${documentTop(input.head, "edit", input.now)}
<div class="editor-bar">
${modeSwitch(input.head, "edit")}${formatting(buttons)}
<div class="editor-presence"><ul class="editor-people" aria-label="Also here" data-editor-part="people"></ul>
<p class="editor-status" role="status" data-editor-part="status">Connecting…</p></div>
${contextBars}
</div>
<p class="banner banner-care" role="alert" data-editor-part="kept" hidden></p>
<p class="visually-hidden" role="status" data-editor-part="news"></p>
<noscript><p class="banner">Editing needs JavaScript; this is the document as it is saved.</p></noscript>
${surface(input, "edit")}`,
});

/** The same editor, where what one writes becomes a suggestion. */
export const suggestEditorPage = (input: Edit): Page => ({
  title: `Suggest a change of ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["discussion.css", "editor.css"],
  scripts: ["islands/editor.js"],
  main: html`${documentTop(input.head, "suggest", input.now)}
<noscript><p class="banner">Writing in the page needs JavaScript. <a href="/documents/${input.head.id}/suggest?as=markdown">Suggest a change as Markdown</a></p></noscript>
<p class="hint">Nothing changes until somebody who may edit the page accepts it. <a href="/documents/${input.head.id}/suggest?as=markdown">Write it as Markdown instead</a></p>
<div class="editor-bar">
${modeSwitch(input.head, "suggest")}${formatting(suggesting)}
<p class="editor-status" role="status" data-editor-part="status">Loading…</p>
${contextBars}
<form class="suggest-bar" data-editor-part="suggest" hidden><label for="suggest-note">Note</label><input id="suggest-note" name="note" maxlength="5000" placeholder="Why, if it needs saying" autocomplete="off"><button class="button button-main button-small" name="send" disabled>Send suggestion</button><button type="button" class="button button-small" data-cancel>Cancel</button></form>
</div>
${surface(input, "suggest")}`,
});
