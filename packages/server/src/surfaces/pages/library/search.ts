import { defined } from "@svc/document/defined";
import { searchPage, searchResults } from "@svc/web/server/pages/library/search";
import type { DocumentType } from "../../../db/schema/tables/documents.ts";
import { spokenText } from "../../../domain/discussion/notifications/mentions.ts";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { listTags } from "../../../domain/library/properties/queries.ts";
import { ApiError } from "../../../errors.ts";
import { DAY_MS } from "../../../time.ts";
import { readHits } from "../../../views/search/read-hits.ts";
import type { SearchInput } from "../../../views/search/schema.ts";
import { get, type MemberVisit, numberFrom, type Outcome, show } from "../visit.ts";
import { listBases, listFolderNames } from "./browse-queries.ts";
import { isSilent, wordMarker } from "./mark-words.ts";
import { nearestWord } from "./nearest-word.ts";

/** Searches whole words; without a match, words that start like the last one. */
async function find(visit: MemberVisit, q: string, isTyping: boolean) {
  const begun = asBeginning(q);
  if (isTyping && begun) return ask(visit, begun).catch(() => ask(visit, q));
  const found = await ask(visit, q);
  return found.total === 0 && begun ? ask(visit, begun).catch(() => found) : found;
}

/** `rel` as `rel*`: while typing, the last word may be incomplete. Undefined if the query cannot mean that. */
const asBeginning = (q: string): string | undefined =>
  /[\p{L}\p{N}]{2}$/u.test(q) && (q.match(/"/g)?.length ?? 0) % 2 === 0 ? `${q}*` : undefined;

const AGES: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 366 };

const isDocumentType = (type: string | null): type is DocumentType => type === "document" || type === "spreadsheet";

/** The filters of the address in the API's form. */
function filtersOf(query: URLSearchParams) {
  const [base, folder, type] = [query.get("base"), query.get("folder"), query.get("type")];
  const [author, tag] = [query.get("author") ?? "", (query.get("tag") ?? "").trim().slice(0, 2000)];
  const days = AGES[query.get("age") ?? ""];
  return {
    ...(base && { knowledge_base_id: numberFrom(base, "knowledge_base") }),
    ...(folder && { folder_id: numberFrom(folder, "folder") }),
    ...(isDocumentType(type) && { document_type: type }),
    ...(query.get("in") === "comments" && { in: "comments" as const }),
    ...(isUserId(author) && { author }),
    ...(tag && { tag }),
    ...(days && { updated_since: String(Date.now() - days * DAY_MS) }),
  };
}

const isUserId = (text: string): boolean => /^user_[0-9A-HJKMNP-TV-Z]{26}$/.test(text);

/** The filters of an address, to carry over into the next one. */
const keptFilters = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, defined(query.get(name))]] : [])));
const FILTERS = ["base", "folder", "type", "in", "author", "tag", "age"] as const;

const readPage = ({ app, viewer }: MemberVisit, query: SearchInput) => readHits(app, viewer.workspace.id, query);

/** Documents on a page of results. */
const DOCUMENTS = 10;

async function ask(visit: MemberVisit, q: string) {
  const cursor = visit.query.get("cursor");
  const filters = filtersOf(visit.query);
  const isGrouped = !("in" in filters);
  const grouped = isGrouped && { group_by: "document" as const, limit: DOCUMENTS };
  const query = { q, ...grouped, ...(cursor && { cursor }), ...filters };
  const { data, page, hits, projection } = await readPage(visit, query);
  const files = cursor || !isGrouped ? [] : await findFiles(visit, { q, ...filters });
  const more = new URLSearchParams({ q, ...keptFilters(visit.query), cursor: page.next_cursor ?? "" });
  const next = page.next_cursor && `/search?${more}`;
  const mark = wordMarker(q);
  return {
    hits: data
      .map(withNamedMentions)
      .flatMap(({ hits = [], ...best }) =>
        hits.length > 0 ? hits.map((hit, at) => (at === 0 ? { ...hit, hit_count: best.hit_count } : hit)) : [best],
      )
      .map((hit) => ({
        ...hit,
        missing: hit.missing.filter((word) => !isSilent(word)),
        titlePieces: mark(hit.title),
        pieces: mark(`${hit.context.before}${hit.context.match}${hit.context.after}`),
      })),
    files,
    total: hits.total,
    documents: hits.documents,
    complete: projection.complete,
    next,
  };
}

