import { html, type Part } from "../../html.ts";
import type { Named, Page } from "../../page.ts";
import { form, plural, wrong } from "../../parts.ts";
import { time } from "../../time.ts";
import { languageName, states, type Variant } from "../document/languages.ts";

export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly kind: "title" | "link";
  readonly version: string;
  readonly isStale: boolean;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly blockId: string | null;
  readonly createdAt: number;
}

interface Review {
  readonly formToken: string;
  readonly canWrite: boolean;
  readonly bases: readonly Named[];
  readonly candidates: readonly Candidate[];
  readonly next: string | undefined;
  /** Undefined where the service has no languages. */
  readonly translations: readonly Variant[] | undefined;
  /** What the last extraction found. */
  readonly extracted: { readonly created: number; readonly refreshed: number } | undefined;
  readonly now: number;
  readonly wrong?: string | undefined;
}

export const reviewPage = (input: Review): Page => ({
  title: "Review",
  main: html`<h1>Review</h1>
<p class="lead">What programs propose and people decide.</p>
${wrong(input.wrong)}
${input.extracted && html`<p class="banner banner-good" role="status">${plural(input.extracted.created, "new candidate")}, ${plural(input.extracted.refreshed, "candidate")} seen again.</p>`}
<div class="${input.canWrite && input.bases.length > 0 ? "columns columns-wide-left" : ""}">
<section class="card" aria-labelledby="candidates"><h2 id="candidates">Concepts</h2>
<p class="hint">Words from titles and links that could become concepts.</p>
${input.candidates.length === 0 ? html`<p class="empty">Nothing waits for a review.</p>` : html`<ul class="rows">${input.candidates.map((candidate) => candidateRow(candidate, input))}</ul>`}
${input.next && html`<p><a class="button" href="${input.next}">More</a></p>`}</section>
${input.canWrite && input.bases.length > 0 && extraction(input)}
</div>
${input.translations && translationList(input.translations)}`,
});

const translationList = (variants: readonly Variant[]): Part =>
  html`<section class="card" aria-labelledby="translations"><h2 id="translations">Translations</h2>${
    variants.length === 0
      ? html`<p class="empty">Every translation is current.</p>`
      : html`<ul class="rows">${variants.map(
          (variant) =>
            html`<li class="row"><div class="row-main"><p class="row-title"><bdi>${variant.title}</bdi> <span class="tag">${languageName(variant.locale)}</span></p><p class="row-facts">${states[variant.translation_freshness]}</p></div><a class="button button-small" href="/documents/${variant.document_id}/translations/${variant.locale}">Review</a></li>`,
        )}</ul>`
  }</section>`;

const kinds = { title: "title of", link: "link in" };

const candidateRow = (candidate: Candidate, { formToken, canWrite, now }: Review): Part => html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${candidate.name}</bdi> ${candidate.isStale && html`<span class="tag">source has changed</span>`}</p>
<p class="row-facts"><span>${kinds[candidate.kind]} <a href="/documents/${candidate.documentId}${candidate.blockId && html`?block=${candidate.blockId}#${candidate.blockId}`}"><bdi>${candidate.documentTitle}</bdi></a></span><span>${time(candidate.createdAt, now)}</span></p></div>
${
  canWrite &&
  form(
    "/review",
    formToken,
    html`<input type="hidden" name="candidate" value="${candidate.id}"><input type="hidden" name="version" value="${candidate.version}"><div class="row-actions"><button class="button button-small" name="answer" value="accept" aria-label="Accept ${candidate.name}">Accept</button><button class="button button-small" name="answer" value="reject" aria-label="Reject ${candidate.name}">Reject</button></div>`,
  )
}</li>`;

const extraction = ({ bases, formToken }: Review): Part =>
  html`<section class="card" aria-labelledby="extract"><h2 id="extract">Look for candidates</h2>${form(
    "/review/extract",
    formToken,
    [
      html`<div class="field"><label for="base">In the knowledge base</label><select id="base" name="base">${bases.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></div>`,
      html`<button class="button">Look</button>`,
    ],
  )}</section>`;
