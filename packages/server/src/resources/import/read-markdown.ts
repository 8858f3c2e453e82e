import { posix } from "node:path";
import { defined } from "@svc/document/defined";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { WIKI } from "@svc/document/markdown/rules/wiki-link";
import { sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties, textOf } from "@svc/document/properties/read-properties";
import { listHeadings } from "@svc/document/read/headings";
import { slugOf, slugs, uniqueSlugs } from "@svc/document/read/slugs";
import { plainText } from "@svc/document/read/text";
import { idOf, mapShared, withId } from "@svc/document/schema/node";
import type { Mark, Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import { parseNewBody } from "../content/parse-content.ts";
import { FileNames } from "./file-names.ts";
import { headingBlockId, importedHref } from "./mapped-ids.ts";
import type { Archive } from "./open-archive.ts";
import { cleanTitle, type ImportPlan, type LoadedBody, type PlannedFile, type PlannedFolder } from "./plan.ts";
import { bodyBytes } from "./read-bundle.ts";
import { ImportRefused } from "./refused.ts";

const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);
/** What archivers and editors leave behind. */
const isClutter = (path: string): boolean =>
  path.split("/").some((step) => step === "__MACOSX" || step.startsWith("."));

/** The plan of a folder of Markdown files: folders as they are, each file a document, pictures and files they show. */
export function readMarkdown(archive: Archive, config: Config, fallbackName: string): ImportPlan {
  const paths = archive.paths.filter((path) => !isClutter(path));
  const isBundle = paths.includes("index.md") && paths.includes("manifest.json");
  const isListing = (path: string) => isBundle && /(?:^|\/)(?:index|log)\.md$/.test(path);
  const documents = paths.filter((path) => isMarkdown(path) && !isListing(path)).sort();
  if (documents.length === 0) throw new ImportRefused("invalid_archive", "The archive has no Markdown files.");
  const top = commonTop(documents);
  const headings = new HeadingIndex(archive, config);
  const all = new Set(documents);
  const names = new FileNames(paths, all);
  return {
    name: cleanTitle(top === "" ? fallbackName : top.slice(0, -1), fallbackName),
    folders: foldersOf(documents, top),
    documents: documents.map((path) => ({
      key: path,
      folderKey: folderOf(path, top),
      title: cleanTitle(posix.basename(path).replace(/\.\w+$/, "")),
      documentType: "document" as const,
      headingNumbered: false,
      backgroundColor: null,
      collapsedBlockIds: [],
      load: () => load({ archive, config, documents: all, headings, names }, path),
    })),
    warnings: [],
  };
}

/** A single folder that holds everything is the knowledge base itself. */
function commonTop(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && paths.every((path) => path.startsWith(top)) ? top : "";
}

const folderOf = (path: string, top: string): string | null => {
  const folder = posix.dirname(path);
  return folder === "." || `${folder}/` === top ? null : folder;
};

function foldersOf(paths: readonly string[], top: string): PlannedFolder[] {
  const folders = new Map<string, PlannedFolder>();
  const add = (key: string | null): void => {
    if (key === null || folders.has(key)) return;
    const parentKey = folderOf(key, top);
    add(parentKey);
    folders.set(key, { key, parentKey, name: cleanTitle(posix.basename(key)) });
  };
  for (const path of paths) add(folderOf(path, top));
  return [...folders.values()];
}

/** What the files of one archive are read with. */
interface Reading {
  readonly archive: Archive;
  readonly config: Config;
  readonly documents: ReadonlySet<string>;
  readonly headings: HeadingIndex;
  readonly names: FileNames;
}

/** The slugs of the headings of files that links lead into, each file read for them once. */
class HeadingIndex {
  readonly #archive: Archive;
  readonly #config: Config;
  readonly #slugs = new Map<string, Promise<readonly string[]>>();

  constructor(archive: Archive, config: Config) {
    this.#archive = archive;
    this.#config = config;
  }

  /** The slug of the heading that a fragment means, written as a slug or as the heading's own words. */
  async find(path: string, fragment: string): Promise<string | undefined> {
    const known = this.#slugs.get(path) ?? this.#read(path);
    this.#slugs.set(path, known);
    const slugs = await known;
    const wanted = slugOf(defined(fragment.split("#").at(-1)));
    return slugs.find((slug) => slug === fragment) ?? slugs.find((slug) => slug === wanted);
  }

  async #read(path: string): Promise<readonly string[]> {
    const { text } = await readSource(this.#archive, this.#config, path);
    return uniqueSlugs(listHeadings(parseMarkdown(text)).map((heading) => heading.text));
  }
}

/** A file in its parts; without anchors. */
interface Source {
  readonly title?: string;
  readonly frontMatter: string;
  readonly text: string;
  readonly warnings: readonly string[];
}

async function readSource(archive: Archive, config: Config, path: string): Promise<Source> {
  const { frontMatter, body, problem } = splitReadable(decode(await archive.read(path, bodyBytes(config)), path));
  const warnings = problem ? [`${path.slice(0, 200)}: the front matter is kept as text. ${problem}`] : [];
  const { title } = frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));
  const text = body.replace(/^<!--@block=[^\n]*-->$/gm, "");
  return { frontMatter, text, warnings, ...(title !== undefined && title !== null && { title: textOf(title) }) };
}

