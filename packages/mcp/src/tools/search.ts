import type { Client, SearchHit } from "@svc/sdk";
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
} from "../arguments.ts";
import { blockOfHit } from "../hit-block.ts";
import { findPlace } from "../names/find-place.ts";
import { relax } from "../search-words.ts";
import { short } from "../short.ts";
import { lines, more, oneLine, plural } from "../text.ts";
import { type Outcome, readingTool } from "../tool.ts";

export const search = readingTool({
  name: "search",
  title: "Search",
  set: "core",
  description:
    'Finds blocks by words ("a phrase", prefix*, -not) and answers each whole with its path, heading and ids: enough to cite or edit. If not all words are found together, says which are missing.',
  scopes: ["documents:read"],
  hidden: ["knowledge_base_id", "folder_id", "locale", "updated_since", "properties", "exhaustive"],
  input: z.strictObject({
    query: z.string().min(1).max(512),
    in: place.optional().describe("Base or Base/Folder."),
    document_id: documentId.optional(),
    limit: limit(5),
    cursor,
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
    locale: z.string().max(100).optional(),
    updated_since: z.string().max(40).optional(),
    properties: propertyFilter.optional(),
    exhaustive: z.boolean().default(false),
  }),
  run: async (client, { query, exhaustive, in: where, document_id, properties, ...given }) => {
    const filter = {
      ...given,
      ...propertyQuery(properties),
      ...(where !== undefined && (await findPlace(client, where))),
      ...(exhaustive && { mode: "exhaustive" as const }),
    };
    const first = await ask(client, query, filter, document_id);
    if (first.hits.total > 0 || given.cursor !== undefined) return answer(client, first);
    const { limit: _limit, cursor: _cursor, mode: _mode, ...place } = filter as Record<string, unknown>;
    const relaxed = await relax(client, query, place);
    if (relaxed === undefined)
      return { text: `Nothing found for ${oneLine(query)}. Try other words; browse shows what there is.` };
    const second = await ask(client, relaxed.query, filter, document_id);
    const missing = relaxed.missing.length > 0 ? ` Missing: ${relaxed.missing.join(", ")}.` : "";
    return answer(client, second, `No block has all of that.${missing} For ${relaxed.query}:`);
  },
});

/** Within one document the best hits of all are looked through. */
async function ask(client: Client, q: string, filter: Record<string, unknown>, documentId: string | undefined) {
  if (documentId === undefined) return client.get("/search/v2", { query: { q, ...filter } });
  const found = await client.get("/search/v2", { query: { q, ...filter, limit: 100, cursor: undefined } });
  const data = found.data.filter((hit) => hit.document_id === documentId).slice(0, Number(filter.limit));
  const page = { ...found.page, next_cursor: null, has_more: false };
  return { ...found, data, page, hits: { ...found.hits, total: data.length, documents: Math.min(1, data.length) } };
}

type Found = Awaited<ReturnType<typeof ask>>;

async function answer(client: Client, { data, page, hits, projection }: Found, note?: string): Promise<Outcome> {
  const texts = await Promise.all(data.map((hit) => blockOfHit(client, hit)));
  return {
    text: lines(
      note,
      `${plural(hits.total, "hit")} in ${plural(hits.documents, "document")}.`,
      !projection.complete && `Not complete: ${plural(projection.stale_count, "document")} still being indexed.`,
      ...data.map((hit, i) => hitText(hit, i + 1, texts[i]!)),
      more(page),
    ),
  };
}

/** `1. Base / Title > Heading (document#block)`, then the text. */
function hitText(hit: SearchHit, number: number, text: string): string {
  const headings = hit.heading_path.map((each) => oneLine(each, 60));
  const ids = [hit.document_id, ...(hit.block_id === null ? [] : [hit.block_id])].map(short).join("#");
  return `${number}. ${[oneLine(hit.path_text), ...headings].join(" > ")} (${ids})\n${text}`;
}
