import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { form, plural, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import type { DocumentHead } from "../document/document-head.ts";
import { documentTop, hereOf } from "../document/document-top.ts";
import { wordMarks } from "./word-marks.ts";

interface Side {
  readonly text: string;
  readonly content: Html;
}

export interface ShownChange {
  readonly id: string;
  readonly type: "added" | "removed" | "modified" | "moved";
  readonly before: Side | undefined;
  readonly after: Side | undefined;
  readonly isConflict: boolean;
  /** The proposed text as Markdown, to be worded again; undefined for a removal. */
  readonly markdown: string | undefined;
}

export interface ShownSuggestion {
  readonly id: string;
  readonly version: string;
  readonly authorName: string;
  readonly isAgent: boolean;
  readonly isMine: boolean;
  readonly note: string;
  readonly createdAt: number;
  readonly isStale: boolean;
  readonly changes: readonly ShownChange[];
}

/** A piece of the page: a block as it is, or a change in its place. */
export type Piece =
  | { readonly block: Html; readonly id: string }
  | { readonly suggestion: ShownSuggestion; readonly change: ShownChange };

interface Suggestions {
  readonly head: DocumentHead;
  readonly formToken: string;
  readonly suggestions: readonly ShownSuggestion[];
  readonly pieces: readonly Piece[];
  readonly canDecide: boolean;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const kinds = { added: "New", removed: "To be removed", modified: "Changed", moved: "Moved here" };

/** The text with everything that is suggested for it marked in place, to be accepted or rejected. */
export const suggestionsPage = (input: Suggestions): Page => ({
  title: `Suggestions for ${input.head.title}`,
  here: hereOf(input.head),
  shape: "wide",
  styles: ["discussion.css"],
  scripts: ["document.js", "islands/review.js"],
  main: html`${documentTop(input.head, "suggestions", input.now)}
${wrong(input.wrong)}
${
  input.suggestions.length === 0
    ? html`<section class="card"><p class="empty">No suggestions.</p></section>`
    : html`<div class="reading"><article class="prose" aria-label="${input.head.title}">${input.pieces.map((piece) => pieceOf(piece, input))}</article>
<aside class="beside" aria-label="Suggestions">${input.suggestions.map((suggestion) => summary(suggestion, input))}</aside></div>`
}`,
});

const pieceOf = (piece: Piece, input: Suggestions): Part =>
  "block" in piece
    ? html`<div class="block" id="${piece.id}">${piece.block}</div>`
    : changeBox(piece.suggestion, piece.change, input);

const changeBox = (suggestion: ShownSuggestion, change: ShownChange, input: Suggestions): Part => {
  const label = `${kinds[change.type]}, suggested by ${suggestion.authorName}`;
  return html`<div class="suggested suggested-${change.type}" id="${suggestion.id}-${change.id}" role="group" aria-label="${label}" tabindex="-1" data-review-item>
<p class="suggested-head">${input.canDecide && !change.isConflict && html`<input type="checkbox" name="change" value="${change.id}" form="decide-${suggestion.id}" aria-label="Select this change">`}<span>${kinds[change.type]}</span><bdi>${suggestion.authorName}</bdi>${change.isConflict && html`<span class="tag">The page changed since this was suggested</span>`}</p>
${changed(change)}
${input.canDecide && decisionForm(suggestion, change, { documentId: input.head.id, formToken: input.formToken })}</div>`;
};

export function changed({ type, before, after }: ShownChange): Part {
  if (before && after && type === "modified" && before.text !== after.text) return wordMarks(before.text, after.text);
  if (before && after && type === "modified")
    return [html`<div class="was">${before.content}</div>`, html`<div class="is">${after.content}</div>`];
  if (type === "removed") return html`<div class="was"><del>${before?.content}</del></div>`;
  return html`<div class="is"><ins>${after?.content}</ins></div>`;
}

const action = (suggestion: ShownSuggestion, { head }: Suggestions): string =>
  `/documents/${head.id}/suggestions/${suggestion.id}`;

export interface DecisionForm {
  readonly documentId: string;
  readonly formToken: string;
  /** The page to return to; by default the list of suggestions. */
  readonly from?: string;
}

/** Accepts or rejects one change, also in the person's own words. */
export const decisionForm = (
  suggestion: ShownSuggestion,
  change: ShownChange,
  { documentId, formToken, from }: DecisionForm,
): Part =>
  form(
    `/documents/${documentId}/suggestions/${suggestion.id}`,
    formToken,
    html`${from && html`<input type="hidden" name="from" value="${from}">`}<input type="hidden" name="version" value="${suggestion.version}"><input type="hidden" name="change" value="${change.id}"><div class="row-actions">${!change.isConflict && html`<button class="button button-small" name="answer" value="accept" data-key-a>Accept</button>`}<button class="button button-small" name="answer" value="reject" data-key-r>Reject</button></div>${change.markdown !== undefined && wording(suggestion, change, change.markdown)}`,
  );

/** A person's own words instead of the proposed ones: the only way to accept what the text has moved away from. */
const wording = (suggestion: ShownSuggestion, change: ShownChange, markdown: string): Part => {
  const id = `wording-${suggestion.id}-${change.id}`;
  return html`<details><summary class="link-button">Edit and accept</summary><div class="field"><label for="${id}">Your wording, as Markdown</label><textarea id="${id}" name="wording" rows="4">${"\n"}${markdown}</textarea></div><button class="button button-small" name="answer" value="accept-worded">Accept this wording</button></details>`;
};

/** Beside the text: who suggests what, and the ways to decide several changes at once. */
const summary = (
  suggestion: ShownSuggestion,
  input: Suggestions,
): Part => html`<section id="${suggestion.id}"><h2><bdi>${suggestion.authorName}</bdi>${suggestion.isAgent && html` <span class="tag">agent</span>`}</h2>
<p class="row-facts"><span>${plural(suggestion.changes.length, "change")}</span><span>${time(suggestion.createdAt, input.now)}</span></p>
${suggestion.note && html`<p class="excerpt"><bdi>${suggestion.note}</bdi></p>`}
${suggestion.isStale && html`<p class="hint">The page has changed too much since this was suggested: none of its changes can be applied.</p>`}
${input.canDecide && deciding(suggestion, input)}
${suggestion.isMine && form(`${action(suggestion, input)}/withdraw`, input.formToken, html`<button class="button button-small">Withdraw</button>`)}</section>`;

const deciding = (suggestion: ShownSuggestion, input: Suggestions): Part =>
  html`<form method="post" action="${action(suggestion, input)}" id="decide-${suggestion.id}"><input type="hidden" name="form_token" value="${input.formToken}"><input type="hidden" name="version" value="${suggestion.version}">
<div class="row-actions"><button class="button button-small button-main" name="answer" value="accept-all">Accept all</button><button class="button button-small" name="answer" value="reject-all">Reject all</button></div>
${suggestion.changes.length > 1 && html`<div class="row-actions"><button class="button button-small" name="answer" value="accept">Accept selected</button><button class="button button-small" name="answer" value="reject">Reject selected</button></div>`}
<div class="field"><label for="reason-${suggestion.id}">Reason (optional)</label><input id="reason-${suggestion.id}" name="reason" maxlength="5000"></div></form>`;

/** A suggestion without the editor: the text as Markdown, in a form that works everywhere. */
export const suggestPage = (input: {
  readonly head: DocumentHead;
  readonly formToken: string;
  readonly version: string;
  readonly text: string;
  readonly note: string;
  readonly now: number;
  readonly wrong?: string | undefined;
}): Page => ({
  title: `Suggest a change to ${input.head.title}`,
  here: hereOf(input.head),
  shape: "wide",
  styles: ["discussion.css"],
  main: html`${documentTop(input.head, "suggest", input.now)}
${wrong(input.wrong)}
<p class="lead">An editor has to accept this before the page changes.</p>
${form(
  `/documents/${input.head.id}/suggest`,
  input.formToken,
  html`<input type="hidden" name="version" value="${input.version}"><div class="field"><label for="text">Text, as Markdown</label><textarea id="text" name="text" class="suggest-text" rows="24" spellcheck="true">${"\n"}${input.text}</textarea></div>
<div class="field"><label for="note">Why</label><input id="note" name="note" maxlength="5000" value="${input.note}"></div>
<p><button class="button button-main">Suggest</button></p>`,
)}`,
});
