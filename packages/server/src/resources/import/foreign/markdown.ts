import { parseMarkdown } from "@svc/document/markdown/parse";
import { sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties, textOf } from "@svc/document/properties/read-properties";
import type { Config } from "../../../config.ts";
import type { Archive } from "../open-archive.ts";
import { bodyBytes } from "../read-bundle.ts";
import { ImportRefused } from "../refused.ts";
import { type Dialect, foldersByPath, isClutter, type ReadPage, withoutEnding } from "./dialect.ts";
import { isWord, readWord } from "./word.ts";

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** A folder of Markdown files, as a Git wiki has them, or an Obsidian vault; Word files among them are pages too. */
export function markdownDialect(archive: Archive, config: Config): Dialect | undefined {
  const paths = archive.paths.filter((path) => !isClutter(path));
  const isBundle = paths.includes("index.md") && paths.includes("manifest.json");
  const isListing = (path: string) => isBundle && /(?:^|\/)(?:index|log)\.md$/.test(path);
  const pages = paths.filter((path) => (isMarkdown(path) && !isListing(path)) || isWord(path)).sort();
  if (pages.length === 0) return undefined;
  const isVault = archive.paths.some((path) => /(?:^|\/)\.obsidian\//.test(path));
  return {
    format: isVault ? "obsidian" : pages.every(isWord) ? "word" : "markdown",
    pages,
    files: paths.filter((path) => !isMarkdown(path) && !isWord(path) && !path.includes(".docx!/")),
    ...foldersByPath(pages, (step) => step),
    titleOf: withoutEnding,
    aliasesOf: (path) => (isWord(path) ? Promise.resolve([]) : readAliases(archive, config, path)),
    read: (path) => (isWord(path) ? readWord(archive, `${path}!/`, path) : readMarkdownPage(archive, config, path)),
  };
}

/** A Markdown file in its parts; without anchors. */
export async function readMarkdownPage(archive: Archive, config: Config, path: string): Promise<ReadPage> {
  const { text, encoding } = await readDecoded(archive, config, path);
  const { frontMatter, body, problem } = splitReadable(text);
  const warnings = problem ? [`${path.slice(0, 200)}: the front matter is kept as text. ${problem}`] : [];
  if (encoding) warnings.push(`${path.slice(0, 200)}: it is not UTF-8, and was read as ${encoding}.`);
  const { title } = frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));
  const source = body.replace(/^<!--@block=[^\n]*-->$/gm, "").replace(/^(?:[ \t]*\r?\n)+/, "");
  const blocks = parseMarkdown(source);
  return {
    frontMatter,
    blocks,
    warnings,
    source,
    ...(title !== undefined && title !== null && { title: textOf(title) }),
  };
}

async function readAliases(archive: Archive, config: Config, path: string): Promise<readonly string[]> {
  const { frontMatter } = splitReadable(await readText(archive, config, path));
  const { aliases, alias } = frontMatter === "" ? {} : readProperties(sourceOf(frontMatter));
  return [aliases ?? [], alias ?? []].flat().filter((name) => typeof name === "string");
}

export async function readText(archive: Archive, config: Config, path: string): Promise<string> {
  return (await readDecoded(archive, config, path)).text;
}

interface Decoded {
  readonly text: string;
  /** Where it is none that says what it is: the one that it was taken for. */
  readonly encoding?: string;
}

async function readDecoded(archive: Archive, config: Config, path: string): Promise<Decoded> {
  const content = await archive.read(path, bodyBytes(config));
  try {
    const text = new TextDecoder(markedEncoding(content), { fatal: true }).decode(content);
    return { text: text.replaceAll("\0", "\ufffd") };
  } catch {
    if (content.includes(0))
      throw new ImportRefused("invalid_archive", `${JSON.stringify(path.slice(0, 200))} is not text in UTF-8.`);
    return { text: new TextDecoder("windows-1252").decode(content), encoding: "Windows-1252" };
  }
}

/** What the mark at the beginning of a text says. */
function markedEncoding([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
