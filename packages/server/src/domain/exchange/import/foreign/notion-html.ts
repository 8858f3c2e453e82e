import { posix } from "node:path";
import type { Archive } from "../../../../archives/open-archive.ts";
import type { Config } from "../../../../config.ts";
import { type Dialect, foldersByPath, isClutter, type ReadPage, withoutEnding } from "./dialect.ts";
import { isHtml, readHtmlPage } from "./html-page.ts";
import { findElement, hasClass, readHtml } from "./html-tree.ts";
import { isMarkdown, readText } from "./markdown.ts";
import { pageAtNotion } from "./notion.ts";
import { readDatabase } from "./notion-database.ts";
import { idOf, withoutId } from "./notion-names.ts";

const isCsv = (path: string): boolean => /\.csv$/i.test(path);
const isListing = (path: string): boolean => posix.basename(path) === "index.html";

/** A Notion export as HTML: pages, and databases as pages, CSV files or both. */
export function notionHtmlDialect(archive: Archive, config: Config): Dialect | undefined {
  const paths = archive.paths.filter((path) => !isClutter(path));
  const html = paths.filter((path) => isHtml(path) && !isListing(path));
  const named = html.filter((path) => idOf(withoutEnding(path)) !== undefined);
  if (named.length === 0 || named.length < html.length / 2 || paths.some(isMarkdown)) return undefined;
  const isPage = new Set(named.map((path) => idOf(withoutEnding(path))));
  const tables = tablesOf(paths.filter(isCsv));
  const pages = [...html, ...[...tables].filter(([id]) => !isPage.has(id)).map(([, path]) => path)].sort();
  const byId = new Map(pages.flatMap((path) => (idOf(withoutEnding(path)) ? [[idOf(withoutEnding(path)), path]] : [])));
  return {
    format: "notion",
    pages,
    files: paths.filter((path) => !isHtml(path) && !isCsv(path)),
    ...foldersByPath(pages, withoutId),
    titleOf: (path) => withoutId(withoutEnding(path)),
    read: (path) =>
      isCsv(path)
        ? readDatabase(archive, config, path, pages)
        : readPage(archive, config, path, tables.get(idOf(withoutEnding(path)) ?? ""), pages),
    pageAt: (href) => pageAtNotion(href, byId),
  };
}

/** Database files by id; if a database has a filtered view, the file with all rows. */
function tablesOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (const path of paths) {
    const id = idOf(withoutEnding(path)) ?? path;
    if (!tables.has(id) || /_all\.csv$/i.test(path)) tables.set(id, path);
  }
  return tables;
}

/** Reads a page; a database page gets its table appended unless it shows the rows itself. */
async function readPage(
  archive: Archive,
  config: Config,
  path: string,
  table: string | undefined,
  pages: readonly string[],
): Promise<ReadPage> {
  const root = readHtml(await readText(archive, config, path));
  const page = readHtmlPage(path, root);
  const showsRows = findElement(root, (one) => one.name === "table" && hasClass(one, "collection-content"));
  if (table === undefined || showsRows) return page;
  const { blocks } = await readDatabase(archive, config, table, pages);
  return { ...page, blocks: [...page.blocks, ...blocks] };
}
