import { assetUrl } from "../../assets.ts";
import { type Html, html, type Part } from "../../html.ts";
import type { Page } from "../../page.ts";
import { commentsPart, type Discussion } from "../discussion/comments.ts";
import { type DocumentHead, documentTitle, hereOf, lookOf, tabs } from "./document-top.ts";
import { editorContents, type OutlineItem } from "./outline.ts";
import { type ToolButton, toolbar } from "./toolbar.ts";

interface Edit {
  readonly head: DocumentHead;
  readonly userId: string;
  /** The body as it is read: what is shown until the editor is there, and where scripts do not run. */
  readonly content: Html;
  readonly outline: readonly OutlineItem[];
  readonly discussion: Discussion;
  readonly now: number;
}

const buttons: readonly ToolButton[] = [
  ["undo", "Undo", { icon: "undo" }],
  ["redo", "Redo", { icon: "redo" }],
  ["bold", "Bold", { icon: "bold" }],
  ["italic", "Italic", { icon: "italic" }],
  ["strike", "Strike through", { icon: "strike" }],
  ["code", "Code", { icon: "code" }],
  ["heading", "Heading", { icon: "heading" }],
  ["bulletList", "Bullet list", { icon: "bullet-list" }],
  ["orderedList", "Numbered list", { icon: "ordered-list" }],
  ["taskList", "Task list", { icon: "task-list" }],
  ["blockquote", "Quote", { icon: "quote" }],
  ["codeBlock", "Code block", { icon: "code-block" }],
  ["table", "Table", { icon: "table" }],
  ["settings", "Page settings", { icon: "settings" }],
  ["help", "Keys of the editor", { icon: "help" }],
];

const formatting = (shown: readonly ToolButton[]) => toolbar("Formatting", html`data-editor-part="toolbar"`, shown);
/** The page's settings are no part of a suggestion. */
const suggesting = buttons.filter(([command]) => command !== "settings");

const contextBars = html`<div class="editor-context" role="toolbar" aria-label="Tools for this block" data-editor-part="context" hidden></div>
<div class="editor-context" role="search" aria-label="Find and replace" data-editor-part="find" hidden></div>`;

/** What stands beside the text stays there while one writes. */
const beside = ({ outline, discussion }: Edit): Part =>
  html`<aside class="beside" aria-label="About this document">
${editorContents(outline)}
${commentsPart(discussion)}
</aside>`;

const surface = ({ head, userId, content }: Edit, mode: "edit" | "suggest"): Part =>
  html`<div class="editor${lookOf(head)}" data-live-editor data-mode="${mode}" data-document-id="${head.id}" data-user-id="${userId}" data-title="${head.title}" data-markdown="${assetUrl("islands/markdown.js")}" data-collapsed="${head.collapsed}" data-math="${assetUrl("islands/math.js")}" data-code="${assetUrl("islands/code.js")}"><article class="prose${head.isNumbered && " numbered"}" aria-label="${head.title}">${content}</article></div>`;

export const editPage = (input: Edit): Page => ({
  title: `Edit ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["discussion.css", "editor.css"],
  scripts: ["outline.js", "islands/editor.js", "islands/discussion.js"],
  preloads: [`/documents/${input.head.id}/live/state`],
  main: html`${documentTitle(input.head, "edit", input.now)}
<div class="editor-bar">
<div class="editor-line">${tabs(input.head, "edit")}<div class="editor-dock">${formatting(buttons)}
<div class="editor-presence"><ul class="editor-people" aria-label="Also here" data-editor-part="people"></ul>
<p class="editor-status" role="status" data-editor-part="status">Connecting…</p></div></div></div>
${contextBars}
</div>
<p class="banner banner-care" role="alert" data-editor-part="kept" hidden></p>
<p class="visually-hidden" role="status" data-editor-part="news"></p>
<noscript><p class="banner">Editing needs JavaScript; this is the document as it is saved.</p></noscript>
<div class="reading">
${surface(input, "edit")}
${beside(input)}
</div>`,
});

/** The same editor, where what one writes becomes a suggestion. */
export const suggestEditorPage = (input: Edit): Page => ({
  title: `Suggest a change of ${input.head.title}`,
  shape: "wide",
  here: hereOf(input.head),
  styles: ["discussion.css", "editor.css"],
  scripts: ["outline.js", "islands/editor.js", "islands/discussion.js"],
  main: html`${documentTitle(input.head, "suggest", input.now)}
<noscript><p class="banner">Writing in the page needs JavaScript. <a href="/documents/${input.head.id}/suggest?as=markdown">Suggest a change as Markdown</a></p></noscript>
<div class="editor-bar">
<div class="editor-line">${tabs(input.head, "suggest")}<div class="editor-dock">${formatting(suggesting)}
<div class="editor-presence"><p class="editor-status" role="status" data-editor-part="status">Loading…</p></div></div></div>
${contextBars}
<form class="suggest-bar" data-editor-part="suggest" hidden><label for="suggest-note">Note</label><input id="suggest-note" name="note" maxlength="5000" placeholder="Why, if it needs saying" autocomplete="off"><button class="button button-main button-small" name="send" disabled>Send suggestion</button><button type="button" class="button button-small" data-cancel>Cancel</button></form>
</div>
<p class="hint">Nothing changes until somebody who may edit the page accepts it. <a href="/documents/${input.head.id}/suggest?as=markdown">Write it as Markdown instead</a></p>
<div class="reading">
${surface(input, "suggest")}
${beside(input)}
</div>`,
});
