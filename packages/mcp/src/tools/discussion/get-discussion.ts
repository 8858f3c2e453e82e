import type { Client, CommentThread, SuggestedChange, Suggestion } from "@svc/sdk";
import * as z from "zod";
import { cursor, documentId, exactlyOne } from "../../arguments.ts";
import { facts, lines, oneLine, plural } from "../../text.ts";
import { readingTool } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

const id = z.string().min(1).max(64).optional();

export const getDiscussion = readingTool({
  name: "get_discussion",
  title: "Comments and suggestions",
  set: "review",
  description:
    "What waits on a document for an answer or a decision: open comment threads and open suggestions with their changes. With comment_id or suggestion_id that one, uncut.",
  scopes: ["documents:read"],
  input: z
    .strictObject({ document_id: documentId.optional(), comment_id: id, suggestion_id: id, cursor })
    .refine(exactlyOne("document_id", "comment_id", "suggestion_id"), {
      error: "Send exactly one of document_id, comment_id, suggestion_id.",
    }),
  run: async (client, { document_id, comment_id, suggestion_id, cursor }) => {
    if (comment_id !== undefined) return { text: await wholeComment(client, comment_id) };
    if (suggestion_id !== undefined) return { text: await wholeSuggestion(client, suggestion_id, cursor) };
    return { text: await whatWaits(client, document_id ?? "", cursor) };
  },
});

/** The two lists have cursors of their own; each says which one it is of. */
const [THREADS, SUGGESTIONS] = ["threads.", "suggestions."];
const THREADS_AT_ONCE = 50;
const SUGGESTIONS_AT_ONCE = 25;
const CHANGES_SHOWN = 20;
/** Characters of one answer with whole changes. */
const MAX_CHARACTERS = 40_000;

async function whatWaits(client: Client, id: string, cursor = ""): Promise<string> {
  if (cursor !== "" && !cursor.startsWith(THREADS) && !cursor.startsWith(SUGGESTIONS))
    throw new UsageError("**invalid_cursor**: this is no cursor of this tool.", "begin again without a cursor.");
  const [threads, suggestions] = await Promise.all([
    cursor.startsWith(SUGGESTIONS) ? undefined : readThreads(client, id, cursor.slice(THREADS.length)),
    cursor.startsWith(THREADS) ? undefined : readSuggestions(client, id, cursor.slice(SUGGESTIONS.length)),
  ]);
  return lines(
    `${[
      threads && counted(threads, "open thread", cursor),
      suggestions && counted(suggestions, "open suggestion", cursor),
    ]
      .filter((count) => count !== undefined)
      .join(", ")}.`,
    ...(threads?.data.flatMap(threadLines) ?? []),
    ...(suggestions?.data.flatMap(suggestionLines) ?? []),
    threads && goOn(THREADS, threads.page.next_cursor),
    suggestions && goOn(SUGGESTIONS, suggestions.page.next_cursor),
  );
}

const readThreads = (client: Client, id: string, cursor: string) =>
  client.get("/documents/{id}/comments", {
    path: { id },
    query: { limit: THREADS_AT_ONCE, ...(cursor !== "" && { cursor }) },
  });

const readSuggestions = (client: Client, id: string, cursor: string) =>
  client.get("/documents/{id}/suggestions", {
    path: { id },
    query: { status: "open", limit: SUGGESTIONS_AT_ONCE, ...(cursor !== "" && { cursor }) },
  });

interface Part {
  readonly data: readonly unknown[];
  readonly page: { readonly next_cursor: string | null };
}

/** How many there are is known only when one page has them all. */
const counted = ({ data, page }: Part, noun: string, cursor: string): string =>
  `${cursor === "" ? "" : "further: "}${plural(data.length, noun)}${page.next_cursor === null ? "" : " and more"}`;

const goOn = (kind: string, next: string | null): string | null =>
  next === null ? null : `\nThere are more ${kind.slice(0, -1)}: the same with cursor: ${kind}${next}`;