async function load(reading: Reading, path: string): Promise<LoadedBody> {
  const { title, text, frontMatter, warnings: problems } = await readSource(reading.archive, reading.config, path);
  const parsed = parseMarkdown(text);
  const { places, warnings } = await findPlaces(parsed, reading, path);
  const files = new Map<string, PlannedFile>();
  const linked = mapShared(parsed, (block) => relink(block, { ...reading, path, files, places }));
  const document = { type: "doc", content: linked };
  const read = await parseNewBody({ format: "tiptap-json", document }, "document", reading.config);
  const blocks = nameHeadings(read, path);
  const heading = blocks[0]?.type === "heading" && blocks[0].attrs?.level === 1 ? plainText(blocks[0]) : undefined;
  const found = title ?? heading;
  const parts = { frontMatter, files: [...files.values()], warnings: [...problems, ...warnings] };
  return { blocks, ...parts, ...(found && { title: cleanTitle(found) }) };
}

/** Gives headings the ids that links to them are made with. */
function nameHeadings(blocks: readonly Node[], path: string): readonly Node[] {
  const slugById = slugs({ type: "doc", content: blocks });
  const named = (node: Node): Node => {
    const slug = slugById.get(idOf(node));
    if (slug !== undefined) return withId(node, headingBlockId(path, slug));
    return node.content ? { ...node, content: mapShared(node.content, named) } : node;
  };
  return slugById.size === 0 ? blocks : mapShared(blocks, named);
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
  { documents, headings, names }: Reading,
  path: string,
): Promise<{ places: ReadonlyMap<string, string>; warnings: readonly string[] }> {
  const places = new Map<string, string>();
  const warnings = new Set<string>();
  const hrefs = new Set<string>();
  eachHref(blocks, (href) => hrefs.add(href));
  for (const href of hrefs) {
    if (href.startsWith(WIKI)) {
      const { target, fragment } = names.page(href.slice(WIKI.length), path) ?? {};
      if (target === undefined) {
        warnings.add(unresolved(path, `[[${href.slice(WIKI.length)}]]`, "it waits for a page of that name"));
        continue;
      }
      places.set(href, importedHref(target, fragment ? await headings.find(target, fragment) : undefined));
      continue;
    }
    const target = resolve(href, path);
    if (target === undefined) continue;
    if (!documents.has(target)) {
      if (isMarkdown(target)) warnings.add(unresolved(path, href, "there is no such file"));
      continue;
    }
    const fragment = fragmentOf(href);
    const slug = fragment === "" ? undefined : await headings.find(target, fragment);
    if (fragment !== "" && slug === undefined) warnings.add(unresolved(path, href, "there is no such heading"));
    places.set(href, importedHref(target, slug));
  }
  return { places, warnings: [...warnings] };
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

function decode(content: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content).replaceAll("\0", "\ufffd");
  } catch {
    throw new ImportRefused("invalid_archive", `${JSON.stringify(path.slice(0, 200))} is not text in UTF-8.`);
  }
}

interface Around {
  readonly archive: Archive;
  readonly names: FileNames;
  readonly path: string;
  readonly files: Map<string, PlannedFile>;
  /** Links to other files of the archive, by their address in the source. */
  readonly places: ReadonlyMap<string, string>;
}

/** The path in the archive that an address in a file means; undefined for the world outside. */
function resolve(href: string, from: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(href)) return undefined;
  const bare = href.replace(/[?#].*$/s, "");
  try {
    const decoded = decodeURIComponent(bare);
    return decoded.startsWith("/") ? decoded.slice(1) : posix.join(posix.dirname(from), decoded);
  } catch {
    return undefined;
  }
}

/** Links between files become links between documents; pictures from the archive become attachments. */
function relink(node: Node, around: Around): Node {
  const marks = node.marks && mapShared(node.marks, (mark) => relinkMark(mark, around));
  const content = node.content && mapShared(node.content, (child) => relink(child, around));
  const attrs = node.type === "image" || node.type === "inlineImage" ? pictureAttrs(node, around) : node.attrs;
  return { ...node, ...(attrs && { attrs }), ...(marks && { marks }), ...(content && { content }) };
}

function pictureAttrs(node: Node, around: Around): Node["attrs"] {
  const src = node.attrs?.src;
  const named = typeof src === "string" && src.startsWith(WIKI) ? src.slice(WIKI.length) : undefined;
  const resolved = typeof src === "string" && named === undefined ? resolve(src, around.path) : undefined;
  const path = named === undefined ? resolved : around.names.file(named, around.path);
  if (path === undefined || !around.archive.has(path) || isMarkdown(path)) return node.attrs;
  around.files.set(path, { key: path, path, fileName: posix.basename(path), sha256: undefined });
  return { ...node.attrs, ...(named !== undefined && { wiki: named }), attachmentId: path };
}

function relinkMark(mark: Mark, { places }: Around): Mark {
  const place = places.get(hrefOf(mark) ?? "");
  if (place === undefined) return mark;
  const href = hrefOf(mark)!;
  const wiki = href.startsWith(WIKI) && { wiki: href.slice(WIKI.length) };
  return { ...mark, attrs: { ...mark.attrs, ...wiki, href: place } };
}
