import { ApiError } from "@svc/sdk";
import * as z from "zod";
import type { Session } from "../../session.ts";
import { type Outcome, readingTool } from "../../tool.ts";

const LIMIT = 10;
/** Hits among which the best of each page and file counts. */
const MAX_HITS = 50;
const MAX_QUERY = 512;

const output = z.object({
  results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
});

/** The address at which people read a page, or one of its files. */
export const pageUrl = ({ siteUrl = "" }: Session, documentId: string, file?: string): string =>
  `${siteUrl}/documents/${documentId}${file === undefined ? "" : `/files/${file}`}`;

/** A connector reads JSON from the text; other programs read the same from the structured content. */
export const asJson = (data: Record<string, unknown>): Outcome => ({ text: JSON.stringify(data), data });

/** `search` as connectors of ChatGPT expect it: pages and files by words, without snippets. */
export const connectorSearch = readingTool({
  name: "search",
  title: "Search",
  set: "connector",
  description: "Searches pages and files by words. Returns their ids, titles and addresses, the best first.",
  scopes: ["documents:read"],
  input: z.strictObject({ query: z.string() }),
  output,
  run: async (client, { query }, session) => {
    const q = [...query].slice(0, MAX_QUERY / 2).join("");
    try {
      const { data: hits } = await client.get("/search/v2", { query: { q, type: "all", limit: MAX_HITS } });
      const results = hits.map(({ document_id, title, attachment_id, file_name }) => ({
        id: attachment_id ?? document_id,
        title: attachment_id === undefined ? title : `${file_name} (${title})`,
        url: pageUrl(session, document_id, attachment_id),
      }));
      const unique = new Map(results.toReversed().map((result) => [result.id, result]));
      return asJson({ results: [...unique.values()].reverse().slice(0, LIMIT) });
    } catch (error) {
      // A question without a word that could be searched.
      if (error instanceof ApiError && error.status === 400) return asJson({ results: [] });
      throw error;
    }
  },
});
