import type { Client, OutlineItem, Position } from "@svc/sdk";
import * as z from "zod";
import { documentId, section } from "../../arguments.ts";
import { findBlock } from "../../names/find-block.ts";
import { short } from "../../short.ts";
import { lines, plural } from "../../text.ts";
import { writingTool } from "../../tool.ts";
import { titleOf } from "../../written.ts";

const START = "start";

export const moveSection = writingTool({
  name: "move_section",
  title: "Move a section",
  set: "core",
  description:
    "Moves the section of a heading to another document, to its end or behind one of its sections. Block ids stay, and links to them follow.",
  scopes: ["documents:read", "documents:write"],
  destructive: true,
  input: z.strictObject({
    document_id: documentId,
    section,
    target_document_id: documentId,
    after: section.optional().describe("A section or block of the target, or start."),
  }),
  run: async (client, { document_id, section: heading, target_document_id, after }) => {
    const blockId = await findBlock(client, document_id, heading);
    const before = await blockBefore(client, document_id, blockId);
    const position =
      after === undefined ? { document_end: true as const } : await behind(client, target_document_id, after);
    const { data } = await client.post("/documents/{id}/sections/{blockId}/move", {
      path: { id: document_id, blockId },
      body: { target_document_id, position },
    });
    const [from, to] = await Promise.all([titleOf(client, document_id), titleOf(client, target_document_id)]);
    const left = data.not_relinked.length;
    return {
      text: lines(
        `Moved ${plural(data.moved_block_ids.length, "block")} from **${from}** to **${to}**; ${plural(data.relinked.length, "link")} changed.`,
        left > 0 &&
          `Not changed, as you may not write there: ${plural(left, "link")} in ${placesOf(data.not_relinked)}.`,
        `version: ${short(data.source.version)} · target_version: ${short(data.target.version)}`,
        `Undo: move_section document_id ${short(target_document_id)}, section ${short(blockId)}, target_document_id ${short(document_id)}, after ${before}`,
      ),
    };
  },
});

const placesOf = (places: readonly { readonly document_id: string }[]): string =>
  [...new Set(places.map(({ document_id }) => short(document_id)))].slice(0, 10).join(", ");

/** The `after` argument that moves a section back to its current position. */
async function blockBefore(client: Client, id: string, blockId: string): Promise<string> {
  const { data } = await client.get("/documents/{id}/blocks", { path: { id } });
  const index = data.findIndex((block) => block.id === blockId);
  return short(data[index - 1]?.id ?? START);
}

/** The beginning of the document, the end of a section, or the block itself if it is no heading. */
async function behind(client: Client, id: string, name: string): Promise<Position> {
  if (name === START) return { document_start: true };
  const blockId = await findBlock(client, id, name);
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const found = flat(data.items).find((item) => item.block_id === blockId);
  return { after_block_id: found?.range.end_block_id ?? blockId };
}

const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);
