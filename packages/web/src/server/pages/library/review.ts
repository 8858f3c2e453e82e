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

export type Shown = "all" | "suggestions" | "concepts" | "translations";

interface Review {
  readonly show: Shown;
  readonly baseId: number | undefined;
  /** The authors of open suggestions: people, and programs by the names of their tokens. */
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
  /** Undefined if the service has no languages. */
  readonly translations: readonly Variant[] | undefined;
  /** The result of the last extraction. */
  readonly extracted: { readonly created: number; readonly refreshed: number } | undefined;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const reviewPage = (input: Review): Page => ({
  title: "Review",
  styles: ["discussion.css"],
  scripts: ["islands/review.js"],
  main: html`<h1>Review</h1>
<p class="lead">Suggestions waiting for your decision.</p>
${filters(input)}
${wrong(input.wrong)}
${input.extracted && html`<p class="banner banner-good" role="status">${plural(input.extracted.created, "new candidate")}, ${plural(input.extracted.refreshed, "known candidate")} found again.</p>`}
${isShown(input, "suggestions") && suggestionList(input)}
${isShown(input, "translations") && input.translations && translationList(input.translations)}
${isShown(input, "concepts") && concepts(input)}`,
});

const isShown = ({ show }: Review, kind: Shown): boolean => show === "all" || show === kind;

const kindNames: readonly (readonly [Shown, string])[] = [
  ["all", "Everything"],
  ["suggestions", "Suggestions"],
  ["concepts", "Concepts"],
  ["translations", "Translations"],
];

/** A form that works without a script: the kind, and for suggestions the knowledge base and author. */
const filters = ({ show, bases, baseId, authors, author }: Review): Part =>
  html`<form class="filters" action="/review" aria-label="Filter"><div class="field"><label for="show">Show</label><select id="show" name="show">${kindNames.map(([value, label]) => html`<option value="${value}" ${value === show && html`selected`}>${label}</option>`)}</select></div><div class="field"><label for="in">Suggestions in</label><select id="in" name="in"><option value="">All knowledge bases</option>${bases.map(({ id, name }) => html`<option value="${id}" ${id === baseId && html`selected`}>${name}</option>`)}</select></div><div class="field"><label for="author">Suggested by</label><select id="author" name="author"><option value="">Everybody</option>${authors.map(({ id, name }) => html`<option value="${id}" ${id === author && html`selected`}>${name}</option>`)}</select></div><button class="button">Show</button></form>`;

const concepts = (
  input: Review,
): Part => html`<div class="${input.writable.length > 0 ? "columns columns-wide-left" : ""}">
<section class="card" aria-labelledby="candidates"><h2 id="candidates">Concepts</h2>
<p class="hint">Words from titles and links that could become concepts.</p>
${input.candidates.length === 0 ? html`<p class="empty">Nothing to review.</p>` : html`<ul class="rows">${input.candidates.map((candidate) => candidateRow(candidate, input))}</ul>`}
${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}</section>
${input.writable.length > 0 && extraction(input)}
</div>`;

const translationList = (variants: readonly Variant[]): Part =>
  html`<section class="card" aria-labelledby="translations"><h2 id="translations">Translations</h2>${
    variants.length === 0
      ? html`<p class="empty">Every translation is current.</p>`
      : html`<ul class="rows">${variants.map(
          (variant) =>
            html`<li class="row" tabindex="-1" data-review-item aria-label="Translation ${variant.title}"><div class="row-main"><p class="row-title"><bdi>${variant.title}</bdi> <span class="tag">${languageName(variant.locale)}</span></p><p class="row-facts">${states[variant.translation_freshness]}</p></div><a class="button button-small" data-key-enter href="/documents/${variant.document_id}/translations/${variant.locale}">Review</a></li>`,
        )}</ul>`
  }</section>`;

const kinds = { title: "title of", link: "link in" };

const candidateRow = (
  candidate: Candidate,
  { formToken, here, now }: Review,
): Part => html`<li class="row" tabindex="-1" data-review-item aria-label="Concept ${candidate.name}">
<div class="row-main"><p class="row-title"><bdi>${candidate.name}</bdi> ${candidate.isStale && html`<span class="tag">source has changed</span>`}</p>
<p class="row-facts"><span>${kinds[candidate.kind]} <a href="/documents/${candidate.documentId}${candidate.blockId && html`?block=${candidate.blockId}#${candidate.blockId}`}"><bdi>${candidate.documentTitle}</bdi></a></span><span>${time(candidate.createdAt, now)}</span></p></div>
${
  candidate.canDecide &&
  form(
    "/review",
    formToken,
    html`<input type="hidden" name="from" value="${here}"><input type="hidden" name="candidate" value="${candidate.id}"><input type="hidden" name="version" value="${candidate.version}"><div class="row-actions"><button class="button button-small" name="answer" value="accept" data-key-a aria-label="Accept ${candidate.name}">Accept</button><button class="button button-small" name="answer" value="reject" data-key-r aria-label="Reject ${candidate.name}">Reject</button></div>`,
  )
}</li>`;

const extraction = ({ writable, formToken }: Review): Part =>
  html`<section class="card" aria-labelledby="extract"><h2 id="extract">Find concepts</h2>${form(
    "/review/extract",
    formToken,
    [
      html`<div class="field"><label for="base">In the knowledge base</label><select id="base" name="base">${writable.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></div>`,
      html`<button class="button">Find</button>`,
    ],
  )}</section>`;
