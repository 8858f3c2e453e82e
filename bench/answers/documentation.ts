import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { splitReadable } from "@svc/document/properties/front-matter";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { type Outline, outlineOf, sectionsOf } from "@svc/search/text/outline";
import { searchableBlocks } from "@svc/search/text/searchable";

const PACKAGES = resolve(import.meta.dirname, "../../node_modules");

/** The documentation sets of the questions: folders of Markdown that installed packages brought. */
export const SETS = { fastify: "fastify/docs", undici: "undici/docs", pino: "pino/docs" };

export type Block = { readonly id: string; readonly text: string; readonly section: string };
export type Page = {
  /** The path of its file below the set's folder. */
  readonly path: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly outline: Outline;
};

let made = 0;

function withIds(node: Node): Node {
  const content = node.content?.map(withIds);
  const attrs = { ...node.attrs, id: `block_${made++}` };
  return node.type === "text" ? node : { ...node, attrs, ...(content && { content }) };
}

function pageOf(path: string, source: string): Page {
  const nodes = parseMarkdown(splitReadable(source).body).map(withIds);
  const sections = sectionsOf(nodes);
  const blocks = nodes.flatMap((node, i) =>
    searchableBlocks([node]).map(({ id, text }) => ({ id, text, section: sections[i] ?? "" })),
  );
  const heading = nodes.find(({ type }) => type === "heading");
  const title = (heading && plainText(heading)) || basename(path, ".md");
  return { path, title, blocks, outline: outlineOf(nodes) };
}

/** The pages of a folder, in the order of their paths. */
export const readFolder = (folder: string): Page[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.mdx?$/.test(path))
    .sort()
    .map((path) => pageOf(path, readFileSync(join(folder, path), "utf8")));

export const readSet = (name: keyof typeof SETS): Page[] => readFolder(join(PACKAGES, SETS[name]));

export const isHeading = ({ id, section }: Block): boolean => id === section;
