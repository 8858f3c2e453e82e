import type { Client, OutlineItem, Position } from "@svc/sdk";
import * as z from "zod";
import { documentId, section } from "../arguments.ts";
import { findBlock } from "../names/find-block.ts";
import { short } from "../short.ts";
import { lines, oneLine, plural } from "../text.ts";
import { writingTool } from "../tool.ts";

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
    after: section.optional().describe("A section of the target."),
  }),
  run: async (client, { document_id, section: heading, target_document_id, after }) => {
    const blockId = await findBlock(client, document_id, heading);
    const position =
      after === undefined ? { document_end: true as const } : await behind(client, target_document_id, after);
    const { data } = await client.post("/documents/{id}/sections/{blockId}/move", {
      path: { id: document_id, blockId },
      body: { target_document_id, position },
    });
    const titleOf = async (id: string) => oneLine((await client.get("/documents/{id}", { path: { id } })).data.title);
    const [from, to] = await Promise.all([titleOf(document_id), titleOf(target_document_id)]);
    return {
      text: lines(
        `Moved ${plural(data.moved_block_ids.length, "block")} from **${from}** to **${to}**; ${plural(data.relinked.length, "link")} changed.`,
        `version: ${short(data.source.version)} · target_version: ${short(data.target.version)}`,
      ),
    };
  },
});

/** The end of a section, or the block itself if it is no heading. */
async function behind(client: Client, id: string, name: string): Promise<Position> {
  const blockId = await findBlock(client, id, name);
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const found = flat(data.items).find((item) => item.block_id === blockId);
  return { after_block_id: found?.range.end_block_id ?? blockId };
}

const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);
