import { html, type Part } from "../../../shared/html.ts";
import { form, plural } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import { wordMarks } from "./word-marks.ts";

export interface WaitingSuggestion {
  readonly id: string;
  readonly version: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly authorName: string;
  readonly isAgent: boolean;
  readonly note: string;
  readonly createdAt: number;
  /** The person may write in its knowledge base. */
  readonly canDecide: boolean;
  readonly changes: readonly { readonly before: string; readonly after: string; readonly isConflict: boolean }[];
}

interface Waiting {
  readonly formToken: string;
  /** The address of this list with its filters. */
  readonly here: string;
  readonly suggestions: readonly WaitingSuggestion[];
  readonly now: number;
}

/** How many changes the list shows; the page's own view shows the rest. */
const SHOWN = 3;

/** Suggestions as rows that are decided with buttons or keys. */
export const suggestionRows = (
  suggestions: readonly WaitingSuggestion[],
  formToken: string,
  here: string,
  now: number,
) => suggestions.map((suggestion) => suggestionRow(suggestion, { formToken, here, now }));

export const suggestionList = (input: Waiting): Part =>
  input.suggestions.length === 0
    ? html`<p class="empty">No suggestions. Changes that people and agents suggest appear here.</p>`
    : html`<ul class="rows" aria-label="Suggestions">${suggestionRows(input.suggestions, input.formToken, input.here, input.now)}</ul>`;

const suggestionRow = (
  suggestion: WaitingSuggestion,
  input: Omit<Waiting, "suggestions">,
): Part => html`<li class="row" tabindex="-1" data-review-item aria-label="Suggestion for ${suggestion.documentTitle}">
<div class="row-main"><p class="row-title"><a href="/documents/${suggestion.documentId}/suggestions#${suggestion.id}" data-key-enter><bdi>${suggestion.documentTitle}</bdi></a>${suggestion.isAgent && html` <span class="tag">agent</span>`}</p>
${suggestion.note && html`<p class="excerpt"><bdi>${suggestion.note}</bdi></p>`}
<div class="suggestion-words">${suggestion.changes.slice(0, SHOWN).map(({ before, after }) => wordMarks(before, after))}${suggestion.changes.length > SHOWN && html`<p class="hint">And ${plural(suggestion.changes.length - SHOWN, "more change")}.</p>`}</div>
<p class="row-facts"><span><bdi>${suggestion.authorName}</bdi></span><span>${plural(suggestion.changes.length, "change")}</span>${suggestion.changes.some(({ isConflict }) => isConflict) && html`<span>The page changed since this was suggested</span>`}<span>${time(suggestion.createdAt, input.now)}</span></p></div>
${
  suggestion.canDecide &&
  form(
    `/documents/${suggestion.documentId}/suggestions/${suggestion.id}`,
    input.formToken,
    html`<input type="hidden" name="version" value="${suggestion.version}"><input type="hidden" name="from" value="${input.here}"><div class="row-actions"><button class="button button-small" name="answer" value="accept-all" data-key-a aria-label="Accept all changes of ${suggestion.documentTitle}">Accept</button><button class="button button-small" name="answer" value="reject-all" data-key-r aria-label="Reject all changes of ${suggestion.documentTitle}">Reject</button></div>`,
  )
}</li>`;
