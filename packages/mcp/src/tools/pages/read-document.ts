import type { Block, Client, Document, OutlineItem, Reading } from "@svc/sdk";
import * as z from "zod";
import { blockId, cursor, documentId, file, locale, section } from "../../arguments.ts";
import { costOf, cutLines, cutText, largestFitting, roomIn } from "../../budget.ts";
import { findBlock } from "../../names/find-block.ts";
import { anchor, short } from "../../short.ts";
import { facts, lines, moreFrom, oneLine, plural, TOKENS_OF_MORE } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";
import { listFiles, readFile } from "./read-files.ts";

export const readDocument = readingTool({
  name: "read_document",
  title: "Read a document",
  set: "core",
  description:
    "Reads a document, or one section of it, as Markdown within max_tokens (default 4000, everything counted). When there is more, it says from where to go on. view outline lists the headings with sizes, blocks all block ids, files what is attached; file reads one of those.",
  scopes: ["documents:read"],
  hidden: ["around_block_id", "section_block_id", "anchors", "locale", "cursor"],
  input: z.strictObject({
    document_id: documentId,
    section: section.optional().describe("Heading text or id."),
    from: z.string().min(1).max(100).optional().describe("Block id to go on from, as the last answer says."),
    file: file.optional(),
    max_tokens: z.int().min(1).max(200_000).default(4000),
    view: z.enum(["markdown", "outline", "blocks", "plain_text", "files"]).default("markdown"),
    anchors: z.boolean().default(false),
    around_block_id: blockId.optional(),
    section_block_id: blockId.optional(),
    locale: locale.optional(),
    cursor,
  }),
  run: async (client, args) => {
    const document = await resolve(client, args.document_id, args.locale);
    if (args.file !== undefined) return readFile(client, args.file, args);
    if (args.view === "files") return listFiles(client, document, args);
    const editing = editingLine(client, document.id);
    const read = args.view === "blocks" ? readBlocks : args.view === "outline" ? readOutline : readText;
    const note = await editing;
    const max_tokens = Math.max(1, args.max_tokens - (note === false ? 0 : costOf([note])));
    const outcome = await read(client, document, { ...args, max_tokens });
    return { ...outcome, text: lines(note, outcome.text) };
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

/** Names the people typing right now, because the version changes while they do. */
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
  const { begin, skip } = await startOf(client, id, args.from);
  const head = headOf(document, document.version, args.max_tokens);
  const budget = Math.max(1, roomIn(args.max_tokens) - costOf([head, "", ""]) - TOKENS_OF_MORE);
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
  const whole = takeWhole(data.items, budget, anchored, skip);
  const rest = await takePart(client, id, data, { ...whole, query, budget, anchored });
  const text = [...whole.texts, ...rest.texts].join("\n\n");
  return {
    text: lines(
      headOf(document, data.version, args.max_tokens),
      "",
      text === "" ? "(The document is empty.)" : text,
      rest.next !== undefined && moreFrom(rest.next),
    ),
  };
}

/** The part of a block that was read before: whole lines, and characters of the next one. */
interface Skip {
  readonly lines: number;
  readonly characters: number;
}
const NOTHING: Skip = { lines: 0, characters: 0 };

/** `2M5R1XCM`, `2M5R1XCM+12` or `2M5R1XCM+12.300`: a block, lines of it, and characters of the line after them. */
async function startOf(client: Client, id: string, from: string | undefined) {
  const [, block, count = "0", characters = "0"] = /^(.*?)(?:\+(\d{1,9})(?:\.(\d{1,9}))?)?$/.exec(from ?? "") ?? [];
  const begin = block ? await findBlock(client, id, block) : undefined;
  return { begin, skip: { lines: Number(count), characters: Number(characters) } };
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

/** The blocks that fit, of the first one what follows on what was read before. */
function takeWhole(items: Items, budget: number, anchored: boolean, skip: Skip) {
  const texts: string[] = [];
  let used = 0;
  let at = 0;
  for (; at < items.length; at++) {
    const text = shown(items[at]!, anchored, at === 0 ? skip : NOTHING);
    const tokens = costOf([text]) + 1;
    if (used + tokens > budget) break;
    used += tokens;
    texts.push(text);
  }
  return { texts, used, at, skip: at === 0 ? skip : NOTHING };
}

function shown({ block_id, content }: Items[number], anchored: boolean, skip: Skip): string {
  const text = String(content).split("\n").slice(skip.lines).join("\n").slice(skip.characters);
  return anchored ? `${anchor(block_id)}\n${text}` : text;
}

interface Taken {
  readonly used: number;
  readonly at: number;
  readonly skip: Skip;
  readonly query: object;
  readonly budget: number;
  readonly anchored: boolean;
}

/** The beginning of the block that does not fit, where there is room for it, and where to go on. */
async function takePart(client: Client, id: string, data: Reading, taken: Taken) {
  const { used, at, skip, query, budget, anchored } = taken;
  const page: Stretch | undefined =
    at < data.items.length
      ? { items: data.items.slice(at), next_cursor: data.next_cursor }
      : await stretchAfter(client, id, data, query);
  const item = page?.items[0];
  if (!item) return { texts: [], next: undefined };
  const all = shown(item, anchored, skip).split("\n");
  const count = largestFitting(all.length, (lineCount) => costOf(all.slice(0, lineCount)) <= budget - used);
  const lead = anchored ? 1 : 0;
  const id8 = short(item.block_id);
  if (count > lead) {
    const read = { lines: skip.lines + count - lead, characters: 0 };
    return { texts: [all.slice(0, count).join("\n")], next: nextFrom(id8, read) };
  }
  if (used > 0) return { texts: [], next: nextFrom(id8, skip) };
  // The first line alone is longer than the budget, as a paragraph may be.
  const line = all[lead] ?? "";
  const text = cutText(line, Math.max(1, budget - costOf(all.slice(0, lead))));
  const read =
    text.length < line.length
      ? { lines: skip.lines, characters: skip.characters + text.length }
      : { lines: skip.lines + 1, characters: 0 };
  const isAll = text.length === line.length && all.length === lead + 1;
  const following = isAll ? (page.items[1] ?? (await stretchAfter(client, id, page, query))?.items[0]) : undefined;
  const next = isAll ? following && short(following.block_id) : nextFrom(id8, read);
  return { texts: [[...all.slice(0, lead), text].join("\n")], next };
}

function nextFrom(id: string, { lines: count, characters }: Skip): string {
  if (characters > 0) return `${id}+${count}.${characters}`;
  return count > 0 ? `${id}+${count}` : id;
}

/** Some items of a reading, and where it goes on. */
type Stretch = Pick<Reading, "items" | "next_cursor">;

/** The item after those of a stretch. */
async function stretchAfter(
  client: Client,
  id: string,
  { next_cursor }: Stretch,
  query: object,
): Promise<Stretch | undefined> {
  if (next_cursor === null) return undefined;
  const { data } = await client.get("/documents/{id}/read", {
    path: { id },
    query: { ...query, cursor: next_cursor, max_tokens: 1 },
  });
  return data;
}

const headOf = (document: Document, version: string, maxTokens: number): string =>
  lines(
    `**${oneLine(document.title, maxTokens)}** (${facts({
      document_id: document.id,
      version,
      locale: document.locale,
      translation: document.translation_freshness === "current" ? undefined : document.translation_freshness,
    })})`,
    Object.keys(document.properties).length > 0 &&
      `properties: ${cutText(JSON.stringify(document.properties), maxTokens / 4)}`,
  );

async function readOutline(client: Client, document: Document, { max_tokens }: TextArguments): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/outline", { path: { id: document.id } });
  const size = `${plural(document.block_count, "block")}, ${plural(document.character_count, "character")}`;
  const head = [headOf(document, data.version, max_tokens), size];
  if (data.items.length === 0) return { text: lines(...head, "It has no headings.") };
  const room = roomIn(max_tokens) - costOf(head);
  const depth = largestFitting(MAX_LEVELS, (levels) => costOf(headingLines(data.items, levels)) <= room);
  const body = headingLines(data.items, Math.max(1, depth));
  return { text: lines(...head, ...cutLines(body, room, (left) => `… ${plural(left, "more heading")}`)) };
}

const MAX_LEVELS = 6;

/** Headings to a number of levels; of what is deeper, how many there are. */
const headingLines = (items: readonly OutlineItem[], levels: number, indent = ""): string[] =>
  items.flatMap((item) => {
    const text = oneLine(item.text) || "(empty heading)";
    const inner = levels > 1 ? headingLines(item.children, levels - 1, `${indent}  `) : [];
    const left = levels > 1 || item.children.length === 0 ? "" : `, ${plural(item.children.length, "heading")} inside`;
    return [`${indent}- ${text} (${short(item.block_id)}, ${item.range.block_count}${left})`, ...inner];
  });

async function readBlocks(client: Client, document: Document, args: TextArguments): Promise<Outcome> {
  const { begin } = await startOf(client, document.id, args.from);
  const query = { recursive: true };
  const { data } = await client.get("/documents/{id}/blocks", { path: { id: document.id }, query });
  const head = headOf(document, data[0]?.version ?? document.version, args.max_tokens);
  if (data.length === 0) return { text: lines(head, "", "(The document is empty.)") };
  const room = Math.max(1, roomIn(args.max_tokens) - costOf([head, "", ""]) - TOKENS_OF_MORE);
  const start = Math.max(0, begin === undefined ? 0 : data.findIndex((block) => block.id === begin));
  const shownBlocks = (count: number, most: number) =>
    data.slice(start, start + count).map((block, i) => blockLine(block, data[start + i + 1]?.depth, most));
  const fitting = largestFitting(data.length - start, (count) => costOf(shownBlocks(count, FEW_CHARACTERS)) <= room);
  const count = Math.max(1, fitting);
  const most = largestFitting(MAX_CHARACTERS, (characters) => costOf(shownBlocks(count, characters)) <= room);
  const next = data[start + count];
  return {
    text: lines(head, "", ...shownBlocks(count, most), next && moreFrom(short(next.id))),
  };
}

/** Max characters of a block's text in a list of many. */
const FEW_CHARACTERS = 60;
/** Max characters of a block's text. */
const MAX_CHARACTERS = 200;

/** The text of a container stands in its children, which follow it. */
function blockLine({ depth, id, type, text }: Block, nextDepth: number | undefined, most: number): string {
  const isContainer = (nextDepth ?? 0) > depth;
  const line = text === "" || isContainer || most === 0 ? "" : `: ${oneLine(text, most)}`;
  return `${"  ".repeat(depth)}- ${short(id)} ${type}${line}`;
}
