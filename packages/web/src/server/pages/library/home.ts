import { type Html, html, type Part } from "../../../shared/html.ts";
import { icon } from "../../../shared/icons.ts";
import type { Named, Page, PersonalItem } from "../../../shared/page.ts";
import { field, form, plural, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import { suggestionRows, type WaitingSuggestion } from "../discussion/review-suggestions.ts";
import { activitySentence, type Done } from "../workspace/activity-words.ts";
import { type DocumentItem, documentList } from "./rows.ts";

interface Base extends Named {
  readonly documents: number;
  readonly canWrite: boolean;
}

interface Notice {
  readonly id: string;
  readonly sentence: string;
  readonly createdAt: number;
}

/** The same action of an agent on the same page, counted. */
export interface AgentWork extends Done {
  readonly count: number;
  readonly at: number;
}

/** Items that need a decision or an answer of this person. */
interface Waiting {
  readonly suggestions: readonly WaitingSuggestion[];
  readonly notices: readonly Notice[];
  readonly candidates: number;
  readonly translations: number;
  /** There is more than is shown here. */
  readonly isMore: boolean;
}

interface Home {
  readonly formToken: string;
  readonly workspaceName: string;
  readonly canWrite: boolean;
  readonly bases: readonly Base[];
  /** The address of the next page. */
  readonly next: string | undefined;
  readonly waiting: Waiting;
  readonly agents: readonly AgentWork[];
  readonly favourites: readonly PersonalItem[];
  readonly recent: readonly DocumentItem[];
  readonly now: number;
  readonly wrong?: string | undefined;
}

/** The team's desk: what waits, what changed, and where everything is. */
export const homePage = (input: Home): Page => ({
  title: "Home",
  styles: ["discussion.css"],
  scripts: ["islands/review.js"],
  main: html`<h1><bdi>${input.workspaceName}</bdi></h1>
${wrong(input.wrong)}
${
  input.bases.length === 0
    ? html`<div data-list>${emptyWorkspace(input)}</div>${input.canWrite && newBase(input)}`
    : html`<div class="desk"><div class="desk-main">
${part("waiting", "Waiting for you", waiting(input))}
${part("recent", "Recently changed", input.recent.length > 0 ? documentList(input.recent, input.now) : html`<p class="empty">Pages appear here as people and agents change them.</p>`)}
</div><div class="desk-side">
${part("agents", "Agents since yesterday", agents(input))}
${part("favourites", "Favourites", favourites(input))}
${part("bases", "Knowledge bases", html`<div data-list>${bases(input)}</div>${more(input.next)}${input.canWrite && newBase(input)}`)}
</div></div>`
}`,
});

const part = (id: string, title: string, content: Part): Html =>
  html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;

function waiting(input: Home): Part {
  const { suggestions, notices, candidates, translations, isMore } = input.waiting;
  if (suggestions.length + notices.length + candidates + translations === 0)
    return html`<p class="empty">Nothing is waiting for you.</p>`;
  const counted = (count: number, text: string, href: string, sign: "concept" | "review"): Part =>
    count > 0 &&
    html`<li data-review-item tabindex="-1" aria-label="${text}"><a class="item" data-key-enter href="${href}">${icon(sign)}<span class="item-name">${text}</span></a></li>`;
  return html`${suggestions.length > 0 && html`<ul class="rows">${suggestionRows(suggestions, input.formToken, "/knowledge-bases", input.now)}</ul>`}
<ul class="items">${notices.map((notice) => noticeRow(notice, input.now))}${counted(translations, plural(translations, "translation to review", "translations to review"), "/review?show=translations", "review")}${counted(candidates, `${candidates > 49 ? "50 or more" : candidates} ${candidates === 1 ? "concept candidate" : "concept candidates"}`, "/review?show=concepts", "concept")}</ul>
${isMore && html`<p><a href="/review">All in Review</a></p>`}`;
}

const noticeRow = ({ id, sentence, createdAt }: Notice, now: number): Part =>
  html`<li data-review-item tabindex="-1" aria-label="${sentence}"><a class="item" data-key-enter href="/notifications/${id}">${icon("bell")}<span class="item-name"><bdi>${sentence}</bdi></span><span class="item-facts">${time(createdAt, now)}</span></a></li>`;

const agents = ({ agents, now }: Home): Part =>
  agents.length === 0
    ? html`<p class="empty">No changes by agents. <a href="/account/connect">Connect an agent</a></p>`
    : html`<ul class="work">${agents.map(
        (work) =>
          html`<li>${icon("agent")}<p>${activitySentence(work)}${work.count > 1 && html` <span class="hint">${work.count} times</span>`}<span class="hint"> · ${time(work.at, now)}</span></p></li>`,
      )}</ul><p><a href="/activity?agents=1">All activity of agents</a></p>`;

const favourites = ({ favourites }: Home): Part =>
  favourites.length === 0
    ? html`<p class="empty">Pages that you mark with a star appear here.</p>`
    : html`<ul class="items">${favourites.map(
        ({ id, title, type }) =>
          html`<li><a class="item" href="/documents/${id}">${icon(type)}<span class="item-name"><bdi>${title}</bdi></span></a></li>`,
      )}</ul>`;

const bases = ({ bases, formToken }: Home): Part =>
  html`<ul class="items bases">${bases.map(
    ({ id, name, documents, canWrite }) =>
      html`<li><a class="item" href="/knowledge-bases/${id}">${icon("base")}<span class="item-name"><bdi>${name}</bdi></span><span class="item-facts">${plural(documents, "page")}</span></a>${
        canWrite &&
        form(
          `/knowledge-bases/${id}/new`,
          formToken,
          html`<button class="icon-button" name="kind" value="document" aria-label="New page in ${name}" title="New page">${icon("plus")}</button>`,
        )
      }</li>`,
  )}</ul>`;

const newBase = ({ formToken, bases }: Home): Part =>
  html`<details class="new-base" id="new-base" ${bases.length === 0 && html`open`}><summary class="button button-small">${icon("plus")}New knowledge base</summary>${form(
    "/knowledge-bases",
    formToken,
    [
      field({ name: "name", label: "Name", maxLength: 500, autocomplete: "off" }),
      html`<div class="row-actions"><button class="button button-main">Create</button><a class="button button-quiet" href="/import">Import…</a></div>`,
    ],
  )}</details>`;

const emptyWorkspace = ({ canWrite, workspaceName, formToken }: Home): Html =>
  html`<div class="empty"><p><strong><bdi>${workspaceName}</bdi> is empty.</strong></p><p>${
    canWrite
      ? html`A knowledge base holds pages in folders, for one team or topic. Start with a page that shows what you can do, or name your first knowledge base below. Agents can add pages over the <a href="/api-docs">API</a>.`
      : "There is nothing here yet."
  }</p>${canWrite && form("/knowledge-bases/welcome", formToken, html`<button class="button button-main">Start with a welcome page</button>`)}</div>`;

const more = (address: string | undefined): Part =>
  address && html`<p><a class="button" href="${address}">More</a></p>`;
