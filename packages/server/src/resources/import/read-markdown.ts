import { posix } from "node:path";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { plainText } from "@svc/document/read/text";
import { mapShared } from "@svc/document/schema/node";
import type { Mark, Node } from "@svc/document/types";
import type { Config } from "../../config.ts";
import { parseNewBody } from "../content/parse-content.ts";
import { IMPORTED } from "./mapped-ids.ts";
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
      load: () => load(archive, config, path, new Set(documents)),
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

async function load(
  archive: Archive,
  config: Config,
  path: string,
  documents: ReadonlySet<string>,
): Promise<LoadedBody> {
  const content = await archive.read(path, bodyBytes(config));
  const source = decode(content, path);
  const { title, text } = splitFrontMatter(source);
  const parsed = parseMarkdown(text.replace(/^<!--@block=[^\n]*-->$/gm, ""));
  const files = new Map<string, PlannedFile>();
  const linked = mapShared(parsed, (block) => relink(block, { archive, path, documents, files }));
  const document = { type: "doc", content: linked };
  const blocks = await parseNewBody({ format: "tiptap-json", document }, "document", config);
  const heading = blocks[0]?.type === "heading" && blocks[0].attrs?.level === 1 ? plainText(blocks[0]) : undefined;
  const found = title ?? heading;
  return { blocks, files: [...files.values()], ...(found && { title: cleanTitle(found) }) };
}

function decode(content: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content).replaceAll("\0", "\ufffd");
  } catch {
    throw new ImportRefused("invalid_archive", `${JSON.stringify(path.slice(0, 200))} is not text in UTF-8.`);
  }
}

/** The title in the front matter if there is one, and what follows it. */
function splitFrontMatter(source: string): { title?: string; text: string } {
  const match = /^---[ \t]*\r?\n([\s\S]{0,65536}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(source);
  if (!match) return { text: source };
  const line = /^title:[ \t]*(\S.*)$/m.exec(match[1]!)?.[1]?.trim();
  const text = source.slice(match[0].length);
  return line === undefined ? { text } : { title: unquoted(line), text };
}

function unquoted(value: string): string {
  if (value.startsWith("'") && value.endsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.replace(/^"|"$/g, "");
  }
}

interface Around {
  readonly archive: Archive;
  readonly path: string;
  readonly documents: ReadonlySet<string>;
  readonly files: Map<string, PlannedFile>;
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
  const path = typeof src === "string" ? resolve(src, around.path) : undefined;
  if (path === undefined || !around.archive.has(path) || isMarkdown(path)) return node.attrs;
  around.files.set(path, { key: path, path, fileName: posix.basename(path), sha256: undefined });
  return { ...node.attrs, attachmentId: path };
}

function relinkMark(mark: Mark, { path, documents }: Around): Mark {
  const href = mark.type === "link" ? mark.attrs?.href : undefined;
  const target = typeof href === "string" ? resolve(href, path) : undefined;
  if (target === undefined || !documents.has(target)) return mark;
  return { ...mark, attrs: { ...mark.attrs, href: IMPORTED + target } };
}
