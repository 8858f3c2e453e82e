import { posix } from "node:path";
import type { Archive } from "../../../../archives/open-archive.ts";
import type { Config } from "../../../../config.ts";
import { cleanTitle, type PlannedFolder } from "../plan.ts";
import { type Dialect, isClutter, type ReadPage } from "./dialect.ts";
import { blocksOfHtml, lostInWords, titleOfHtml } from "./html-blocks.ts";
import { isHtml } from "./html-page.ts";
import { type Element, findElement, hasClass, readHtml, textOfElement } from "./html-tree.ts";
import { readText } from "./markdown.ts";

/** An entry of the export's page list. */
interface Listed {
  readonly title: string;
  /** Path of the parent page. */
  readonly parent: string | undefined;
}

/** An HTML export of a Confluence space: pages in one directory, and `index.html` with the page tree. */
export async function confluenceDialect(archive: Archive, config: Config): Promise<Dialect | undefined> {
  const html = archive.paths.filter((path) => !isClutter(path) && isHtml(path));
  const index = html.filter((path) => posix.basename(path) === "index.html").sort((a, b) => a.length - b.length)[0];
  if (index === undefined) return undefined;
  const directory = index.slice(0, -"index.html".length);
  const pages = html.filter((path) => path !== index && path.startsWith(directory)).sort();
  const root = readHtml(await readText(archive, config, index));
  const listed = new Map<string, Listed>();
  list(root, directory, undefined, listed);
  const first = pages.find((path) => listed.has(path));
  if (first === undefined || !isConfluence(readHtml(await readText(archive, config, first)))) return undefined;
  const { folders, folderOf } = foldersOf(pages, listed);
  const space = spaceOf(root);
  return {
    format: "confluence",
    pages,
    files: archive.paths.filter((path) => path.startsWith(`${directory}attachments/`)),
    folders,
    name: space,
    folderOf,
    titleOf: (path) => listed.get(path)?.title ?? posix.basename(path).replace(/(?:_\d+)?\.html?$/i, ""),
    read: (path) => readPage(archive, config, path, listed.get(path)?.title, space),
  };
}

/** Checks for the element in which Confluence puts a page's text; other sites have an index, too. */
const isConfluence = (root: Element): boolean => contentOf(root) !== undefined;

const contentOf = (root: Element): Element | undefined =>
  findElement(root, ({ attrs }) => attrs.id === "main-content") ??
  findElement(root, (element) => hasClass(element, "wiki-content"));

/** Collects the links of nested lists, each with the link of the enclosing list item. */
function list(element: Element, directory: string, parent: string | undefined, found: Map<string, Listed>): void {
  let above = parent;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const { href } = child.attrs;
    if (child.name === "a" && href && isHtml(href) && !/^[a-z]+:|\//i.test(href)) {
      const path = directory + decoded(href);
      if (!found.has(path)) found.set(path, { title: textOfElement(child).replace(/\s+/g, " ").trim(), parent });
      if (element.name === "li") above = path;
    } else list(child, directory, above, found);
  }
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

/** A page with child pages has a sibling folder of the same name, which holds them. */
function foldersOf(pages: readonly string[], listed: ReadonlyMap<string, Listed>) {
  const here = new Set(pages);
  const folderOf = (path: string): string | null => {
    const parent = listed.get(path)?.parent;
    return parent !== undefined && here.has(parent) && listed.has(parent) ? parent : null;
  };
  const folders = new Map<string, PlannedFolder>();
  const add = (key: string | null): void => {
    if (key === null || folders.has(key)) return;
    const parentKey = folderOf(key);
    add(parentKey);
    folders.set(key, { key, parentKey, name: cleanTitle(listed.get(key)?.title ?? key) });
  };
  for (const path of pages) add(folderOf(path));
  return { folders: [...folders.values()], folderOf };
}

/** The space name, e.g. `Handbook (HB)`: the first row of the details table, else the title. */
function spaceOf(root: Element): string | undefined {
  const row = findElement(root, ({ name, children }) => {
    const [head] = children.filter((child): child is Element => typeof child !== "string");
    return name === "tr" && head?.name === "th" && /^\s*name\s*$/i.test(textOfElement(head));
  });
  const cell = row && findElement(row, ({ name }) => name === "td");
  const name = cell ? textOfElement(cell).trim() : titleOfHtml(root).replace(/\s*\(.*\)$/, "");
  return name === "" ? undefined : name;
}

async function readPage(
  archive: Archive,
  config: Config,
  path: string,
  listedTitle: string | undefined,
  space: string | undefined,
): Promise<ReadPage> {
  const root = readHtml(await readText(archive, config, path));
  const content = contentOf(root) ?? findElement(root, ({ name }) => name === "body") ?? root;
  const { blocks, lost } = blocksOfHtml(content);
  const said = titleOfHtml(root);
  const prefix = `${space ?? ""} : `;
  const title = listedTitle ?? (said.startsWith(prefix) ? said.slice(prefix.length) : said);
  return { frontMatter: "", blocks, warnings: lostInWords(path, lost), ...(title && { title }) };
}
