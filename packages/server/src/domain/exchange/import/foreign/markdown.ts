import { parseMarkdown } from "@svc/document/markdown/parse";
import { withoutMark } from "@svc/document/markdown/tokenizer";
import { sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties, textOf } from "@svc/document/properties/read-properties";
import type { Archive } from "../../../../archives/open-archive.ts";
import { ImportRefused } from "../../../../archives/refused.ts";
import type { Config } from "../../../../config.ts";
import { FileNames } from "../file-names.ts";
import type { ImportFormat } from "../import-format.ts";
import { bodyBytes } from "../read-bundle.ts";
import { type Dialect, foldersByPath, isClutter, type ReadPage, withoutEnding } from "./dialect.ts";
import { logseqNames, logseqProperties, logseqTitle, vaultKind } from "./vault-kind.ts";
import { isWord, readWord } from "./word.ts";

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** A folder of Markdown files: a Git wiki, a book or a vault. Word files among them also become pages. */
export async function markdownDialect(archive: Archive, config: Config): Promise<Dialect | undefined> {
  const paths = archive.paths.filter((path) => !isClutter(path));
  const isBundle = paths.includes("index.md") && paths.includes("manifest.json");
  const isListing = (path: string) => isBundle && /(?:^|\/)(?:index|log)\.md$/.test(path);
  const pages = paths.filter((path) => (isMarkdown(path) && !isListing(path)) || isWord(path)).sort();
  if (pages.length === 0) return undefined;
  const names = new FileNames(paths, new Set(pages));
  const isPage = (name: string, from: string) => names.page(name, from) !== undefined;
  const read = (path: string) => readText(archive, config, path);
  const format = pages.every(isWord) ? "word" : await vaultKind({ paths: archive.paths, pages, read, isPage });
  const isVault = format === "obsidian" || format === "logseq";
  return {
    format,
    pages,
    files: paths.filter((path) => !isMarkdown(path) && !isWord(path) && !path.includes(".docx!/")),
    ...foldersByPath(pages, (step) => step),
    titleOf: (path) => (format === "logseq" ? logseqTitle(withoutEnding(path)) : withoutEnding(path)),
    fileNameOf: (path) => (isMarkdown(path) ? withoutEnding(path) : undefined),
    aliasesOf: async (path) => {
      if (isWord(path)) return [];
      return format === "logseq" ? logseqAliases(path, await read(path)) : readAliases(await read(path));
    },
    read: async (path) => {
      if (isWord(path)) return readWord(archive, `${path}!/`, path);
      const page = await readMarkdownPage(archive, config, path);
      return isVault ? { ...page, title: vaultTitle(format, path, page.source) } : page;
    },
  };
}

/** In a vault, links name a page by its file. A Logseq page may define another title. */
function vaultTitle(format: ImportFormat, path: string, source = ""): string {
  const name = withoutEnding(path);
  return format === "logseq" ? (logseqProperties(source).get("title") ?? logseqTitle(name)) : name;
}

const logseqAliases = (path: string, text: string): readonly string[] => [
  logseqTitle(withoutEnding(path)),
  ...logseqNames(path, text),
];

/** Parses a Markdown file; anchors are removed. */
export async function readMarkdownPage(archive: Archive, config: Config, path: string): Promise<ReadPage> {
  const { text, encoding } = await readDecoded(archive, config, path);
  const { frontMatter, body, problem } = splitReadable(text);
  const warnings = problem ? [`${path.slice(0, 200)}: the front matter is kept as text. ${problem}`] : [];
  if (encoding) warnings.push(`${path.slice(0, 200)}: it is not UTF-8, and was read as ${encoding}.`);
  const { title } = frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));
  const source = withoutAnchors(body);
  const blocks = parseMarkdown(source);
  return {
    frontMatter,
    blocks,
    warnings,
    source,
    ...(title !== undefined && title !== null && { title: textOf(title) }),
  };
}

/** Also removes the blank lines that this service's export puts at the beginning. */
function withoutAnchors(text: string): string {
  const plain = text.replace(/^<!--@block=[^\n]*-->$/gm, "");
  return plain === text ? text : plain.replace(/^(?:[ \t]*\r?\n)+/, "");
}

function readAliases(text: string): readonly string[] {
  const { frontMatter } = splitReadable(text);
  const { aliases, alias } = frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));
  return [aliases ?? [], alias ?? []].flat().filter((name) => typeof name === "string");
}

export async function readText(archive: Archive, config: Config, path: string): Promise<string> {
  return withoutMark((await readDecoded(archive, config, path)).text);
}

interface Decoded {
  /** With its byte order mark, if it is UTF-8. */
  readonly text: string;
  /** The guessed encoding, when the file does not declare one. */
  readonly encoding?: string;
}

async function readDecoded(archive: Archive, config: Config, path: string): Promise<Decoded> {
  const content = await archive.read(path, bodyBytes(config));
  try {
    const encoding = markedEncoding(content);
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === "utf-8" }).decode(content);
    return { text: text.replaceAll("\0", "\ufffd") };
  } catch {
    if (content.includes(0))
      throw new ImportRefused("invalid_archive", `${JSON.stringify(path.slice(0, 200))} is not text in UTF-8.`);
    return { text: new TextDecoder("windows-1252").decode(content), encoding: "Windows-1252" };
  }
}

/** The encoding that a byte order mark declares. */
function markedEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
