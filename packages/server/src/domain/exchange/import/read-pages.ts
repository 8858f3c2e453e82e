import { posix } from "node:path";
import { defined } from "@svc/document/defined";
import { findDestinations, replaceDestinations } from "@svc/document/markdown/destinations";
import { fileAddresses } from "@svc/document/markdown/file-addresses";
import { WIKI, wikiPage } from "@svc/document/markdown/rules/wiki-link";
import { listHeadings } from "@svc/document/read/headings";
import { findFragment, slugs, uniqueSlugs } from "@svc/document/read/slugs";
import { plainText } from "@svc/document/read/text";
import { idOf, mapShared, withId, withParts } from "@svc/document/schema/node";
import type { Mark, Node } from "@svc/document/types";
import type { Archive } from "../../../archives/open-archive.ts";
import { ImportRefused } from "../../../archives/refused.ts";
import { type ParseRules, parseBlocks } from "../../../bodies/parsing/parse-blocks.ts";
import type { Config } from "../../../config.ts";
import { titleKey } from "../../library/documents/title-key.ts";
import { FileNames } from "./file-names.ts";
import { confluenceDialect } from "./foreign/confluence.ts";
import { type Dialect, isClutter } from "./foreign/dialect.ts";
import { htmlDialect } from "./foreign/html-page.ts";
import { isMarkdown, markdownDialect } from "./foreign/markdown.ts";
import { notionDialect } from "./foreign/notion.ts";
import { notionHtmlDialect } from "./foreign/notion-html.ts";
import { wordDialect } from "./foreign/word.ts";
import { headingBlockId, importedFileHref, importedFileOf, importedHref, isRawHtml } from "./mapped-ids.ts";
import {
  cleanTitle,
  type ImportPlan,
  type LoadedBody,
  type PageLinks,
  type PlannedFile,
  type UnresolvedLink,
} from "./plan.ts";

/** The plan of another program's archive: its pages as documents, with the images and files they show. */
export async function readPages(archive: Archive, config: Config, fileName: string): Promise<ImportPlan> {
  const fallbackName = fileName.replace(/\.(?:zip|docx|md|markdown|x?html?)$/i, "") || fileName;
  const dialect = await dialectOf(archive, config, fileName);
  const { pages } = dialect;
  const paths = archive.paths.filter((path) => !isClutter(path));
  const all = new Set(pages);
  const headings = new HeadingIndex(dialect);
  const names = new FileNames(paths, all);
  const aliases = new Aliases(dialect);
  return {
    name: cleanTitle(dialect.name ?? fallbackName, fallbackName),
    format: dialect.format,
    files: dialect.files,
    folders: dialect.folders,
    documents: pages.map((path) => ({
      key: path,
      folderKey: dialect.folderOf(path),
      title: cleanTitle(dialect.titleOf(path)),
      fileName: dialect.fileNameOf?.(path),
      documentType: "document" as const,
      headingNumbered: false,
      backgroundColor: null,
      collapsedBlockIds: [],
      load: () => load({ archive, config, dialect, documents: all, headings, names, aliases }, path),
    })),
    warnings: hiddenPages(archive).map((path) => `${path.slice(0, 200)}: left out, as its name begins with a dot.`),
  };
}

/** Files that would be pages if they were not hidden; excludes the `._name` files of macOS. */
const hiddenPages = ({ paths }: Archive): readonly string[] =>
  paths.filter((path) => {
    const name = posix.basename(path);
    const unhidden = path.slice(0, -name.length) + name.slice(1);
    return isClutter(name) && /^\.[^_]/.test(name) && isMarkdown(path) && !isClutter(unhidden);
  });

const KNOWN =
  "Known are an export of this service, Markdown files (also an Obsidian vault), Notion's export as Markdown & CSV or as HTML, Confluence's HTML export of a space, HTML files, and Word files.";

async function dialectOf(archive: Archive, config: Config, fileName: string): Promise<Dialect> {
  const found =
    wordDialect(archive, fileName) ??
    notionHtmlDialect(archive, config) ??
    notionDialect(archive, config) ??
    (await markdownDialect(archive, config)) ??
    (await confluenceDialect(archive, config)) ??
    htmlDialect(archive, config);
  if (found) return found;
  throw new ImportRefused(
    "invalid_archive",
    `The archive has no Markdown or HTML files, and is no export that is known. ${KNOWN}`,
  );
}

