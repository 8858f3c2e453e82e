import { type Html, html, type Part } from "../../../shared/html.ts";
import type { Named, Page } from "../../../shared/page.ts";
import { plural } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

/** A stretch of text; marked if it is a word of the query. */
interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A search hit, as the API returns it. */
interface SearchHit {
  readonly document_id: string;
  readonly title: string;
  readonly block_id: string | null;
  readonly path_text: string;
  readonly heading_path: readonly string[];
  readonly matched_in: "content" | "title" | "comment" | "file" | "file_name";
  readonly context: { readonly before: string; readonly match: string; readonly after: string };
  /** The title and the context, split at the words of the query. */
  readonly titlePieces: readonly Piece[];
  readonly pieces: readonly Piece[];
  /** Words of the query that the hit does not contain. */
  readonly missing: readonly string[];
  /** The number of matches in the page, set on its best match. */
  readonly hit_count?: number | undefined;
  readonly updated_at: number;
  readonly comment_id?: string | null | undefined;
}

/** A match in a file. */
interface FileHit {
  readonly href: string;
  readonly file_name?: string | undefined;
  readonly page?: number | null | undefined;
  readonly path_text: string;
  readonly context: SearchHit["context"];
}

interface Search {
  readonly q: string;
  readonly wrong?: string | undefined;
  readonly found?:
    | {
        readonly hits: readonly SearchHit[];
        readonly files: readonly FileHit[];
        readonly total: number;
        readonly documents: number;
        readonly complete: boolean;
        readonly next: string | null;
      }
    | undefined;
  /** A spelling suggestion if there are no results. */
  readonly meant?: { readonly text: string; readonly href: string } | undefined;
  readonly now: number;
}

interface Filters {
  readonly bases: readonly Named[];
  /** The folders of the chosen knowledge base. */
  readonly folders: readonly Named[];
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** Suggestions for the tag field. */
  readonly tags: readonly string[];
  /** The filters that are set, by their name in the address. */
  readonly kept: Readonly<Record<string, string>>;
}

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

const named = (items: readonly { readonly id: string | number; readonly name: string }[]): [string, string][] =>
  items.map(({ id, name }) => [String(id), name]);

const folderChoice = (folders: Filters["folders"]): Choice[] =>
  folders.length === 0
    ? []
    : [{ name: "folder", label: "In the folder", options: [["", "Every folder"], ...named(folders)] }];

const choices = ({ bases, folders, people }: Filters): Choice[] => [
  { name: "base", label: "In the knowledge base", options: [["", "Everywhere"], ...named(bases)] },
  ...folderChoice(folders),
  {
    name: "type",
    label: "Type",
    options: [
      ["", "Pages and spreadsheets"],
      ["document", "Pages"],
      ["spreadsheet", "Spreadsheets"],
    ],
  },
  { name: "author", label: "By", options: [["", "Anyone"], ...named(people)] },
  {
    name: "in",
    label: "Look in",
    options: [
      ["", "Everything"],
      ["comments", "Comments"],
    ],
  },
  {
    name: "age",
    label: "Changed",
    options: [
      ["", "Any time"],
      ["day", "In the last day"],
      ["week", "In the last week"],
      ["month", "In the last month"],
      ["year", "In the last year"],
    ],
  },
];

const choice = ({ name, label, options }: Choice, kept: Filters["kept"]): Part =>
  html`<select name="${name}" aria-label="${label}">${options.map(([value, text]) => html`<option value="${value}" ${value === (kept[name] ?? "") && html`selected`}>${text}</option>`)}</select>`;

/** Any tag can be typed; existing ones are suggested. */
const tagField = ({ tags, kept }: Filters): Part =>
  html`<input name="tag" value="${kept.tag}" list="search-tags" maxlength="200" autocomplete="off" aria-label="Tag" placeholder="Any tag"><datalist id="search-tags">${tags.map((tag) => html`<option value="${tag}"></option>`)}</datalist>`;

export const searchPage = (input: Search & Filters): Page => ({
  title: input.q ? `${input.q}: search` : "Search",
  scripts: ["search.js"],
  main: html`<h1>Search</h1>
<form class="search-form" action="/search" role="search"><label class="visually-hidden" for="q">Search for</label><input id="q" name="q" type="search" value="${input.q}" maxlength="512" autocomplete="off" placeholder="Words, &quot;a phrase&quot;, start*, -without" ${!input.q && html`autofocus`}><button class="button button-main">Search</button><div class="quiet-filters">${choices(input).map((one) => choice(one, input.kept))}${tagField(input)}</div></form>
<div id="results" aria-live="polite">${searchResults(input)}</div>`,
});

