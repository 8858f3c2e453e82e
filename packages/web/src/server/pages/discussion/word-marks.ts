import { wordDiff } from "@svc/document/word-diff";
import { html, type Part } from "../../../shared/html.ts";

/** A text with what is to be put in and taken out marked by word. */
export const wordMarks = (before: string, after: string): Part =>
  html`<p class="words">${wordDiff(before, after).map(({ kind, text }) =>
    kind === "added" ? html`<ins>${text}</ins>` : kind === "removed" ? html`<del>${text}</del>` : text,
  )}</p>`;
