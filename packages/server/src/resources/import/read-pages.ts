import { posix } from "node:path";
import { WIKI, wikiPage } from "@svc/document/markdown/rules/wiki-link";
import { listHeadings } from "@svc/document/read/headings";
import { findFragment, slugs, uniqueSlugs } from "@svc/document/read/slugs";
import { plainText } from "@svc/document/read/text";
import { idOf, mapShared, withId, withParts } from "@svc/document/schema/node";
import type { Mark, Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import { type ParseRules, parseBlocks } from "../content/parse-blocks.ts";
import { titleKey } from "../documents/title-key.ts";
import { FileNames } from "./file-names.ts";
import { confluenceDialect } from "./foreign/confluence.ts";
import { type Dialect, isClutter } from "./foreign/dialect.ts";
import { htmlDialect } from "./foreign/html-page.ts";
import { isMarkdown, markdownDialect } from "./foreign/markdown.ts";
import { notionDialect } from "./foreign/notion.ts";
import { notionHtmlDialect } from "./foreign/notion-html.ts";
import { wordDialect } from "./foreign/word.ts";
import { headingBlockId, importedFileHref, importedFileOf, importedHref } from "./mapped-ids.ts";
import type { Archive } from "./open-archive.ts";
import { cleanTitle, type ImportPlan, type LinkCounts, type LoadedBody, type PlannedFile } from "./plan.ts";
import { ImportRefused } from "./refused.ts";

/** The plan of an archive that another program made: its pages as documents, with the pictures and files they show. */
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
      documentType: "document" as const,
      headingNumbered: false,
      backgroundColor: null,
      collapsedBlockIds: [],
      load: () => load({ archive, config, dialect, documents: all, headings, names, aliases }, path),
    })),
    warnings: hiddenPages(archive).map((path) => `${path.slice(0, 200)}: left out, as its name begins with a dot.`),
  };
}

/** What would be pages if their names were others; what a Mac writes beside each file (`._name`) is none. */
const hiddenPages = ({ paths }: Archive): readonly string[] =>
  paths.filter((path) => {
    const name = posix.basename(path);
    const unhidden = path.slice(0, -name.length) + name.slice(1);
    return /^\.[^._]/.test(name) && isMarkdown(path) && !isClutter(unhidden);
  });

const KNOWN =
  "Known are an export of this service, Markdown files (also an Obsidian vault), Notion's export as Markdown & CSV or as HTML, Confluence's HTML export of a space, HTML files, and Word files.";

async function dialectOf(archive: Archive, config: Config, fileName: string): Promise<Dialect> {
  const found =
    wordDialect(archive, fileName) ??
    notionHtmlDialect(archive, config) ??
    notionDialect(archive, config) ??
    markdownDialect(archive, config) ??
    (await confluenceDialect(archive, config)) ??
    htmlDialect(archive, config);
  if (found) return found;
  throw new ImportRefused(
    "invalid_archive",
    `The archive has no Markdown or HTML files, and is no export that is known. ${KNOWN}`,
  );
}

/** What the files of one archive are read with. */
interface Reading {
  readonly archive: Archive;
  readonly config: Config;
  readonly dialect: Dialect;
  readonly documents: ReadonlySet<string>;
  readonly headings: HeadingIndex;
  readonly names: FileNames;
  readonly aliases: Aliases;
}

