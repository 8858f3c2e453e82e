import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { assetUrl } from "../../assets.ts";
import { commentsPart, type Discussion } from "../discussion/comments.ts";
import type { DocumentHead } from "./document-head.ts";
import { documentTop, hereOf, lookOf } from "./document-top.ts";
import { historyPart } from "./history-list.ts";
import { contents, type OutlineItem } from "./outline.ts";
import { panels } from "./panels.ts";
import { type ToolButton, toolbar } from "./toolbar.ts";

interface Edit {
  readonly head: DocumentHead;
  readonly userId: string;
  /** The body for readers, shown until the editor has loaded, and when scripts are disabled. */
  readonly content: Html;
  readonly outline: readonly OutlineItem[];
  readonly discussion: Discussion;
  /** Titles of the linked pages by page id; null if the page does not exist. */
  readonly linkTitles: Readonly<Record<string, string | null>>;
  /** Whether remote pictures load without a click. */
  readonly remotePictures: "on" | "off";
  readonly now: number;
}

const buttons: readonly ToolButton[] = [
  ["undo", "Undo", { icon: "undo" }],
  ["redo", "Redo", { icon: "redo" }],
  ["bold", "Bold", { icon: "bold" }],
  ["italic", "Italic", { icon: "italic" }],
  ["strike", "Strikethrough", { icon: "strike" }],
  ["code", "Code", { icon: "code" }],
  ["heading", "Heading", { icon: "heading" }],
  ["bulletList", "Bullet list", { icon: "bullet-list" }],
  ["orderedList", "Numbered list", { icon: "ordered-list" }],
  ["taskList", "Task list", { icon: "task-list" }],
  ["blockquote", "Quote", { icon: "quote" }],
  ["codeBlock", "Code block", { icon: "code-block" }],
  ["table", "Table", { icon: "table" }],
  ["settings", "Page settings", { icon: "settings" }],
  ["help", "Keyboard shortcuts", { icon: "help" }],
];

const formatting = (shown: readonly ToolButton[]) => toolbar("Formatting", html`data-editor-part="toolbar"`, shown);
/** A suggestion cannot change the page's settings. */
const suggesting = buttons.filter(([command]) => command !== "settings");

/** Containers for the editor's tools, empty until the editor has started. */
const editorParts = (shown: readonly ToolButton[], more: Part): Part =>
  html`<div class="editor-bar"><div class="editor-context" role="toolbar" aria-label="Tools for this block" data-editor-part="context" hidden></div>
<div class="editor-context" role="search" aria-label="Find and replace" data-editor-part="find" hidden></div>${more}</div>
<div class="editor-dock">${formatting(shown)}</div>
<p class="banner banner-care" role="alert" data-editor-part="kept" hidden></p>
<p class="visually-hidden" role="status" data-editor-part="news"></p>`;

/** The tool containers around the text of a page that is edited directly. */
export const editingParts = editorParts(buttons, undefined);

/** The other people on the page, and whether everything is saved. */
export const presence = (state: string): Part =>
  html`<div class="editor-presence"><ul class="editor-people" aria-label="Also here" data-editor-part="people"></ul><p class="editor-status" role="status" data-editor-part="status">${state}</p></div>`;

/**
 * The text with the attributes that the editor needs to start. With `click` the editor starts when the person clicks
 * into the text, with `now` at once. Without scripts only the text is shown.
 */
export const surface = (
  { head, userId, content, linkTitles, remotePictures }: Omit<Edit, "discussion" | "outline" | "now">,
  mode: "edit" | "suggest",
  when: "now" | "click",
  attributes: Part = undefined,
): Part =>
  html`<div class="editor${lookOf(head)}" ${when === "now" ? html`data-live-editor` : html`data-editable-text`} data-mode="${mode}" data-editor="${assetUrl("islands/editor.js")}" data-document-id="${head.id}" data-user-id="${userId}" data-remote-pictures="${remotePictures}" data-document-title="${head.title}" data-markdown="${assetUrl("islands/markdown.js")}" data-link-titles="${JSON.stringify(linkTitles)}" data-collapsed="${head.collapsed}" data-math="${assetUrl("islands/math.js")}" data-emoji="${assetUrl("islands/emoji.js")}" data-code="${assetUrl("islands/code.js")}"><article class="prose${head.isNumbered && " numbered"}" aria-label="${head.title}" ${attributes}>${content}</article></div>`;

const suggestBar = html`<form class="suggest-bar" data-editor-part="suggest" hidden><label for="suggest-note">Note</label><input id="suggest-note" name="note" maxlength="5000" placeholder="Why (optional)" autocomplete="off"><button class="button button-main button-small" name="send" disabled>Send suggestion</button><button type="button" class="button button-small" data-cancel-suggestion>Cancel</button></form>`;

/** A page whose editor sends edits as a suggestion. */
export const suggestEditorPage = (input: Edit): Page => ({
  title: `Suggest a change to ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["discussion.css", "editor.css"],
  scripts: ["islands/editor.js", "islands/living-page.js"],
  main: html`${documentTop(input.head, "suggest", input.now, { presence: presence("Loading…"), hasPanels: true })}
${editorParts(suggesting, suggestBar)}
<noscript><p class="banner">Writing in the page needs JavaScript. <a href="/documents/${input.head.id}/suggest?as=markdown">Suggest a change as Markdown</a></p></noscript>
<div class="reading">
${surface(input, "suggest", "now")}
${panels(input.discussion.threads.length > 0 ? "comments" : "info", {
  contents: contents(input.outline),
  comments: commentsPart(input.discussion),
  history: historyPart(input.head),
  info: html`<section><h2>Suggesting</h2><p class="hint">An editor has to accept this before the page changes. <a href="/documents/${input.head.id}/suggest?as=markdown">Write it as Markdown instead</a></p></section>`,
})}
</div>`,
});
