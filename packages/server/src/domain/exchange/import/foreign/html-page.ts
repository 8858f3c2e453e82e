import { posix } from "node:path";
import type { Archive } from "../../../../archives/open-archive.ts";
import type { Config } from "../../../../config.ts";
import { type Dialect, foldersByPath, isClutter, type ReadPage, withoutEnding } from "./dialect.ts";
import { blocksOfHtml, lostInWords, titleOfHtml } from "./html-blocks.ts";
import { type Element, findElement, readHtml, textOfElement } from "./html-tree.ts";
import { readText } from "./markdown.ts";
import { notionPageOf, readNotionPage } from "./notion-page.ts";

export const isHtml = (path: string): boolean => /\.x?html?$/i.test(path);

/** A folder of HTML files. Styles and scripts do not count as files that people added. */
export function htmlDialect(archive: Archive, config: Config): Dialect | undefined {
  const paths = archive.paths.filter((path) => !isClutter(path));
  const pages = paths.filter(isHtml).sort();
  if (pages.length === 0) return undefined;
  return {
    format: "html",
    pages,
    files: paths.filter((path) => !isHtml(path) && !/\.(?:css|m?js|map|woff2?|ttf|eot)$/i.test(path)),
    ...foldersByPath(pages, (step) => step),
    titleOf: (path) => withoutEnding(path),
    read: async (path) => readHtmlPage(path, readHtml(await readText(archive, config, path))),
    pageAt: (href, from) => indexAt(archive, href, from),
  };
}

/** Resolves a directory's address to its index page, as web servers do. */
function indexAt(archive: Archive, href: string, from: string): string | undefined {
  if (!/^[^:?#]*\/(?:[?#].*)?$/.test(href)) return undefined;
  const path = posix.join(posix.dirname(from), href.replace(/[?#].*$/s, ""), "index.html");
  return archive.has(path) ? path : undefined;
}

/** The main content, if the page marks it; the rest is site navigation. */
export function readHtmlPage(path: string, root: Element): ReadPage {
  const notion = notionPageOf(root);
  if (notion) return readNotionPage(path, notion);
  const content =
    findElement(root, ({ name, attrs }) => name === "main" || attrs.role === "main") ??
    onlyOne(root, "article") ??
    findElement(root, ({ name }) => name === "body") ??
    root;
  const { blocks, lost } = blocksOfHtml(content);
  const said = findElement(root, ({ name }) => name === "title");
  const title = said && textOfElement(said).trim() !== "" ? titleOfHtml(root) : "";
  return { frontMatter: "", blocks, warnings: lostInWords(path, lost), ...(title !== "" && { title }) };
}

function onlyOne(root: Element, wanted: string): Element | undefined {
  const first = findElement(root, ({ name }) => name === wanted);
  const second = findElement(root, (element) => element.name === wanted && element !== first);
  return second ? undefined : first;
}
