import { wordDiff } from "@svc/document/word-diff";
import { type Client, isApiError, sinceVisit } from "@svc/sdk";
import * as z from "zod";
import { cursor, documentId, place } from "../../arguments.ts";
import { costOf, cutLines, largestFitting, roomIn } from "../../budget.ts";
import { findPlace } from "../../names/find-place.ts";
import { momentIn } from "../../names/moment-in.ts";
import { short } from "../../short.ts";
import { lines, oneLine, plural, time } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";
import { eventChanges } from "./event-changes.ts";

export const getChanges = readingTool({
  name: "get_changes",
  title: "Changes since",
  set: "core",
  description:
    "What changed since a time, of everything, a place or a document: by page the changed blocks as [-old-]{+new+}. since is a date, a time, 1d, 2h, or a name such as last_visit, which remembers each call of it.",
  scopes: ["documents:read"],
  hidden: ["after", "limit"],
  input: z.strictObject({
    since: z.string().min(1).max(100).optional(),
    in: place.optional().describe("Base or Base/Folder."),
    document_id: documentId.optional(),
    max_tokens: z.int().min(1).max(200_000).default(4000),
    cursor,
    after: z.string().min(1).max(4096).optional(),
    limit: z.int().min(1).max(100).default(50),
  }),
  run: async (client, { since, in: where, document_id, max_tokens, cursor: page, after, limit }) => {
    if (since === undefined && after !== undefined && momentIn(after) === undefined)
      return eventChanges(client, document_id, after, limit);
    const asked = since ?? after;
    if (asked === undefined) return eventChanges(client, document_id, undefined, limit);
    const scope = where === undefined ? { document_id } : await findPlace(client, where);
    const moment = momentIn(asked);
    if (moment !== undefined) return showDifference(client, { since: String(moment), ...scope }, max_tokens, page);
    return sinceName(client, asked, (kept) => showDifference(client, { since: kept, ...scope }, max_tokens, page));
  },
});

/** A name is kept for the next time, where the token allows it. */
async function sinceName(
  client: Client,
  name: string,
  read: (since: string) => Promise<DatedOutcome>,
): Promise<Outcome> {
  try {
    return (
      (await sinceVisit(client, name, read)) ?? {
        text: `No visit is kept as ${oneLine(name)} yet: it begins now, and the next call with it tells what changed since. For a time, send 1d, 2h or a date.`,
      }
    );
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    throw new UsageError("**insufficient_scope**: a name is kept only for tokens that write.", "send a time as since.");
  }
}

/** An answer, and the time up to which it covers changes. */
type DatedOutcome = Outcome & { readonly until: number };

type Difference = Awaited<ReturnType<typeof load>>["data"][number];
const load = (client: Client, query: object) =>
  client.get("/changes/diff", { query: { limit: 100, ...query } as never });

/** Pages in the order of their last change, as many as the budget holds; the rest by name. */
async function showDifference(
  client: Client,
  query: object,
  budget: number,
  cursor: string | undefined,
): Promise<DatedOutcome> {
  const { data, page, since, until } = await load(client, { ...query, ...(cursor !== undefined && { cursor }) });
  const changed = data.reduce((sum, { changes }) => sum + changes.length, 0);
  const head =
    data.length === 0
      ? `Nothing changed since ${time(since)}.`
      : `${plural(changed, "block")} in ${plural(data.length, "page")} changed since ${time(since)}.`;
  // A name means another moment from now on, so what goes on says the time.
  const from = new Date(since).toISOString();
  const last = page.next_cursor !== null && `There is more: repeat with since: ${from} and cursor: ${page.next_cursor}`;
  const room = roomIn(budget) - costOf([head, last || "", ""]);
  const texts = data.map(pageText);
  const count = largestFitting(texts.length, (first) => costOf(shownPages(texts, data, first, from)) <= room);
  const body = shownPages(texts, data, count, from);
  return { text: lines(head, ...cutLines(body, room, (left) => `… ${plural(left, "more page")}`), last), until };
}

/** The first pages with their changes, the others by name. */
function shownPages(texts: readonly string[], data: readonly Difference[], first: number, since: string): string[] {
  const named = data
    .slice(first)
    .map(({ path_text, document_id, changes }) => `- ${oneLine(path_text)} (${short(document_id)}, ${changes.length})`);
  return [
    ...texts.slice(0, first),
    ...(named.length > 0 ? [`Too long to show, ask for each by document_id with since: ${since}`, ...named] : []),
  ];
}

const SIGNS: Readonly<Record<string, string>> = { added: "+", removed: "-", moved: "moved" };

function pageText({ path_text, document_id, from_version, deleted_at, complete, actors, changes }: Difference): string {
  const by = actors.map(({ name, id }) => oneLine(name ?? id, 40)).join(", ");
  const notes = [
    short(document_id),
    deleted_at !== null && "deleted",
    complete && from_version === null && "new",
    !complete && "older state not kept",
    by,
  ];
  let heading = "";
  const body = changes.flatMap((change) => {
    const under = change.heading_path.map((each) => oneLine(each, 60)).join(" > ");
    const line = changeText(change);
    if (under === heading) return [line];
    heading = under;
    return [`${under || "(top)"}:`, line];
  });
  return [`## ${oneLine(path_text)} (${notes.filter(Boolean).join(", ")})`, ...body].join("\n");
}

function changeText({ change_type, before, after }: Difference["changes"][number]): string {
  if (before !== null && after !== null && change_type === "modified") return `~ ${wordsOf(before, after)}`;
  return `${SIGNS[change_type] ?? "~"} ${oneLine(after ?? before ?? "", 300)}`;
}

const AROUND = 24;

/** The words that went and came, with a little of what stands around them. */
const wordsOf = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }, i, all) => {
      if (kind === "added") return `{+${oneLine(text, 300)}+}`;
      if (kind === "removed") return `[-${oneLine(text, 300)}-]`;
      if (text.length <= 2 * AROUND) return text.replace(/\n/g, " ");
      const [head, tail] = [i === 0 ? "" : text.slice(0, AROUND), i === all.length - 1 ? "" : text.slice(-AROUND)];
      return `${head}…${tail}`.replace(/\n/g, " ").toWellFormed();
    })
    .join("");
