import { type Html, html, type Part } from "./html.ts";

/** A passage that an answer cites. */
export interface Citation {
  readonly n: number;
  readonly document_id?: string | undefined;
  readonly block_id?: string | undefined;
  readonly quote: string;
  readonly title: string;
  readonly heading_path?: readonly string[] | undefined;
}

export interface AnswerText {
  readonly text: string;
  readonly citations: readonly number[];
}

/** The address of the cited block on its page. */
const citationHref = ({ document_id, block_id }: Citation): string =>
  block_id ? `/documents/${document_id}?block=${block_id}#${block_id}` : `/documents/${document_id}`;

/** One part of the answer with its citations. `base` prefixes addresses if the service is not at the root. */
export const answerText = ({ text, citations }: AnswerText, known: ReadonlyMap<number, Citation>, base = ""): Html =>
  html`<p class="answer-text" dir="auto">${text} ${citations.map((n) => mark(known.get(n), base))}</p>`;

const mark = (citation: Citation | undefined, base: string): Part =>
  citation &&
  html`<a class="citation" href="${base}${citationHref(citation)}" aria-label="Source ${citation.n}: ${citation.title}" title="${citation.title}">${citation.n}</a>`;

/** A source below the answer, with the passage quoted. */
export const answerSource = (citation: Citation, base = ""): Html =>
  html`<li class="source" value="${citation.n}"><a class="hit-link" href="${base}${citationHref(citation)}"><bdi>${citation.title}</bdi></a>${
    citation.heading_path &&
    citation.heading_path.length > 0 &&
    html` <span class="hit-path">${citation.heading_path.join(" › ")}</span>`
  }<p class="source-quote" dir="auto">${citation.quote}</p></li>`;

/** The message if no page contains enough of the question's words. */
export const noAnswer = (question: string, base = ""): Html =>
  html`<p class="empty">No page answers this. <a href="${base}/search?${new URLSearchParams({ q: question }).toString()}">Search for its words</a></p>`;
