import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { splitReadable } from "@svc/document/properties/front-matter";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { type Outline, outlineOf, sectionsOf } from "@svc/search/text/outline";
import { searchableBlocks } from "@svc/search/text/searchable";

const PACKAGES = resolve(import.meta.dirname, "../../node_modules");

/** A folder of Markdown in a package; `version` of one that is downloaded for the questions about it. */
type Documentation = {
  readonly name: string;
  readonly folder: string;
  readonly version?: string;
  readonly without?: string;
};

const SETS = {
  fastify: { name: "fastify", folder: "docs" },
  undici: { name: "undici", folder: "docs" },
  pino: { name: "pino", folder: "docs" },
  bun: { name: "bun-types", version: "1.4.4", folder: "docs", without: "lint" },
  npm: { name: "npm", version: "11.21.2", folder: "docs/content" },
  ai: { name: "ai", version: "6.0.326", folder: "docs" },
  next: { name: "next", version: "16.4.6", folder: "dist/docs" },
} satisfies Record<string, Documentation>;
export type SetName = keyof typeof SETS;
/** The set whose questions nothing was tuned on. */
export const heldOut: readonly SetName[] = ["next"];
export const tunedOn = (Object.keys(SETS) as SetName[]).filter((name) => !heldOut.includes(name));

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
  const named = /^---\n(?:.*\n)*?title: *["']?(.+?)["']? *\n/.exec(source)?.[1];
  const title = named || (heading && plainText(heading)) || basename(path, ".md");
  return { path, title, blocks, outline: outlineOf(nodes) };
}

/** The pages of a folder, in the order of their paths. */
const readFolder = (folder: string): Page[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.mdx?$/.test(path))
    .sort()
    .map((path) => pageOf(path, readFileSync(join(folder, path), "utf8")));

export function readSet(set: SetName): Page[] {
  const { name, version, folder, without }: Documentation = SETS[set];
  const root = version ? downloaded(`${name}@${version}`) : join(PACKAGES, name);
  return readFolder(join(root, folder)).filter(({ path }) => !without || !path.startsWith(without));
}

/** The folder of a package from the registry, downloaded once. */
function downloaded(name: string): string {
  const folder = join(tmpdir(), "svc-bench-packages", name);
  if (!existsSync(join(folder, "package"))) {
    mkdirSync(folder, { recursive: true });
    const file = execFileSync("npm", ["pack", name, "--silent", "--pack-destination", folder], { encoding: "utf8" });
    execFileSync("tar", ["xzf", join(folder, file.trim()), "-C", folder]);
  }
  return join(folder, "package");
}

export const isHeading = ({ id, section }: Block): boolean => id === section;
