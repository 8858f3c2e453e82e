import { posix } from "node:path";
import type { Node } from "@svc/document/types";
import type { Config } from "../../../config.ts";
import type { Archive } from "../open-archive.ts";
import { plain, readCsv, tableOf } from "./csv.ts";
import { type Dialect, foldersByPath, isClutter, type ReadPage, withoutEnding } from "./dialect.ts";
import { isMarkdown, readMarkdownPage, readText } from "./markdown.ts";

/** Notion puts the id of a page behind its name, in files, directories and addresses. */
const ID = /[ -]?\b([0-9a-f]{32})(?:_all)?$/;
const withoutId = (name: string): string => name.replace(ID, "").trim() || name;
const idOf = (name: string): string | undefined => ID.exec(name)?.[1];
const isCsv = (path: string): boolean => /\.csv$/i.test(path);

/** An export of Notion as Markdown and CSV: a database is a CSV file, with its rows as pages in a directory beside. */
export function notionDialect(archive: Archive, config: Config): Dialect | undefined {
  const files = archive.paths.filter((path) => !isClutter(path) && (isMarkdown(path) || isCsv(path)));
  const named = files.filter((path) => idOf(withoutEnding(path)) !== undefined);
  if (named.length === 0 || named.length < files.length / 2) return undefined;
  // Of a database with a filtered view there are two files; the one of all rows stands for both.
  const all = new Set(files.filter((path) => /_all\.csv$/i.test(path)));
  const pages = files.filter((path) => !all.has(path.replace(/\.csv$/i, "_all.csv"))).sort();
  const byId = new Map(pages.flatMap((path) => (idOf(withoutEnding(path)) ? [[idOf(withoutEnding(path)), path]] : [])));
  const titleOf = (path: string) => withoutId(withoutEnding(path));
  return {
    format: "notion",
    pages,
    ...foldersByPath(pages, withoutId),
    titleOf,
    read: (path) =>
      isCsv(path) ? readDatabase(archive, config, path, pages) : readMarkdownPage(archive, config, path),
    pageAt(href) {
      const isNotion = /^https:\/\/(?:[\w-]+\.)*notion\.(?:so|site|com)\//i.test(href);
      const isFile = !/^[a-z][a-z0-9+.-]*:/i.test(href) && /\.(?:csv|md)(?:[?#]|$)/i.test(href);
      if (!isNotion && !isFile) return undefined;
      const name = posix.basename(decoded(href.replace(/[?#].*$/s, ""))).replace(/\.\w+$/, "");
      return byId.get(idOf(name));
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A database as a table; the names of rows lead to their pages. */
async function readDatabase(
  archive: Archive,
  config: Config,
  path: string,
  pages: readonly string[],
): Promise<ReadPage> {
  const rows = readCsv(await readText(archive, config, path));
  const directory = path.replace(/(?:_all)?\.csv$/i, "/");
  const own = pages.filter((page) => page.startsWith(directory) && !page.slice(directory.length).includes("/"));
  const pageOf = new Map(own.map((page) => [withoutId(withoutEnding(page)), page]));
  const cellOf = (text: string, column: number): Node[] => {
    const page = column === 0 ? pageOf.get(text.trim()) : undefined;
    if (page === undefined) return plain(text);
    const href = `/${page.split("/").map(encodeURIComponent).join("/")}`;
    return [{ type: "text", text: text.trim(), marks: [{ type: "link", attrs: { href } }] }];
  };
  const blocks = rows.length === 0 ? [] : [tableOf(rows, cellOf)];
  return { frontMatter: "", blocks, warnings: [], title: withoutId(withoutEnding(path)) };
}
