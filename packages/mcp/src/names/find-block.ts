import type { Client, OutlineItem } from "@svc/sdk";
import { isShortId } from "../short.ts";
import { lines, oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";
import { fold } from "./fold.ts";

const WHOLE_ID = /block_[0-9A-HJKMNP-TV-Z]{26}/;

/** The block that a text means in a document: an id, its last 8 characters, an address, or the text of a heading. */
export async function findBlock(client: Client, documentId: string, text: string): Promise<string> {
  const id = WHOLE_ID.exec(text)?.[0];
  if (id !== undefined) return id;
  const given = text.trim().replace(/^<!--@(?:block=)?|\s*-->$/g, "");
  if (/^block_/.test(given)) return given;
  if (isShortId(given)) {
    const query = { id_ends: given, recursive: true };
    const { data } = await client.get("/documents/{id}/blocks", { path: { id: documentId }, query });
    if (data.length > 0) return data[0]!.id;
  }
  return findHeading(client, documentId, given);
}

async function findHeading(client: Client, id: string, text: string): Promise<string> {
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const all = flat(data.items, []);
  const wanted = fold(
    text
      .replace(/^#{1,6}\s+/, "")
      .split(/ > /)
      .at(-1) ?? "",
  );
  const outer = text.split(/ > /).slice(0, -1).map(fold);
  const isInside = ({ path }: Heading) => outer.every((name) => path.map(fold).includes(name));
  const equal = all.filter((heading) => fold(heading.text) === wanted && isInside(heading));
  const found =
    equal.length > 0 ? equal : all.filter((heading) => wanted !== "" && fold(heading.text).includes(wanted));
  if (found.length === 1 || (equal.length === 0 && found.length > 0)) return found[0]!.id;
  throw found.length > 0 ? ambiguous(text, found) : headingNotFound(text, all);
}

const WAY_ON = "repeat with a heading, a path of headings (A > B), or an id in brackets.";

const ambiguous = (text: string, found: readonly Heading[]): UsageError =>
  new UsageError(
    `**ambiguous_name**: ${found.length} headings are called ${oneLine(text)}.\n${shownHeadings(found)}`,
    WAY_ON,
  );

function headingNotFound(text: string, all: readonly Heading[]): UsageError {
  const none = `**heading_not_found**: there is no block or heading ${oneLine(text)}`;
  return all.length > 0
    ? new UsageError(`${none}. Its headings:\n${shownHeadings(all)}`, WAY_ON)
    : new UsageError(
        `${none}: the document has no headings.`,
        'use an id that read_document with view "blocks" shows.',
      );
}

interface Heading {
  readonly id: string;
  readonly text: string;
  readonly path: readonly string[];
}

const MAX_SHOWN = 30;

const shownHeadings = (headings: readonly Heading[]): string =>
  lines(
    ...headings.slice(0, MAX_SHOWN).map(shownHeading),
    headings.length > MAX_SHOWN &&
      `- and ${headings.length - MAX_SHOWN} more: read_document with view outline shows all`,
  );

const shownHeading = ({ id, text, path }: Heading): string =>
  `- ${[...path, text].map((each) => oneLine(each, 80)).join(" > ")} (${id.slice(-8)})`;

const flat = (items: readonly OutlineItem[], path: readonly string[]): Heading[] =>
  items.flatMap(({ block_id, text, children }) => [{ id: block_id, text, path }, ...flat(children, [...path, text])]);
