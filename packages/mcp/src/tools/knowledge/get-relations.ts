import type { Client, Relation } from "@svc/sdk";
import { isApiError } from "@svc/sdk";
import * as z from "zod";
import { cursor, documentId, limit } from "../../arguments.ts";
import { predicates } from "../../predicates.ts";
import { facts, lines, more, oneLine } from "../../text.ts";
import { readingTool } from "../../tool.ts";

export const getRelations = readingTool({
  name: "get_relations",
  title: "Links and back-links",
  set: "core",
  description:
    "What a document points to and what points to it: links in texts (refers_to) and relations that were stated, each with the block it comes from. Tells when a target is gone.",
  scopes: ["documents:read"],
  input: z.strictObject({
    document_id: documentId,
    direction: z.enum(["both", "outgoing", "incoming"]).default("both").describe("`incoming` gives the back-links."),
    predicate: z.enum(predicates).optional().describe("Only relations of this kind."),
    limit: limit(50),
    cursor,
  }),
  run: async (client, { document_id: id, ...query }) => {
    const { data, page, projection_freshness } = await client.get("/documents/{id}/relations", { path: { id }, query });
    const titles = await titlesOf(
      client,
      data.map((relation) => otherEnd(relation)),
    );
    return {
      text: lines(
        facts({ document_id: id, freshness: projection_freshness }),
        projection_freshness === "stale" && "Some links are still being read: this is not complete.",
        data.length === 0 && "There are none.",
        ...data.map((relation) => relationLine(relation, titles)),
        more(page),
      ),
    };
  },
});

const otherEnd = (relation: Relation): string | null =>
  relation.direction === "outgoing" ? relation.target_document_id : relation.source_document_id;

const TITLES_ASKED_FOR = 20;

/** The titles of the visible documents at the other ends; if there are many, only of the first ones. */
async function titlesOf(client: Client, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const known = [...new Set(ids.filter((id) => id !== null))].slice(0, TITLES_ASKED_FOR);
  const found = await Promise.all(
    known.map((id) =>
      client.get("/documents/{id}", { path: { id } }).catch((error: unknown) => {
        if (isApiError(error, "not_found")) return undefined;
        throw error;
      }),
    ),
  );
  return new Map(found.flatMap((answer) => (answer ? [[answer.data.id, answer.data.title] as const] : [])));
}

function relationLine(relation: Relation, titles: ReadonlyMap<string, string>): string {
  const isOut = relation.direction === "outgoing";
  const id = otherEnd(relation);
  const title = id === null ? undefined : titles.get(id);
  return `- ${isOut ? "→" : "←"} ${relation.predicate} ${title ? `**${oneLine(title)}**` : ""} (${facts({
    [isOut ? "target" : "source"]: isOut ? relation.target_uri : relation.source_document_id,
    [isOut ? "from_block_id" : "source_block_id"]: relation.source_block_id,
    target_block_id: isOut ? undefined : relation.target_block_id,
    version: isOut ? undefined : relation.source_version,
    relation_id: relation.origin === "manual" ? relation.id : undefined,
    text: relation.anchor_text ? JSON.stringify(oneLine(relation.anchor_text, 100)) : undefined,
    state: relation.state === "ok" ? undefined : relation.state,
  })})`;
}