/** Everything needed to read the files of one archive. */
interface Reading {
  readonly archive: Archive;
  readonly config: Config;
  readonly dialect: Dialect;
  readonly documents: ReadonlySet<string>;
  readonly headings: HeadingIndex;
  readonly names: FileNames;
  readonly aliases: Aliases;
}

/** Other names of pages. All are read at once when the first link names no file. */
class Aliases {
  readonly #dialect: Dialect;
  #pages: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async find(target: string): Promise<{ readonly target: string; readonly fragment: string } | undefined> {
    const { folders, page, heading } = wikiPage(target);
    this.#pages ??= this.#read();
    const pages = await this.#pages;
    const found = pages.get(titleKey([...folders, page].join("/"))) ?? pages.get(titleKey(page));
    return found === undefined ? undefined : { target: found, fragment: heading };
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const { pages, aliasesOf } = this.#dialect;
    const named = new Map<string, string>();
    for (const path of aliasesOf ? pages : [])
      for (const alias of (await aliasesOf?.(path)) ?? [])
        if (!named.has(titleKey(alias))) named.set(titleKey(alias), path);
    return named;
  }
}

interface LinkTargets {
  /** Texts of the headings. */
  readonly texts: readonly string[];
  /** Names of blocks that end with one, as in Obsidian: `^name`. */
  readonly names: ReadonlySet<string>;
}

/** Headings and named blocks of linked files; each file is read for them once. */
class HeadingIndex {
  readonly #dialect: Dialect;
  readonly #targets = new Map<string, Promise<LinkTargets>>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The slug of the heading that a fragment names, by slug or by text. */
  async find(path: string, fragment: string): Promise<string | undefined> {
    const known = this.#targets.get(path) ?? this.#read(path);
    this.#targets.set(path, known);
    const { texts, names } = await known;
    if (names.has(fragment)) return fragment;
    const found = findFragment(texts, fragment);
    return found === undefined ? undefined : uniqueSlugs(texts)[found];
  }

  async #read(path: string): Promise<LinkTargets> {
    const { blocks } = await this.#dialect.read(path);
    return { texts: listHeadings(blocks).map((heading) => heading.text), names: new Set(namedBlocks(blocks).keys()) };
  }
}

async function load(reading: Reading, path: string): Promise<LoadedBody> {
  const { title, blocks: parsed, frontMatter, warnings: problems, source } = await reading.dialect.read(path);
  const { targets, links } = await resolveLinks(parsed, reading, path);
  const addresses = new Map(targets);
  const files = new Map<string, PlannedFile>();
  const linked = mapShared(parsed, (block) => relink(block, { ...reading, path, files, targets, addresses }));
  const document = { type: "doc", content: linked };
  const rules: ParseRules = { documentType: "document", maxCharacters: reading.config.maxDocumentCharacters };
  const read = parseBlocks({ format: "tiptap-json", document }, [], rules);
  const { blocks, named } = nameHeadings(read, path);
  const found = title ?? headingTitle(blocks[0]);
  const kept = source === undefined ? {} : { source: { text: source, blocks: parsed, addresses } };
  const said = [...addresses].filter(([address]) => !address.startsWith(WIKI));
  const parts = {
    frontMatter,
    links,
    fileAddresses: fileAddresses(said),
    files: [...files.values()],
    warnings: problems,
    ...kept,
  };
  return { blocks, linkable: named, ...parts, ...(found && { title: cleanTitle(found) }) };
}

/** The text of a page's first heading. Images are dropped: a heading of badges alone is not a title. */
function headingTitle(first: Node | undefined): string | undefined {
  if (first?.type !== "heading" || first.attrs?.level !== 1) return undefined;
  const words = (first.content ?? []).filter(({ type }) => type !== "inlineImage");
  return (
    plainText({ ...first, content: words })
      .replace(/\s+/g, " ")
      .trim() || undefined
  );
}

/** Cheap check: most paragraphs have no `^` at all. */
const mayHaveName = ({ content = [] }: Node): boolean =>
  content.some(({ type, text = "" }) => type !== "text" || text.includes("^"));

/** Paragraphs that end with `^name`, by name; the first wins. */
function namedBlocks(blocks: readonly Node[], found = new Map<string, Node>()): ReadonlyMap<string, Node> {
  for (const node of blocks) {
    if (node.type === "paragraph") {
      if (!mayHaveName(node)) continue;
      const [, name] = /(?:^|\s)(\^[\w-]{1,100})$/.exec(plainText(node).slice(-200)) ?? [];
      if (name !== undefined && !found.has(name)) found.set(name, node);
    } else if (node.content) namedBlocks(node.content, found);
  }
  return found;
}

