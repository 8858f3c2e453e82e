import type { Answer, Client, SearchHit } from "@svc/sdk";
import * as z from "zod";
import {
  cursor,
  documentId,
  folderId,
  knowledgeBaseId,
  limit,
  place,
  propertyFilter,
  propertyQuery,
} from "../../arguments.ts";
import { costOf, cutText, largestFitting, roomIn } from "../../budget.ts";
import { findPlace } from "../../names/find-place.ts";
import { momentIn } from "../../names/moment-in.ts";
import { short } from "../../short.ts";
import { lines, more, oneLine, plural } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";
import { answerQuestion } from "./answer-question.ts";

export const search = readingTool({
  name: "search",
  title: "Search",
  set: "core",
  description:
    'Finds blocks by words ("a phrase", prefix*, -not) and answers each whole with its path, heading and ids: enough to cite or edit. Best first; each hit says which words it lacks. With ask: cited passages that answer a question, or that nothing does.',
  scopes: ["documents:read"],
  hidden: ["knowledge_base_id", "folder_id", "locale", "exhaustive"],
  input: z.strictObject({
    query: z.string().min(1).max(512),
    in: place.optional().describe("Base or Base/Folder."),
    document_id: documentId.optional(),
    limit: limit(5),
    max_tokens: z.int().min(50).max(200_000).default(4000),
    cursor,
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
    locale: z.string().max(100).optional(),
    updated_since: z.string().max(40).optional().describe("A date, a time or 7d."),
    properties: propertyFilter.optional().describe('Only pages with these, such as {"tags": "ops"}.'),
    exhaustive: z.boolean().default(false),
    ask: z.boolean().default(false),
  }),
  run: async (
    client,
    { query, exhaustive, ask, in: where, properties, updated_since: since, max_tokens, ...given },
  ) => {
    if (ask) {
      const { document_id, folder_id, cursor, ...taken } = given;
      const others = { document_id, folder_id, cursor, properties, updated_since: since };
      return answerQuestion(client, query, { ...taken, in: where, max_tokens, others });
    }
    const filter = {
      ...given,
      ...(since !== undefined && { updated_since: String(momentIn(since) ?? since) }),
      ...propertyQuery(properties),
      ...(where !== undefined && (await findPlace(client, where))),
      ...(exhaustive && { mode: "exhaustive" as const }),
    };
    const found = await client.get("/search/v2", {
      query: { q: query, ...filter, include_block: true, type: "all" },
    });
    if (found.hits.total === 0)
      return { text: `Nothing found for ${oneLine(query)}${await nearby(client, query, filter)}` };
    return answer(found, max_tokens);
  },
});

/** Explains whether the filter excluded all hits, and suggests the next step. */
async function nearby(client: Client, query: string, filter: Readonly<Record<string, unknown>>): Promise<string> {
  const isFiltered = ["in", "document_id", "knowledge_base_id", "folder_id", "locale", "updated_since"].some(
    (name) => filter[name] !== undefined,
  );
  if (!isFiltered && !Object.keys(filter).some((name) => name.startsWith("property.")))
    return ". Try other words; browse shows what there is.";
  const { hits } = await client.get("/search/v2", { query: { q: query, limit: 1, type: "all" } });
  return hits.total > 0
    ? ` with these filters; without them there are ${plural(hits.total, "hit")}.`
    : ", with these filters or without. Try other words; browse shows what there is.";
}

type Found = Answer<"/search/v2">;

/** Formats as many hits as fit the budget. If some do not fit, omits the cursor, because it would skip them. */
function answer({ data, page, hits, projection }: Found, maxTokens: number): Outcome {
  const room = roomIn(maxTokens);
  const whole = (count: number): string => {
    const left = data.length - count;
    const isCut = left > 0 && `… ${plural(left, "more hit")} of these: ask for fewer with limit, or more max_tokens`;
    return lines(
      `${plural(hits.total, "hit")} in ${plural(hits.documents, "document")}.`,
      !projection.complete && `Not complete: ${plural(projection.stale_count, "document")} still being indexed.`,
      ...data.slice(0, count).map((hit, i) => hitText(hit, i + 1)),
      isCut || more(page),
    );
  };
  const fitting = largestFitting(data.length, (count) => costOf([whole(count)]) <= room);
  return { text: fitting === 0 ? cutText(whole(1), room) : whole(fitting) };
}

/** Max characters of a block that a hit shows in full. */
const WHOLE = 700;

/** The text around a hit: the whole block (of a table, the row) as Markdown, or an excerpt of a long block. */
function textOf({ block_id, block, context, attachment_id, page }: SearchHit): string {
  if (attachment_id !== undefined && page === null) return "(in the name of the file)";
  if (block_id === null && attachment_id === undefined) return "(in the title)";
  if (block && block.length <= WHOLE) return block;
  return `…${oneLine(`${context.before}${context.match}${context.after}`, 400)}…`;
}

/** Formats a hit as `1. Base / Title > Heading (document#block)`, followed by the text. */
function hitText(hit: SearchHit, number: number): string {
  const headings = hit.heading_path.map((each) => oneLine(each, 60));
  const file =
    hit.attachment_id === undefined
      ? ""
      : `, file ${hit.attachment_id.slice(-8)} ${oneLine(hit.file_name ?? "", 80)}${hit.page ? `, page ${hit.page}` : ""}`;
  const ids = [hit.document_id, ...(hit.block_id === null ? [] : [hit.block_id])].map(short).join("#");
  const lack = hit.missing.length > 0 ? `, not found: ${hit.missing.map((word) => oneLine(word, 40)).join(", ")}` : "";
  return `${number}. ${[oneLine(hit.path_text), ...headings].join(" > ")} (${ids}${file})${lack}\n${textOf(hit)}`;
}
