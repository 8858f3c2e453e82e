import { posix } from "node:path";
import type { Archive } from "../../../../archives/open-archive.ts";
import type { Config } from "../../../../config.ts";
import { type Dialect, foldersByPath, isClutter, withoutEnding } from "./dialect.ts";
import { isMarkdown, readMarkdownPage } from "./markdown.ts";
import { readDatabase } from "./notion-database.ts";
import { idOf, withoutId } from "./notion-names.ts";

const isCsv = (path: string): boolean => /\.csv$/i.test(path);

/** A Notion export as Markdown and CSV: a database is a CSV file, and its rows are pages in a sibling directory. */
export function notionDialect(archive: Archive, config: Config): Dialect | undefined {
  const files = archive.paths.filter((path) => !isClutter(path) && (isMarkdown(path) || isCsv(path)));
  const named = files.filter((path) => idOf(withoutEnding(path)) !== undefined);
  if (named.length === 0 || named.length < files.length / 2) return undefined;
  // A database with a filtered view has two files; use the one with all rows.
  const all = new Set(files.filter((path) => /_all\.csv$/i.test(path)));
  const pages = files.filter((path) => !all.has(path.replace(/\.csv$/i, "_all.csv"))).sort();
  const byId = new Map(pages.flatMap((path) => (idOf(withoutEnding(path)) ? [[idOf(withoutEnding(path)), path]] : [])));
  const titleOf = (path: string) => withoutId(withoutEnding(path));
  return {
    format: "notion",
    pages,
    files: archive.paths.filter((path) => !isClutter(path) && !isMarkdown(path) && !isCsv(path)),
    ...foldersByPath(pages, withoutId),
    titleOf,
    read: (path) =>
      isCsv(path) ? readDatabase(archive, config, path, pages) : readMarkdownPage(archive, config, path),
    pageAt: (href) => pageAtNotion(href, byId),
  };
}

/** The page whose id is in an address at Notion or of a file. */
export function pageAtNotion(href: string, byId: ReadonlyMap<string | undefined, string>): string | undefined {
  const isNotion = /^https:\/\/(?:[\w-]+\.)*notion\.(?:so|site|com)\//i.test(href);
  const isFile = !/^[a-z][a-z0-9+.-]*:/i.test(href) && /\.(?:csv|md|html)(?:[?#]|$)/i.test(href);
  if (!isNotion && !isFile) return undefined;
  const name = posix.basename(decoded(href.replace(/[?#].*$/s, ""))).replace(/\.\w+$/, "");
  const id = idOf(name);
  return id === undefined ? undefined : byId.get(id);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