/** Gives headings and named blocks the ids that links refer to; `named` holds these ids. */
function nameHeadings(
  blocks: readonly Node[],
  path: string,
): { readonly blocks: readonly Node[]; readonly named: ReadonlySet<string> } {
  const slugById = slugs({ type: "doc", content: blocks });
  for (const [name, node] of namedBlocks(blocks)) slugById.set(idOf(node), name);
  const named = new Set<string>();
  const withName = (node: Node): Node => {
    const slug = slugById.get(idOf(node));
    if (slug === undefined)
      return withParts(node, node.attrs, node.marks, node.content && mapShared(node.content, withName));
    const id = headingBlockId(path, slug);
    named.add(id);
    return withId(node, id);
  };
  return { blocks: slugById.size === 0 ? blocks : mapShared(blocks, withName), named };
}

const hrefOf = (mark: Mark): string | undefined =>
  mark.type === "link" && typeof mark.attrs?.href === "string" ? mark.attrs.href : undefined;

const addressesOf = ({ type, attrs }: Node) =>
  isRawHtml(type) && typeof attrs?.html === "string" ? findDestinations(attrs.html) : [];

function eachHref(nodes: readonly Node[], visit: (href: string) => void): void {
  for (const node of nodes) {
    for (const mark of node.marks ?? []) {
      const href = hrefOf(mark);
      if (href !== undefined) visit(href);
    }
    for (const { value } of addressesOf(node)) visit(value);
    if (node.content) eachHref(node.content, visit);
  }
}

/** Resolves each link of a file to another file; describes the broken ones in words. */
async function resolveLinks(
  blocks: readonly Node[],
  reading: Reading,
  path: string,
): Promise<{ targets: ReadonlyMap<string, string>; links: PageLinks }> {
  const targets = new Map<string, string>();
  const counts = new Map<string, number>();
  eachHref(blocks, (href) => counts.set(href, (counts.get(href) ?? 0) + 1));
  let resolved = 0;
  const unresolved: UnresolvedLink[] = [];
  for (const [href, count] of counts) {
    const { target, problem } = await resolveLink(href, reading, path);
    if (target !== undefined) targets.set(href, target);
    if (problem !== undefined)
      unresolved.push({ target: shownHref(href), why: problem, count, isLost: target === undefined });
    if (target !== undefined) resolved += count;
  }
  return { targets, links: { resolved, unresolved } };
}

const shownHref = (href: string): string => (href.startsWith(WIKI) ? `[[${href.slice(WIKI.length)}]]` : href);

/** Resolves an address within the archive, or returns the problem; external addresses have neither. */
async function resolveLink(
  href: string,
  reading: Reading,
  path: string,
): Promise<{ target?: string; problem?: string }> {
  const { aliases, archive, dialect, documents, headings, names } = reading;
  if (href.startsWith(WIKI)) {
    const name = href.slice(WIKI.length);
    const page = names.page(name, path);
    const file = page ? undefined : names.file(name, path);
    if (file !== undefined) return { target: importedFileHref(file) };
    const { target, fragment } = page ?? (await aliases.find(name)) ?? {};
    if (target === undefined) return { problem: "it waits for a page of that name" };
    const slug = fragment ? await headings.find(target, fragment) : undefined;
    const problem = fragment && slug === undefined ? { problem: "there is no such heading or block" } : {};
    return { target: importedHref(target, slug), ...problem };
  }
  const resolved = resolve(href, path, reading);
  const page = resolved === undefined ? undefined : pageOf(resolved, documents);
  const isPath = page !== undefined && (page === resolved || !archive.has(defined(resolved)));
  const target = isPath ? page : dialect.pageAt?.(href, path);
  if (target === undefined) {
    if (resolved === undefined) return {};
    if (archive.has(resolved) && !isClutter(resolved)) return { target: importedFileHref(resolved) };
    return /\.(?:md|markdown|html?|csv|docx)$/i.test(resolved) ? { problem: "there is no such file" } : {};
  }
  const fragment = fragmentOf(href);
  const slug = fragment === "" ? undefined : await headings.find(target, fragment);
  const problem = fragment !== "" && slug === undefined && isPath ? "there is no such heading" : undefined;
  return { target: importedHref(target, slug), ...(problem && { problem }) };
}

