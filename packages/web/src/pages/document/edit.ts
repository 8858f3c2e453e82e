import { assetUrl } from "../../assets.ts";
import { type Html, html } from "../../html.ts";
import type { Page } from "../../page.ts";
import { type DocumentHead, documentTop, hereOf } from "./document-top.ts";

interface Edit {
  readonly head: DocumentHead;
  readonly userId: string;
  /** The body as it is read: what is shown until the editor is there, and where scripts do not run. */
  readonly content: Html;
  readonly now: number;
}

const buttons: readonly (readonly [command: string, label: string, text: string])[] = [
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
  ["help", "Keys of the editor", "?"],
];

export const editPage = ({ head, userId, content, now }: Edit): Page => ({
  title: `Edit ${head.title}`,
  shape: "wide",
  here: hereOf(head),
  scripts: ["islands/editor.js"],
  main: html`${documentTop(head, "edit", now)}
<div class="editor-bar">
<div class="editor-tools" role="toolbar" aria-label="Formatting" data-editor-part="toolbar" hidden>${buttons.map(
    ([command, label, text]) =>
      html`<button type="button" class="button button-small" data-command="${command}" aria-label="${label}" title="${label}"><span aria-hidden="true">${text}</span></button>`,
  )}</div>
<ul class="editor-people" aria-label="Also here" data-editor-part="people"></ul>
<p class="editor-status" role="status" data-editor-part="status">Connecting…</p>
<div class="editor-context" role="toolbar" aria-label="Tools for this block" data-editor-part="context" hidden></div>
<div class="editor-context" role="search" aria-label="Find and replace" data-editor-part="find" hidden></div>
</div>
<noscript><p class="banner">Editing needs JavaScript; this is the document as it is saved.</p></noscript>
<div class="editor" data-live-editor data-document-id="${head.id}" data-user-id="${userId}" data-title="${head.title}" data-markdown="${assetUrl("islands/markdown.js")}"><article class="prose" aria-label="${head.title}">${content}</article></div>`,
});
