import type { SearchHit } from "@svc/sdk";
import * as z from "zod";
import { cursor, folderId, knowledgeBaseId, limit, propertyFilter, propertyQuery } from "../arguments.ts";
import { facts, lines, more, oneLine, plural, time } from "../text.ts";
import { readingTool } from "../tool.ts";

export const search = readingTool({
  name: "search",
  title: "Search",
  description:
    'Finds blocks and titles by their words. All words must stand in one block; "a phrase", prefix* and -not work. Answers excerpts with document_id, block_id and version; go on with read_document (around_block_id) to see the surroundings.',
  scopes: ["documents:read"],
  input: z.strictObject({
    query: z.string().min(1).max(512).describe("Words, phrases in quotes, prefix*, -not."),
    knowledge_base_id: knowledgeBaseId.optional(),
    folder_id: folderId.optional(),
    locale: z
      .string()
      .max(100)
      .optional()
      .describe("A language tag, or `all`. Left out: ordinary and source-language documents."),
    updated_since: z.string().max(40).optional().describe("ISO 8601; only documents changed since then."),
    properties: propertyFilter.optional(),
    exhaustive: z.boolean().default(false).describe("Every hit in the order of the index, instead of the best first."),
    limit: limit(10),
    cursor,
  }),
  run: async (client, { query: q, exhaustive, properties, ...filter }) => {
    const { data, page, hits, projection } = await client.get("/search/v2", {
      query: { q, ...(exhaustive && { mode: "exhaustive" }), ...filter, ...propertyQuery(properties) },
    });
    if (hits.total === 0)
      return {
        text: `Nothing found for ${q}. Try fewer words, another spelling, or prefix*; browse shows what there is.`,
      };
    return {
      text: lines(
        `${plural(hits.total, "hit")} in ${plural(hits.documents, "document")}.`,
        !projection.complete &&
          `Not complete: ${plural(projection.stale_count, "document")} still being indexed (${projection.stale_document_ids.slice(0, 5).join(", ")}).`,
        ...data.map((hit, index) => hitText(hit, index + 1)),
        more(page),
      ),
    };
  },
});

const hitText = (hit: SearchHit, number: number): string =>
  lines(
    `\n${number}. **${oneLine(hit.title)}** (${oneLine(hit.path_text)})`,
    `   ${facts({ document_id: hit.document_id, block_id: hit.block_id, version: hit.source_version, updated: time(hit.updated_at) })}`,
    hit.heading_path.length > 0 && `   under ${hit.heading_path.map((text) => oneLine(text, 80)).join(" > ")}`,
    `   > ${excerptOf(hit)}`,
  );

const excerptOf = ({ context, matched_in }: SearchHit): string =>
  matched_in === "title" ? "(in the title)" : oneLine(`${context.before}**${context.match}**${context.after}`, 400);
