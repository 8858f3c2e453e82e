import { estimateTokens } from "@svc/document/read/tokens";
import type { Block, Client, Document, OutlineItem, Reading } from "@svc/sdk";
import * as z from "zod";
import { blockId, cursor, documentId, locale, section } from "../arguments.ts";
import { findBlock } from "../names/find-block.ts";
import { anchor, short } from "../short.ts";
import { facts, lines, more, oneLine, plural } from "../text.ts";
import { type Outcome, readingTool } from "../tool.ts";

/** What one line of the block view costs, roughly, id and type included. */
const TOKENS_PER_BLOCK = 25;
/** What stands around the text: title, version, how to go on. */
const TOKENS_AROUND = 60;

export const readDocument = readingTool({
  name: "read_document",
  title: "Read a document",
  set: "core",
  description:
    "Reads a document, or one section of it, as Markdown within max_tokens (default 4000, everything counted). When there is more, it says from where to go on. view outline lists the headings with sizes, blocks all block ids.",
  scopes: ["documents:read"],
  hidden: ["around_block_id", "section_block_id", "anchors", "locale", "cursor"],
  input: z.strictObject({
    document_id: documentId,
    section: section.optional().describe("Heading text or id."),
    from: z.string().min(1).max(100).optional(),
    max_tokens: z.int().min(1).max(200_000).default(4000),
    view: z.enum(["markdown", "outline", "blocks", "plain_text"]).default("markdown"),
    anchors: z.boolean().default(false),
    around_block_id: blockId.optional(),
    section_block_id: blockId.optional(),
    locale: locale.optional(),
    cursor,
  }),
  run: async (client, args) => {
    const document = await resolve(client, args.document_id, args.locale);
    const editing = editingLine(client, document.id);
    const read = args.view === "blocks" ? readBlocks : args.view === "outline" ? readOutline : readText;
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
  readonly section?: string | undefined;
  readonly from?: string | undefined;
  readonly around_block_id?: string | undefined;
  readonly section_block_id?: string | undefined;
  readonly view: string;
  readonly anchors: boolean;
  readonly cursor?: string | undefined;
}

async function readText(client: Client, document: Document, args: TextArguments): Promise<Outcome> {
  const { id } = document;
  const heading = args.section_block_id ?? (args.section && (await findBlock(client, id, args.section)));
  const [start, skip = "0"] = (args.from ?? "").split("+");
  const begin = start ? await findBlock(client, id, start) : undefined;
  const budget = Math.max(1, args.max_tokens - TOKENS_AROUND);
  const query = {
    section: await sectionOf(client, id, heading),
    view: args.view === "plain_text" ? ("plain-text" as const) : ("markdown" as const),
  };
  const { data } = await client.get("/documents/{id}/read", {
    path: { id },
    query: {
      ...query,
      max_tokens: budget,
      around: args.around_block_id ?? around(heading, query.section),
      from: begin,
      cursor: args.cursor,
    },
  });
  const anchored = args.anchors && args.view === "markdown";
  const whole = takeWhole(data.items, budget, anchored, Number(skip));
  const rest = await takePart(client, id, data, { ...whole, query, budget, anchored });
  const text = [...whole.texts, ...rest.texts].join("\n\n");
  return {
    text: lines(
      headOf(document, data.version),
      "",
      text === "" ? "(The document is empty.)" : text,
      rest.next !== undefined && `\nThere is more: go on with from: ${rest.next}`,
    ),
  };
}

/** A section is named by its heading; another block is read with what stands around it. */
async function sectionOf(client: Client, id: string, blockId: string | undefined): Promise<string | undefined> {
  if (blockId === undefined) return undefined;
  const { data } = await client.get("/documents/{id}/blocks/{blockId}", { path: { id, blockId } });
  return data.type === "heading" && data.parent_id === null ? blockId : undefined;
}
const around = (blockId: string | undefined, sectionId: string | undefined): string | undefined =>
  blockId !== undefined && sectionId === undefined ? blockId : undefined;

type Items = Reading["items"];

/** The blocks that fit, of the first one the lines after those that were read before. */
function takeWhole(items: Items, budget: number, anchored: boolean, skip: number) {
  const texts: string[] = [];
  let used = 0;
  let at = 0;
  for (; at < items.length; at++) {
    const text = shown(items[at]!, anchored, at === 0 ? skip : 0);
    const tokens = estimateTokens(text) + 1;
    if (used + tokens > budget) break;
    used += tokens;
    texts.push(text);
  }
  return { texts, used, at, skip: at === 0 ? skip : 0 };
}

function shown({ block_id, content }: Items[number], anchored: boolean, skip: number): string {
  const text = skip === 0 ? String(content) : String(content).split("\n").slice(skip).join("\n");
  return anchored ? `${anchor(block_id)}\n${text}` : text;
}

interface Taken {
  readonly used: number;
  readonly at: number;
  readonly skip: number;
  readonly query: object;
  readonly budget: number;
  readonly anchored: boolean;
}

/** The first lines of the block that does not fit, where there is room for them, and where to go on. */
async function takePart(client: Client, id: string, data: Reading, taken: Taken) {
  const { used, at, skip, query, budget, anchored } = taken;
  const next = data.items[at] ?? (await itemAfter(client, id, data, query));
  if (!next) return { texts: [], next: undefined };
  const text = shown(next, anchored, skip).split("\n");
  const left = budget - used;
  let count = 0;
  for (let tokens = 0; count < text.length; count++) {
    tokens += estimateTokens(text[count]!) + 1;
    if (tokens > left) break;
  }
  // A long paragraph is one line: nothing of it fits, and it is given whole rather than never.
  if (count === 0 && used === 0) return cutLine(text[0]!, left, short(next.block_id), skip, text.length);
  if (count < 2) return { texts: [], next: skip > 0 ? `${short(next.block_id)}+${skip}` : short(next.block_id) };
  return {
    texts: [text.slice(0, count).join("\n")],
    next: `${short(next.block_id)}+${skip + count - (anchored ? 1 : 0)}`,
  };
}

const cutLine = (line: string, _left: number, id: string, skip: number, lineCount: number) => ({
  texts: [line],
  next: lineCount > 1 ? `${id}+${skip + 1}` : undefined,
});

async function itemAfter(client: Client, id: string, { next_cursor }: Reading, query: object) {
  if (next_cursor === null) return undefined;
  const { data } = await client.get("/documents/{id}/read", {
    path: { id },
    query: { ...query, cursor: next_cursor, max_tokens: 1 },
  });
  return data.items[0];
}

const headOf = (document: Document, version: string): string =>
  lines(
    `**${oneLine(document.title)}** (${facts({
      document_id: document.id,
      version,
      locale: document.locale,
      translation: document.translation_freshness === "current" ? undefined : document.translation_freshness,
    })})`,
    Object.keys(document.properties).length > 0 && `properties: ${JSON.stringify(document.properties)}`,
  );

async function readOutline(client: Client, document: Document): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/outline", { path: { id: document.id } });
  const body = data.items.flatMap((item) => headingLines(item, ""));
  const size = `${plural(document.block_count, "block")}, ${plural(document.character_count, "character")}`;
  return {
    text: lines(headOf(document, data.version), size, ...(body.length === 0 ? ["It has no headings."] : body)),
  };
}

const headingLines = (item: OutlineItem, indent: string): string[] => [
  `${indent}- ${oneLine(item.text) || "(empty heading)"} (${short(item.block_id)}, ${item.range.block_count})`,
  ...item.children.flatMap((child) => headingLines(child, `${indent}  `)),
];

async function readBlocks(client: Client, document: Document, args: TextArguments): Promise<Outcome> {
  const limit = Math.min(100, Math.max(1, Math.floor(args.max_tokens / TOKENS_PER_BLOCK)));
  const { data, page } = await client.get("/documents/{id}/blocks", {
    path: { id: document.id },
    query: { recursive: true, limit, cursor: args.cursor },
  });
  return {
    text: lines(
      headOf(document, data[0]?.version ?? document.version),
      "",
      ...(data.length === 0 ? ["(The document is empty.)"] : data.map(blockLine)),
      more(page),
    ),
  };
}

/** The text of a container stands in its children, which follow it. */
function blockLine({ depth, id, type, text }: Block, index: number, all: readonly Block[]): string {
  const isContainer = (all[index + 1]?.depth ?? 0) > depth;
  return `${"  ".repeat(depth)}- ${short(id)} ${type}${text === "" || isContainer ? "" : `: ${oneLine(text)}`}`;
}
