import { posix } from "node:path";
import { defined } from "@svc/document/defined";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import type { Archive } from "../../../../archives/open-archive.ts";
import type { Config } from "../../../../config.ts";
import { plain, readCsv, tableOf } from "./csv.ts";
import { type ReadPage, withoutEnding } from "./dialect.ts";
import { isHtml } from "./html-page.ts";
import { readHtml } from "./html-tree.ts";
import { isMarkdown, readText } from "./markdown.ts";
import { withoutId } from "./notion-names.ts";
import { readNotionHead } from "./notion-page.ts";

/** Beyond this many pairs of a row and a page with the same name, properties are not compared. */
const MAX_PAIRS = 10_000;

type Rows = readonly (readonly string[])[];

/** The first lines of a page: its heading, then one line per property. */
interface Head {
  readonly path: string;
  readonly title: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** A database as a table whose row names link to their pages. */
export async function readDatabase(
  archive: Archive,
  config: Config,
  path: string,
  pages: readonly string[],
): Promise<ReadPage> {
  const rows = readCsv(await readText(archive, config, path));
  const headOf = async (page: string) => readHead(page, await readText(archive, config, page));
  const found = await findPages(rows, pagesBeside(path, pages), headOf);
  const cellOf = (text: string, column: number, row: number): Node[] => {
    const page = column === 0 ? found.get(row) : undefined;
    if (page === undefined) return plain(text);
    const href = `/${page.split("/").map(encodeURIComponent).join("/")}`;
    return [{ type: "text", text: text.trim(), marks: [{ type: "link", attrs: { href } }] }];
  };
  const blocks = rows.length === 0 ? [] : [tableOf(rows, cellOf)];
  return { frontMatter: "", blocks, warnings: [], title: fileTitle(path) };
}

/** The pages in the directory named after the database, with or without its id. */
function pagesBeside(path: string, pages: readonly string[]): string[] {
  const whole = path.replace(/(?:_all)?\.csv$/i, "");
  const directories = new Set([whole, posix.join(posix.dirname(whole), withoutId(posix.basename(whole)))]);
  return pages.filter((page) => (isMarkdown(page) || isHtml(page)) && directories.has(posix.dirname(page)));
}

const fileTitle = (path: string): string => withoutId(withoutEnding(path));

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

/**
 * Finds the page of each row; each page is used once. If a name has exactly one row and one file, the file is not read.
 * The others are matched by heading, because files cannot have every name, and then by file name.
 */
async function findPages(
  rows: Rows,
  pages: readonly string[],
  headOf: (page: string) => Promise<Head>,
): Promise<ReadonlyMap<number, string>> {
  const found = pairsByFile(rows, pages);
  const titled = namedRows(rows);
  if (titled.every((row) => found.has(row))) return found;
  const used = new Set(found.values());
  const heads: Head[] = [];
  for (const page of pages) if (!used.has(page)) heads.push(await headOf(page));
  for (const nameOf of [(head: Head) => head.title, (head: Head) => oneLine(fileTitle(head.path))]) {
    const left = heads.filter((head) => !used.has(head.path));
    const named = Map.groupBy(left, nameOf);
    const waiting = titled.filter((row) => !found.has(row));
    for (const [title, some] of Map.groupBy(waiting, (row) => titleOf(rows, row)))
      for (const [row, page] of pairUp(rows, some, named.get(title) ?? [])) {
        found.set(row, page);
        used.add(page);
      }
  }
  return found;
}

const titleOf = (rows: Rows, row: number): string => oneLine(rows[row]?.[0] ?? "");

/** All rows except the header and rows without a name. */
const namedRows = (rows: Rows): number[] => [...rows.keys()].filter((row) => row > 0 && titleOf(rows, row) !== "");

function pairsByFile(rows: Rows, pages: readonly string[]): Map<number, string> {
  const files = Map.groupBy(pages, (page) => oneLine(fileTitle(page)));
  const pairs = new Map<number, string>();
  for (const [title, some] of Map.groupBy(namedRows(rows), (row) => titleOf(rows, row))) {
    const named = files.get(title) ?? [];
    if (some.length === 1 && named.length === 1) pairs.set(defined(some[0]), defined(named[0]));
  }
  return pairs;
}

/** Pairs rows and pages of the same name, those that share the most properties first; ties keep their order. */
function pairUp(rows: Rows, some: readonly number[], heads: readonly Head[]): [row: number, page: string][] {
  if (some.length * heads.length > MAX_PAIRS)
    return some.slice(0, heads.length).map((row, n) => [row, defined(heads[n]).path]);
  const pairs = some.flatMap((row) => heads.map((head) => ({ row, path: head.path, alike: alike(rows, row, head) })));
  const taken = new Set<number | string>();
  const chosen: [number, string][] = [];
  for (const { row, path } of pairs.toSorted((a, b) => b.alike - a.alike)) {
    if (taken.has(row) || taken.has(path)) continue;
    taken.add(row).add(path);
    chosen.push([row, path]);
  }
  return chosen;
}

/** Counts the columns in which row and page agree; an unset property has no line. */
function alike(rows: Rows, row: number, { properties }: Head): number {
  const cellOf = (column: number) => oneLine(rows[row]?.[column] ?? "");
  const isAlike = (name: string, column: number) =>
    column > 0 && (properties.get(oneLine(name)) ?? "") === cellOf(column);
  return (rows[0] ?? []).filter(isAlike).length;
}

/** Limit of lines in a page's head. */
const MAX_LINES = 200;

function readHead(path: string, text: string): Head {
  if (isHtml(path)) {
    const { title, properties } = readNotionHead(readHtml(text));
    return { path, title, properties: new Map(properties.map(({ name, text: value }) => [name, value])) };
  }
  const [first = "", ...lines] = text.replace(/^\s+/u, "").split("\n", MAX_LINES);
  const [heading] = /^#\s/.test(first) ? parseMarkdown(first) : [];
  const title = heading ? oneLine(plainText(heading)) : "";
  const begin = lines.findIndex((line) => line.trim() !== "");
  const properties = new Map<string, string>();
  for (const line of begin < 0 ? [] : lines.slice(begin)) {
    const colon = line.indexOf(": ");
    if (colon < 0) break;
    properties.set(oneLine(line.slice(0, colon)), oneLine(line.slice(colon + 2)));
  }
  return { path, title, properties };
}