export function searchResults({ q, wrong, found, meant, now }: Search): Html {
  if (wrong) return html`<p class="banner banner-care">${wrong}</p>`;
  if (!found)
    return html`<p class="hint">Ask as you would ask a person, or type a few words. Put words in quotes to find them exactly as written.</p>`;
  if (found.hits.length === 0 && found.files.length === 0)
    return html`<div class="empty"><p>No results for <strong><bdi>${q}</bdi></strong>.${meant && html` Did you mean <a href="${meant.href}"><bdi>${meant.text}</bdi></a>?`}</p><p class="hint">Try fewer words. <a href="/search?${new URLSearchParams({ q }).toString()}">Search everywhere, without filters</a> · <a href="${askHref(q)}">Ask: “<bdi>${q}</bdi>”</a></p></div>`;
  return html`<p class="hint search-count">${plural(found.total, "match", "matches")} in ${plural(found.documents, "page")}${!found.complete && "; some pages are still being indexed"} · <a href="${askHref(q)}">Ask: “<bdi>${q}</bdi>”</a></p>
<ol class="hits">${[...Map.groupBy(found.hits, ({ document_id }) => document_id).values()].map((hits) => foundPage(hits, now))}</ol>
${found.next && html`<p><a class="button" href="${found.next}">More</a></p>`}
${found.files.length > 0 && html`<h2>In files</h2><ol class="hits">${found.files.map(foundFile)}</ol>`}`;
}

const askHref = (q: string): string => `/ask?${new URLSearchParams({ q }).toString()}`;

const marked = (pieces: readonly Piece[]): Part =>
  pieces.map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : text));

const foundFile = ({ href, file_name, page, path_text, context: { before, match, after } }: FileHit): Part =>
  html`<li class="hit"><a class="hit-link" href="${href}"><bdi>${file_name}</bdi></a>
<p class="hit-path">${path_text}${page && ` \u00b7 page ${page}`}</p>
<a class="hit-place" href="${href}"><span class="hit-text">${before}<mark>${match}</mark>${after}</span></a></li>`;

/** How many matches of a page are shown at once. */
const PLACES = 3;

/** A page with its matches, best first. */
function foundPage(hits: readonly SearchHit[], now: number): Part {
  const [best] = hits;
  if (!best) return undefined;
  const places = hits.filter(({ matched_in }) => matched_in !== "title");
  const more = places.slice(PLACES);
  const others = (best.hit_count ?? hits.length) - hits.length;
  return html`<li class="hit"><a class="hit-link" href="${hitUrl(best)}"><bdi>${marked(best.titlePieces)}</bdi></a>
<p class="hit-path">${placeOf(best)} · ${time(best.updated_at, now)}</p>
${places.slice(0, PLACES).map(foundPlace)}
${missingWords(hits)}
${more.length > 0 && html`<details><summary>${plural(more.length, "more match", "more matches")}</summary>${more.map(foundPlace)}</details>`}
${others > 0 && html`<p class="hint">${plural(others, "more match", "more matches")} on this page</p>`}</li>`;
}

/** Lists the query words that none of the page's matches contain. */
function missingWords([best, ...others]: readonly SearchHit[]): Part {
  const missing = (best?.missing ?? []).filter((word) => others.every((hit) => hit.missing.includes(word)));
  return missing.length > 0 && html`<p class="hit-missing">not found: <bdi>${missing.join(", ")}</bdi></p>`;
}

/** The page's location: its path without the title, which is shown above. */
const placeOf = ({ path_text, title }: SearchHit): string =>
  path_text.endsWith(` / ${title}`) ? path_text.slice(0, -title.length - 3) : path_text;

function foundPlace(hit: SearchHit): Part {
  const { before, match, after } = hit.context;
  // If a heading itself matches, it is the last one of its path.
  const headings = hit.heading_path.filter((heading) => heading !== before + match + after);
  return html`<a class="hit-place" href="${hitUrl(hit)}">${headings.length > 0 && html`<span class="hit-path">${headings.join(" › ")}</span>`}<span class="hit-text">${marked(hit.pieces)}</span></a>`;
}

const hitUrl = ({ document_id, block_id, comment_id }: SearchHit): string =>
  comment_id ? `/documents/${document_id}?comments=all#${comment_id}` : pageUrl(document_id, block_id);

const pageUrl = (document_id: string, block_id: string | null): string =>
  block_id ? `/documents/${document_id}?block=${block_id}#${block_id}` : `/documents/${document_id}`;