/** The best matches in the text and names of files. */
async function findFiles(visit: MemberVisit, query: { readonly q: string }) {
  const { data } = await readPage(visit, { ...query, type: "file", limit: 5 });
  return data.map((hit) => ({
    ...hit,
    href: `/documents/${hit.document_id}/files/${hit.attachment_id}${hit.page ? `?page=${hit.page}#page-${hit.page}` : ""}`,
  }));
}

/** Shows mentions in comments by name. */
const withNamedMentions = <Hit extends { readonly context: { before: string; match: string; after: string } }>(
  hit: Hit,
): Hit => ({
  ...hit,
  context: { ...hit.context, before: spokenText(hit.context.before), after: spokenText(hit.context.after) },
});

/** A spelling suggestion for a query without results: replaces each unknown word by a similar known one. */
async function correct(visit: MemberVisit, q: string): Promise<string | undefined> {
  const words = q.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0 || words.length > 8 || /["*():-]/.test(q)) return undefined;
  const corrected = await Promise.all(words.map((word) => correctWord(visit, word)));
  const text = corrected.join(" ");
  return text === words.join(" ") ? undefined : text;
}

/** Searches words with the same start and takes the nearest. */
async function correctWord(visit: MemberVisit, word: string): Promise<string> {
  if ([...word].length < 4) return word;
  const query = (q: string) => ({ q, mode: "topk" as const, limit: 50, ...filtersOf(visit.query) });
  const whole = await readPage(visit, { ...query(word), match: "all", limit: 1 });
  if (whole.data.length > 0) return word;
  for (const length of [3, 2, 1]) {
    const { data } = await readPage(visit, query(`${[...word].slice(0, length).join("")}*`));
    const near = nearestWord(
      word,
      data.map((hit) => (hit.matched_in === "title" ? hit.title : hit.context.match)),
    );
    if (near !== undefined) return near;
  }
  return word;
}

/** The search page; with `part=results` only the list, for the script that searches while typing. */
async function showSearch(visit: MemberVisit): Promise<Outcome> {
  const q = (visit.query.get("q") ?? "").trim().slice(0, 512);
  const isPart = visit.query.get("part") === "results";
  const found = q === "" ? undefined : await find(visit, q, isPart).catch(complaintOf);
  const kept = keptFilters(visit.query);
  const isEmpty = found && "total" in found && found.total === 0;
  const meant = isEmpty ? await correct(visit, q).catch(() => undefined) : undefined;
  const input = {
    q,
    ...(found && "wrong" in found ? { wrong: found.wrong } : { found }),
    meant:
      meant === undefined ? undefined : { text: meant, href: `/search?${new URLSearchParams({ q: meant, ...kept })}` },
    now: Date.now(),
  };
  if (isPart) return { raw: { contentType: "text/html; charset=utf-8", body: searchResults(input).text } };
  const db = visit.app.database.read;
  const workspaceId = visit.viewer.workspace.id;
  const base = kept.base ? numberFrom(kept.base, "knowledge_base") : undefined;
  const [bases, folders, members] = await Promise.all([
    listBases(db, workspaceId),
    base === undefined ? [] : listFolderNames(db, workspaceId, base),
    listMembers(db, workspaceId),
  ]);
  const people = members.map(({ id, name }) => ({ id, name }));
  const tags = await readTags(visit, base === undefined ? bases.map(({ id }) => id) : [base]);
  return show(searchPage({ ...input, bases, folders, people, tags, kept }));
}

const MAX_BASES = 20;
const MAX_TAGS = 50;

/** Tags for the filter, most used first. */
async function readTags({ app, viewer }: MemberVisit, bases: readonly number[]): Promise<string[]> {
  const { read } = app.database;
  const lists = await Promise.all(
    bases.slice(0, MAX_BASES).map((id) => listTags(read, viewer.workspace.id, id, [], MAX_TAGS)),
  );
  const tags = lists.flat().sort((a, b) => b.count - a.count);
  return [...new Set(tags.map(({ tag }) => tag))];
}

/** Shows a refused query with its error; a stale cursor restarts the list. */
const complaintOf = (error: unknown): { wrong: string } => {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 404) throw error;
  const [issue] = Array.isArray(error.details.issues) ? error.details.issues : [];
  return { wrong: inWords(issue?.message ?? error.message) };
};

/** Capitalizes a message and ends it with a full stop. */
const inWords = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/(?<![.!?])$/, ".");

export const searchPages = [get("/search", showSearch)];