/** Other names of pages. They are asked for when a link names no file, and then all are read at once. */
class Aliases {
  readonly #dialect: Dialect;
  #pages: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async find(target: string): Promise<{ readonly target: string; readonly fragment: string } | undefined> {
    const { page, heading } = wikiPage(target);
    this.#pages ??= this.#read();
    const found = (await this.#pages).get(titleKey(page));
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

interface Places {
  /** Of headings. */
  readonly texts: readonly string[];
  /** Blocks that end with a name of their own, as Obsidian's do: `^name`. */
  readonly names: ReadonlySet<string>;
}

/** The headings and named blocks of files that links lead into, each file read for them once. */
class HeadingIndex {
  readonly #dialect: Dialect;
  readonly #places = new Map<string, Promise<Places>>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The slug of the heading that a fragment means, written as a slug or as the heading's own words. */
  async find(path: string, fragment: string): Promise<string | undefined> {
    const known = this.#places.get(path) ?? this.#read(path);
    this.#places.set(path, known);
    const { texts, names } = await known;
    if (names.has(fragment)) return fragment;
    const found = findFragment(texts, fragment);
    return found === undefined ? undefined : uniqueSlugs(texts)[found];
  }

  async #read(path: string): Promise<Places> {
    const { blocks } = await this.#dialect.read(path);
    return { texts: listHeadings(blocks).map((heading) => heading.text), names: new Set(namedBlocks(blocks).keys()) };
  }
}

async function load(reading: Reading, path: string): Promise<LoadedBody> {
  const { title, blocks: parsed, frontMatter, warnings: problems, source } = await reading.dialect.read(path);
  const { places, warnings, links } = await findPlaces(parsed, reading, path);
  const addresses = new Map(places);
  const files = new Map<string, PlannedFile>();
  const linked = mapShared(parsed, (block) => relink(block, { ...reading, path, files, places, addresses }));
  const document = { type: "doc", content: linked };
  const rules: ParseRules = { documentType: "document", maxCharacters: reading.config.maxDocumentCharacters };
  const read = parseBlocks({ format: "tiptap-json", document }, [], rules);
  const { blocks, named } = nameHeadings(read, path);
  const heading = blocks[0]?.type === "heading" && blocks[0].attrs?.level === 1 ? plainText(blocks[0]) : undefined;
  const found = title ?? heading;
  const kept = source === undefined ? {} : { source: { text: source, blocks: parsed, addresses } };
  const parts = { frontMatter, links, files: [...files.values()], warnings: [...problems, ...warnings], ...kept };
  return { blocks, linkable: named, ...parts, ...(found && { title: cleanTitle(found) }) };
}

/** Most paragraphs have no such sign anywhere. */
const mayHaveName = ({ content = [] }: Node): boolean =>
  content.some(({ type, text = "" }) => type !== "text" || text.includes("^"));

/** Paragraphs that end with `^name`, by that name; of equal names the first. */
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

/** Gives headings and named blocks the ids that links to them are made with; `named` are these ids. */
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

function eachHref(nodes: readonly Node[], visit: (href: string) => void): void {
  for (const node of nodes) {
    for (const mark of node.marks ?? []) {
      const href = hrefOf(mark);
      if (href !== undefined) visit(href);
    }
    if (node.content) eachHref(node.content, visit);
  }
}

/** What each link of a file to another file becomes, and those that lead nowhere, in words. */
async function findPlaces(
  blocks: readonly Node[],
  reading: Reading,
  path: string,
): Promise<{ places: ReadonlyMap<string, string>; warnings: readonly string[]; links: LinkCounts }> {
  const places = new Map<string, string>();
  const warnings = new Set<string>();
  const counts = new Map<string, number>();
  eachHref(blocks, (href) => counts.set(href, (counts.get(href) ?? 0) + 1));
  const links = { resolved: 0, unresolved: 0 };
  for (const [href, count] of counts) {
    const { place, problem } = await findPlace(href, reading, path);
    if (place !== undefined) places.set(href, place);
    if (problem !== undefined) warnings.add(unresolved(path, shownHref(href), problem));
    if (place !== undefined) links.resolved += count;
    else if (problem !== undefined) links.unresolved += count;
  }
  return { places, warnings: [...warnings], links };
}

const shownHref = (href: string): string => (href.startsWith(WIKI) ? `[[${href.slice(WIKI.length)}]]` : href);

/** Where an address of a page leads within the archive, or why nowhere; neither for the world outside. */
async function findPlace(href: string, reading: Reading, path: string): Promise<{ place?: string; problem?: string }> {
  const { aliases, archive, dialect, documents, headings, names } = reading;
  if (href.startsWith(WIKI)) {
    const name = href.slice(WIKI.length);
    const page = names.page(name, path);
    const file = page ? undefined : names.file(name, path);
    if (file !== undefined) return { place: importedFileHref(file) };
    const { target, fragment } = page ?? (await aliases.find(name)) ?? {};
    if (target === undefined) return { problem: "it waits for a page of that name" };
    const slug = fragment ? await headings.find(target, fragment) : undefined;
    const problem = fragment && slug === undefined ? { problem: "there is no such heading or block" } : {};
    return { place: importedHref(target, slug), ...problem };
  }
  const resolved = resolve(href, path, reading);
  const isPath = resolved !== undefined && documents.has(resolved);
  const target = isPath ? resolved : dialect.pageAt?.(href, path);
  if (target === undefined) {
    if (resolved === undefined) return {};
    if (archive.has(resolved) && !isClutter(resolved)) return { place: importedFileHref(resolved) };
    return /\.(?:md|markdown|html?|csv|docx)$/i.test(resolved) ? { problem: "there is no such file" } : {};
  }
  const fragment = fragmentOf(href);
  const slug = fragment === "" ? undefined : await headings.find(target, fragment);
  const problem = fragment !== "" && slug === undefined && isPath ? "there is no such heading" : undefined;
  return { place: importedHref(target, slug), ...(problem && { problem }) };
}

const unresolved = (path: string, href: string, why: string): string =>
  `${path.slice(0, 200)}: the link to ${href.slice(0, 200)} leads nowhere, ${why}.`;

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
  /** Links to other files of the archive, by their address in the source. */
  readonly places: ReadonlyMap<string, string>;
  /** The same, and the pictures. */
  readonly addresses: Map<string, string>;
}

/**
 * The path in the archive that an address in a file means; undefined for the world outside. It begins at the file, or, as
 * vaults may write it, at the top.
 */
function resolve(href: string, from: string, { archive, dialect }: Pick<Reading, "archive" | "dialect">) {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(href)) return undefined;
  const said = decoded(href.replace(/[?#].*$/s, ""));
  const beside = said.startsWith("/") ? said.slice(1) : posix.join(posix.dirname(from), said);
  const fromTop = posix.join(dialect.top ?? "", said);
  return archive.find(beside) ?? (said === "" ? undefined : archive.find(fromTop)) ?? beside;
}

/** A path in which a percent sign stands for itself is read as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Links between files become links between documents; pictures from the archive become attachments. */
function relink(node: Node, around: Around): Node {
  const marks = node.marks && mapShared(node.marks, (mark) => relinkMark(mark, around));
  const content = node.content && mapShared(node.content, (child) => relink(child, around));
  const attrs = node.type === "image" || node.type === "inlineImage" ? pictureAttrs(node, around) : node.attrs;
  return withParts(node, attrs, marks, content);
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

function relinkMark(mark: Mark, { places, files }: Around): Mark {
  const href = hrefOf(mark) ?? "";
  const place = places.get(href);
  if (place === undefined) return mark;
  const file = importedFileOf(place);
  if (file !== undefined) files.set(file, plannedFile(file));
  const wiki = href.startsWith(WIKI) && { wiki: href.slice(WIKI.length) };
  return { ...mark, attrs: { ...mark.attrs, ...wiki, href: place } };
}
