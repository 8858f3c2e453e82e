import { anchorComment } from "@svc/document/markdown/anchor-comment";
import type { Block, Client, Document, Reading } from "@svc/sdk";
import * as z from "zod";
import { blockId, cursor, documentId, locale } from "../arguments.ts";
import { facts, lines, more, oneLine } from "../text.ts";
import { type Outcome, readingTool } from "../tool.ts";

/** What one line of the block view costs, roughly, id and type included. */
const TOKENS_PER_BLOCK = 50;

export const readDocument = readingTool({
  name: "read_document",
  title: "Read a document",
  description:
    "Reads a document within a token budget, from the start, around a block, or one section. An anchor comment `<!--@block=…-->` before each block gives the id that edit_blocks takes, and `version` is what edits are based on. When there is more, it gives a cursor.",
  scopes: ["documents:read"],
  input: z.strictObject({
    document_id: documentId,
    max_tokens: z
      .int()
      .min(1)
      .max(200_000)
      .default(4000)
      .describe("Budget for the text; each anchor comment adds about 20 tokens."),
    around_block_id: blockId
      .optional()
      .describe("Grow the window from this block to both sides, such as from a search hit."),
    section_block_id: blockId.optional().describe("Only the section of this heading block; get_outline shows them."),
    view: z
      .enum(["markdown", "plain_text", "blocks"])
      .default("markdown")
      .describe("`blocks` lists all blocks, nested ones too, each with its id, type and text."),
    anchors: z.boolean().default(true).describe("With view markdown: anchor comments before the blocks."),
    locale: locale
      .optional()
      .describe("The language version to read, with fallback; edits go to the document it names."),
    cursor,
  }),
  run: async (client, args) => {
    const document = await resolve(client, args.document_id, args.locale);
    const editing = editingLine(client, document.id);
    const read = args.view === "blocks" ? readBlocks : readText;
    const outcome = await read(client, document, args);
    return { ...outcome, text: lines(await editing, outcome.text) };
  },
});

/** The document itself, or its version in that language. */
async function resolve(client: Client, id: string, wanted: string | undefined): Promise<Document> {
  const { data } = await client.get("/documents/{id}", { path: { id } });
  if (wanted === undefined || data.document_set_id === null) return data;
  const found = await client.get("/documents/{id}/localizations", { path: { id }, query: { locale: wanted } });
  if (found.data.resolved_document_id === id) return data;
  return (await client.get("/documents/{id}", { path: { id: found.data.resolved_document_id } })).data;
}

/** Who types in the document at this moment: its version moves while they do. */
async function editingLine(client: Client, id: string): Promise<string | false> {
  const { data } = await client.get("/documents/{id}/live", { path: { id } });
  const names = data.editors.map(({ user }) => oneLine(user.name)).join(", ");
  return (
    names !== "" && `Being edited now in the browser by ${names}: change single blocks, and read again on a conflict.\n`
  );
}

interface TextArguments {
  readonly max_tokens: number;
  readonly around_block_id?: string | undefined;
  readonly section_block_id?: string | undefined;
  readonly view: "markdown" | "plain_text" | "blocks";
  readonly anchors: boolean;
  readonly cursor?: string | undefined;
}

async function readText(client: Client, document: Document, args: TextArguments): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/read", {
    path: { id: document.id },
    query: {
      max_tokens: args.max_tokens,
      around: args.around_block_id,
      section: args.section_block_id,
      cursor: args.cursor,
      view: args.view === "markdown" ? "markdown" : "plain-text",
    },
  });
  const anchors = args.anchors && args.view === "markdown";
  return {
    text: lines(
      headOf(document, data.version, { tokens: `${data.used_tokens} of ${args.max_tokens}` }),
      data.budget_exceeded && "The first block alone is larger than the budget.",
      "\n---\n",
      data.items.length === 0 ? "(The document is empty.)" : bodyOf(data, anchors),
      data.next_cursor !== null && "\n---",
      more(data),
    ),
  };
}

const bodyOf = ({ items }: Reading, anchors: boolean): string =>
  items
    .map(({ block_id, content }) => (anchors ? `${anchorComment(block_id)}\n${content}` : String(content)))
    .join("\n\n");

const headOf = (document: Document, version: string, values: Record<string, unknown>): string =>
  lines(
    `**${oneLine(document.title)}**`,
    facts({
      document_id: document.id,
      version,
      locale: document.locale,
      translation: document.translation_freshness === "current" ? undefined : document.translation_freshness,
      ...values,
    }),
    Object.keys(document.properties).length > 0 && `properties: ${JSON.stringify(document.properties)}`,
  );

async function readBlocks(client: Client, document: Document, args: TextArguments): Promise<Outcome> {
  const limit = Math.min(100, Math.max(1, Math.floor(args.max_tokens / TOKENS_PER_BLOCK)));
  const { data, page } = await client.get("/documents/{id}/blocks", {
    path: { id: document.id },
    query: { recursive: true, limit, cursor: args.cursor },
  });
  return {
    text: lines(
      headOf(document, data[0]?.version ?? document.version, {}),
      "",
      ...(data.length === 0 ? ["(The document is empty.)"] : data.map(blockLine)),
      more(page),
    ),
  };
}

/** The text of a container stands in its children, which follow it. */
function blockLine({ depth, id, type, text }: Block, index: number, all: readonly Block[]): string {
  const isContainer = (all[index + 1]?.depth ?? 0) > depth;
  return `${"  ".repeat(depth)}- ${id} ${type}${text === "" || isContainer ? "" : `: ${oneLine(text)}`}`;
}
