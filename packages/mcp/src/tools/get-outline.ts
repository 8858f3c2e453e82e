import type { OutlineItem } from "@svc/sdk";
import * as z from "zod";
import { documentId } from "../arguments.ts";
import { facts, lines, oneLine, plural } from "../text.ts";
import { readingTool } from "../tool.ts";

export const getOutline = readingTool({
  name: "get_outline",
  title: "Outline of a document",
  set: "blocks",
  description:
    "The headings of a document as a tree, each with its block_id and the size of its section: a cheap first look at a long document. Go on with read_document and section_block_id.",
  scopes: ["documents:read"],
  input: z.strictObject({ document_id: documentId }),
  run: async (client, { document_id: id }) => {
    const [{ data: document }, { data: outline }] = await Promise.all([
      client.get("/documents/{id}", { path: { id } }),
      client.get("/documents/{id}/outline", { path: { id } }),
    ]);
    return {
      text: lines(
        `**${oneLine(document.title)}**`,
        facts({
          document_id: id,
          version: outline.version,
          blocks: document.block_count,
          characters: document.character_count,
        }),
        "",
        ...(outline.items.length === 0
          ? ["It has no headings."]
          : outline.items.flatMap((item) => headingLines(item, ""))),
      ),
    };
  },
});

const headingLines = (item: OutlineItem, indent: string): string[] => [
  `${indent}- ${oneLine(item.text) || "(empty heading)"} (${facts({ block_id: item.block_id })}, ${plural(item.range.block_count, "block")})`,
  ...item.children.flatMap((child) => headingLines(child, `${indent}  `)),
];
