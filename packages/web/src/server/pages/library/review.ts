import { html, type Part } from "../../../shared/html.ts";
import type { Named, Page } from "../../../shared/page.ts";
import { form, plural, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import { suggestionList, type WaitingSuggestion } from "../discussion/review-suggestions.ts";
import { languageName, states, type Variant } from "../document/languages.ts";

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: "title" | "link";
  readonly version: string;
  readonly isStale: boolean;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly blockId: string | null;
  readonly createdAt: number;
  /** The person may write in its knowledge base. */
  readonly canDecide: boolean;
}

export type Shown = "suggestions" | "translations" | "concepts";

interface Review {
  readonly show: Shown;
  readonly baseId: number | undefined;
  /** The authors of open suggestions: people, and agents by the names of their tokens. */
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly author: string | undefined;
  readonly suggestions: readonly WaitingSuggestion[];
  /** The address of this list with its filters. */
  readonly here: string;
  readonly formToken: string;
  /** The knowledge bases in which the person may write. */
  readonly writable: readonly Named[];
  readonly bases: readonly Named[];
  readonly candidates: readonly Candidate[];
  readonly next: string | undefined;
  readonly translations: readonly Variant[];
  /** The result of the last extraction. */
  readonly extracted: { readonly created: number; readonly refreshed: number } | undefined;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const reviewPage = (input: Review): Page => ({
  title: "Review",
  styles: ["discussion.css"],
  scripts: ["islands/review.js"],
  main: html`<div class="card-head"><h1>Review</h1><p class="hint review-keys"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>a</kbd> accept · <kbd>r</kbd> reject · <kbd>Enter</kbd> open</p></div>
${tabs(input)}
${wrong(input.wrong)}
${input.extracted && html`<p class="banner banner-good" role="status">${plural(input.extracted.created, "new candidate")}, ${plural(input.extracted.refreshed, "known candidate")} found again.</p>`}
${lists[input.show](input)}`,
});

const names: readonly (readonly [Shown, string])[] = [
  ["suggestions", "Suggestions"],
  ["translations", "Translations"],
  ["concepts", "Concepts"],
];

const tabs = (input: Review): Part => {
  const counts = {
    suggestions: input.suggestions.length,
    translations: input.translations.length,
    concepts: input.candidates.length,
  };
  return html`<nav class="tabs" aria-label="Kind">${names.map(
    ([kind, label]) =>
      html`<a href="/review?show=${kind}" ${kind === input.show && html`aria-current="page"`}>${label}${counts[kind] > 0 && html` <span class="count">${counts[kind]}${kind === "concepts" && input.next && "+"}</span>`}</a>`,
  )}</nav>`;
};

/** A form that works without a script; offered as soon as there is something to choose. */
const filters = ({ bases, baseId, authors, author }: Review): Part =>
  (bases.length > 1 || authors.length > 1 || author !== undefined) &&
  html`<form class="quiet-filters" action="/review" aria-label="Filter"><input type="hidden" name="show" value="suggestions"><label><span class="visually-hidden">In</span><select name="in"><option value="">All knowledge bases</option>${bases.map(({ id, name }) => html`<option value="${id}" ${id === baseId && html`selected`}>${name}</option>`)}</select></label><label><span class="visually-hidden">Suggested by</span><select name="author"><option value="">Everyone</option>${authors.map(({ id, name }) => html`<option value="${id}" ${id === author && html`selected`}>${name}</option>`)}</select></label><button class="button button-small">Filter</button></form>`;

const heading = (title: string, lead: string): Part =>
  html`<h2 class="visually-hidden">${title}</h2><p class="hint">${lead}</p>`;

const lists: Readonly<Record<Shown, (input: Review) => Part>> = {
  suggestions: (input) =>
    html`<section class="card" aria-label="Suggestions">${heading("Suggestions", "Suggestions waiting for your decision.")}${filters(input)}${suggestionList(input)}</section>`,
  translations: ({ translations }) =>
    html`<section class="card" aria-label="Translations">${heading("Translations", "Translations that are older than their source.")}${
      translations.length === 0
        ? html`<p class="empty">Every translation is current.</p>`
        : html`<ul class="rows">${translations.map(translationRow)}</ul>`
    }</section>`,
  concepts: (input) =>
    html`<section class="card" aria-label="Concepts">${heading("Concepts", "Words from titles and links that could become concepts.")}${input.writable.length > 0 && extraction(input)}${
      input.candidates.length === 0
        ? html`<p class="empty">Nothing to review. <a href="/concepts">All concepts</a></p>`
        : candidateList(input)
    }${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}</section>`,
};

const translationRow = (variant: Variant): Part =>
  html`<li class="row" tabindex="-1" data-review-item aria-label="Translation ${variant.title}"><div class="row-main"><p class="row-title"><bdi>${variant.title}</bdi> <span class="tag">${languageName(variant.locale)}</span></p><p class="row-facts">${states[variant.translation_freshness]}</p></div><a class="button button-small" data-key-enter href="/documents/${variant.document_id}/translations/${variant.locale}">Review</a></li>`;

/** One form around all rows: its buttons decide one candidate, or all that are selected. */
const candidateList = (input: Review): Part => {
  const rows = html`<ul class="rows">${input.candidates.map((candidate) => candidateRow(candidate, input))}</ul>`;
  if (!input.candidates.some(({ canDecide }) => canDecide)) return rows;
  return form(
    "/review",
    input.formToken,
    html`<input type="hidden" name="from" value="${input.here}"><div class="row-actions"><button class="button button-small" name="answer" value="accept">Accept selected</button><button class="button button-small" name="answer" value="reject">Reject selected</button></div>${rows}`,
    "candidates",
  );
};

const kinds = { title: "title of", link: "link in" };

const candidateRow = (candidate: Candidate, { now }: Review): Part => {
  const value = `${candidate.id} ${candidate.version}`;
  return html`<li class="row" tabindex="-1" data-review-item aria-label="Concept ${candidate.name}">
${candidate.canDecide && html`<input type="checkbox" name="candidate" value="${value}" aria-label="Select ${candidate.name}">`}
<div class="row-main"><p class="row-title"><bdi>${candidate.name}</bdi> ${candidate.isStale && html`<span class="tag">source has changed</span>`}</p>
<p class="row-facts"><span>${kinds[candidate.kind]} <a data-key-enter href="/documents/${candidate.documentId}${candidate.blockId && html`?block=${candidate.blockId}#${candidate.blockId}`}"><bdi>${candidate.documentTitle}</bdi></a></span><span>${time(candidate.createdAt, now)}</span></p></div>
${candidate.canDecide && html`<div class="row-actions"><button class="button button-small" name="accept" value="${value}" data-key-a aria-label="Accept ${candidate.name}">Accept</button><button class="button button-small" name="reject" value="${value}" data-key-r aria-label="Reject ${candidate.name}">Reject</button></div>`}</li>`;
};

const extraction = ({ writable, formToken }: Review): Part =>
  form(
    "/review/extract",
    formToken,
    html`<label><span class="visually-hidden">Find concepts in</span><select id="base" name="base">${writable.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label><button class="button button-small">Find concepts</button>`,
    "quiet-filters",
  );