const threadLines = (thread: CommentThread): string[] => [
  `- ${said(thread)} (${facts({
    comment_id: thread.id,
    block_id: thread.anchor?.block_id,
    quote: thread.anchor?.quote ? JSON.stringify(oneLine(thread.anchor.quote, 100)) : undefined,
    state: thread.anchor?.state === "ok" ? undefined : thread.anchor?.state,
  })})`,
  ...thread.replies.map((reply) => `  - ${said(reply)}${isCut(reply) ? ` (${facts({ comment_id: reply.id })})` : ""}`),
];

const COMMENT_CHARACTERS = 500;

const said = ({ author, body }: Pick<CommentThread, "author" | "body">): string =>
  `**${oneLine(author.name, 60)}**: ${body ? oneLine(body.markdown, COMMENT_CHARACTERS) : "(deleted)"}`;

const isCut = ({ body }: Pick<CommentThread, "body">): boolean =>
  body !== null && oneLine(body.markdown, COMMENT_CHARACTERS) !== oneLine(body.markdown, Number.POSITIVE_INFINITY);

async function wholeComment(client: Client, id: string): Promise<string> {
  const { data } = await client.get("/comments/{id}", { path: { id } });
  const { author, body, anchor, document_id } = data;
  return lines(
    facts({ comment_id: data.id, document_id, by: oneLine(author.name, 60), block_id: anchor?.block_id }),
    anchor?.quote && `quote: ${JSON.stringify(anchor.quote)}`,
    "",
    body ? body.markdown : "(deleted)",
  );
}

const suggestionHead = ({ author, note, id }: Suggestion): string =>
  `- **${oneLine(author.name, 60)}** suggests${note ? `: ${oneLine(note)}` : ""} (${facts({ suggestion_id: id })})`;

function suggestionLines(suggestion: Suggestion): string[] {
  const left = suggestion.changes.length - CHANGES_SHOWN;
  const rest = left > 0 ? [`  - and ${plural(left, "change")} more: ask with suggestion_id`] : [];
  return [suggestionHead(suggestion), ...suggestion.changes.slice(0, CHANGES_SHOWN).map(changeLine), ...rest];
}

const changeFacts = ({ id, change_type, state }: SuggestedChange): string =>
  facts({ change_id: id, change: change_type, state });

const changeLine = (change: SuggestedChange): string =>
  `  - ${changeFacts(change)}: ${[change.before, change.after]
    .map((side) => JSON.stringify(side ? oneLine(side.markdown, 300) : ""))
    .join(" → ")}`;

/** Every change with all its words, as many as an answer takes; the cursor is the number of those that were shown. */
async function wholeSuggestion(client: Client, id: string, cursor = "0"): Promise<string> {
  const { data } = await client.get("/suggestions/{id}", { path: { id } });
  const from = Number(cursor);
  if (!/^\d+$/.test(cursor) || (from > 0 && from >= data.changes.length))
    throw new UsageError("**invalid_cursor**: this is no cursor of this suggestion.", "begin again without a cursor.");
  const shown: string[] = [];
  let characters = 0;
  for (const change of data.changes.slice(from)) {
    const text = wholeChange(change);
    characters += text.length;
    if (shown.length > 0 && characters > MAX_CHARACTERS) break;
    shown.push(text);
  }
  const next = from + shown.length;
  return lines(
    facts({ document_id: data.document_id, status: data.status, changes: data.changes.length }),
    suggestionHead(data),
    ...shown,
    next < data.changes.length && `\nThere are more changes: the same with cursor: ${next}`,
  );
}

const wholeChange = (change: SuggestedChange): string =>
  lines(
    `\n${changeFacts(change)}`,
    change.before && `before:\n${change.before.markdown}`,
    change.after && `after:\n${change.after.markdown}`,
  );