/** The page at a path; the HTML path of a built book resolves to its Markdown page. */
function pageOf(path: string, documents: ReadonlySet<string>): string | undefined {
  if (documents.has(path)) return path;
  if (!/\.html?$/i.test(path)) return undefined;
  const base = path.replace(/\.html?$/i, "");
  const sources = [
    `${base}.md`,
    ...(posix.basename(base) === "index" ? [posix.join(posix.dirname(base), "README.md")] : []),
  ];
  return sources.find((source) => documents.has(source));
}

function fragmentOf(href: string): string {
  const [, fragment = ""] = /#(.*)$/s.exec(href) ?? [];
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

interface Around {
  readonly archive: Archive;
  readonly dialect: Dialect;
  readonly names: FileNames;
  readonly path: string;
  readonly files: Map<string, PlannedFile>;
  /** Resolved links to other files of the archive, by their source address. */
  readonly targets: ReadonlyMap<string, string>;
  /** Same, including images. */
  readonly addresses: Map<string, string>;
}

/**
 * The archive path that an address refers to; undefined for external addresses. Resolved relative to the file or, as
 * vaults may write it, to the top.
 */
function resolve(href: string, from: string, { archive, dialect }: Pick<Reading, "archive" | "dialect">) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(href)) return undefined;
  const said = decoded(href.replace(/[?#].*$/s, ""));
  const beside = said.startsWith("/") ? said.slice(1) : posix.join(posix.dirname(from), said);
  const fromTop = posix.join(dialect.top ?? "", said);
  return archive.find(beside) ?? (said === "" ? undefined : archive.find(fromTop)) ?? beside;
}

/** Leaves a path with a literal percent sign unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Links between files become links between documents; archived images become attachments. */
function relink(node: Node, around: Around): Node {
  const marks = node.marks && mapShared(node.marks, (mark) => relinkMark(mark, around));
  const content = node.content && mapShared(node.content, (child) => relink(child, around));
  const attrs = attrsOf(node, around);
  return withParts(node, attrs, marks, content);
}

function attrsOf(node: Node, around: Around): Node["attrs"] {
  if (node.type === "image" || node.type === "inlineImage") return pictureAttrs(node, around);
  const { html } = node.attrs ?? {};
  if (!isRawHtml(node.type) || typeof html !== "string") return node.attrs;
  return { ...node.attrs, html: replaceDestinations(html, (value) => resolveInHtml(value, around)) };
}

/** Resolves an address in HTML to a page or a file, which becomes an attachment. */
function resolveInHtml(value: string, around: Around): string | undefined {
  const resolved = resolve(value, around.path, around);
  const isFile =
    resolved !== undefined && around.archive.has(resolved) && !isMarkdown(resolved) && !isClutter(resolved);
  const target = around.targets.get(value) ?? (isFile ? importedFileHref(resolved) : undefined);
  if (target === undefined) return undefined;
  const file = importedFileOf(target);
  if (file !== undefined) around.files.set(file, plannedFile(file));
  around.addresses.set(value, target);
  return target;
}

const plannedFile = (path: string): PlannedFile => ({
  key: path,
  path,
  fileName: posix.basename(path),
  sha256: undefined,
});

function pictureAttrs(node: Node, around: Around): Node["attrs"] {
  const src = node.attrs?.src;
  const named = typeof src === "string" && src.startsWith(WIKI) ? src.slice(WIKI.length) : undefined;
  const resolved = typeof src === "string" && named === undefined ? resolve(src, around.path, around) : undefined;
  const path = named === undefined ? resolved : around.names.file(named, around.path);
  if (path === undefined || !around.archive.has(path) || isMarkdown(path)) return node.attrs;
  around.files.set(path, plannedFile(path));
  if (named === undefined) around.addresses.set(String(src), importedFileHref(path));
  return { ...node.attrs, ...(named !== undefined && { wiki: named }), attachmentId: path };
}

function relinkMark(mark: Mark, { targets, files }: Around): Mark {
  const href = hrefOf(mark) ?? "";
  const target = targets.get(href);
  if (target === undefined) return mark;
  const file = importedFileOf(target);
  if (file !== undefined) files.set(file, plannedFile(file));
  const wiki = href.startsWith(WIKI) && { wiki: href.slice(WIKI.length) };
  return { ...mark, attrs: { ...mark.attrs, ...wiki, href: target } };
}
