import { posix } from "node:path";
import { renderBody } from "@svc/document/html/render";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { listHeadings } from "@svc/document/read/headings";
import { slugs } from "@svc/document/read/slugs";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import type { ManualAddress, ManualFrame } from "@svc/web/server/pages/manual/manual";
import { type Html, trusted } from "@svc/web/shared/html";
import type { ManualSection } from "@svc/web/shared/manual-search";
import { highlight } from "../rendering/highlight.ts";
import { liftStyles, StyleRules } from "../rendering/lift-styles.ts";
import { forPage } from "../rendering/render-blocks.ts";
import { manualFiles, readManualFile } from "./files.ts";

interface ManualHeading {
  readonly level: number;
  readonly slug: string;
  readonly title: string;
}

interface ManualPage {
  /** In addresses; empty for the first page. */
  readonly name: string;
  /** The file that the page is made from. */
  readonly file: string;
  readonly title: string;
  /** The page's own headings, without its title. */
  readonly headings: readonly ManualHeading[];
  readonly text: Html;
  readonly sections: readonly ManualSection[];
}

interface ManualAddresses {
  readonly page: ManualAddress;
  readonly picture: (path: string) => string;
}

interface Manual {
  readonly pages: readonly ManualPage[];
  readonly groups: ManualFrame["groups"];
  readonly sections: readonly ManualSection[];
}

/** `packages/server/src/domain/live/RULES.md` is the page `server-domain-live-rules`. */
function nameOf(file: string): string {
  if (file === "README.md") return "";
  const path = file
    .replace(/^docs\//, "")
    .replace(/^packages\//, "")
    .replace(/(^|\/)src\//, "$1");
  const plain = path.replace(/\.md$/, "").replace(/\/README$/, "");
  return plain.toLowerCase().replaceAll("/", "-").replaceAll("_", "-");
}

const groupOf = (file: string): string => {
  if (/RULES\.md$|^docs\/rules\.md$/.test(file)) return "Rules";
  if (/^(README|CHANGELOG)|^docs\/(cli|agents|releases|mcp)|^packages\/(sdk|tiptap-kit)\//.test(file))
    return "Using svc";
  if (/^SECURITY|^(deploy\/|docs\/)(README|operating|settings|THREATS|performance)/.test(file)) return "Running svc";
  return "Building svc";
};

const GROUPS = ["Using svc", "Running svc", "Rules", "Building svc"];

/** Gives headings ids, so that they get slugs: a parsed text has none. */
function withIds(nodes: readonly Node[], next = { id: 0 }): Node[] {
  return nodes.map((node) => {
    const content = node.content && withIds(node.content, next);
    const attrs = node.type === "heading" ? { ...node.attrs, id: `h${next.id++}` } : node.attrs;
    return { ...node, ...(attrs && { attrs }), ...(content && { content }) };
  });
}

interface Source {
  readonly file: string;
  readonly name: string;
  readonly title: string;
  readonly nodes: readonly Node[];
  readonly slugs: ReadonlyMap<string, string>;
}

function readSource(folder: string, file: string): Source {
  const nodes = withIds(parseMarkdown(readManualFile(folder, file)));
  const [first] = listHeadings(nodes);
  const title = file === "README.md" ? "Overview" : (first?.text ?? posix.basename(posix.dirname(file)));
  return {
    file,
    name: nameOf(file),
    title: titleOf(file, title),
    nodes,
    slugs: slugs({ type: "doc", content: nodes }),
  };
}

/** Folder pages are called like the folder: `content`, `db`. */
const titleOf = (file: string, title: string): string =>
  /^packages\/.*README\.md$/.test(file) && !/^packages\/[^/]+\/README\.md$/.test(file)
    ? posix
        .dirname(file)
        .replace(/^packages\//, "")
        .replace("/src", "")
    : title.replace(/^Rules: /, "");

/** Rewrites links between files to links between pages. A link to any other file of the repository becomes plain text. */
function withLinks(
  nodes: readonly Node[],
  from: string,
  names: ReadonlyMap<string, string>,
  to: ManualAddresses,
): Node[] {
  const inside = (path: string) => posix.normalize(posix.join(posix.dirname(from), path));
  const addressOf = (href: string): string | undefined => {
    if (/^[a-z]+:|^#/i.test(href)) return href;
    const [path = "", slug] = href.split("#");
    const target = inside(path).replace(/\/$/, "");
    const name = names.get(target) ?? names.get(`${target}/README.md`);
    return name === undefined ? undefined : to.page(name, slug);
  };
  const rewrite = (node: Node): Node => {
    const marks = node.marks?.flatMap((mark) => {
      if (mark.type !== "link") return [mark];
      const href = addressOf(String(mark.attrs?.href));
      return href === undefined ? [] : [{ ...mark, attrs: { ...mark.attrs, href } }];
    });
    const src = node.attrs?.src;
    const attrs =
      typeof src === "string" && !/^[a-z]+:/i.test(src) ? { ...node.attrs, src: to.picture(inside(src)) } : node.attrs;
    const content = node.content?.map(rewrite);
    return { ...node, ...(marks && { marks }), ...(attrs && { attrs }), ...(content && { content }) };
  };
  return nodes.map(rewrite);
}

/** The text below each heading, for the search. */
function sectionsOf({ name, title, nodes, slugs }: Source): ManualSection[] {
  const sections: { title: string; slug: string; parts: string[] }[] = [{ title, slug: "", parts: [] }];
  for (const node of nodes) {
    const text = plainText(node).replace(/\s+/g, " ").trim();
    if (node.type === "heading" && sections.length + (sections[0]?.parts.length ?? 0) > 0 && node.attrs?.level !== 1)
      sections.push({ title: text, slug: slugs.get(String(node.attrs?.id)) ?? "", parts: [] });
    else if (node.type !== "heading") sections.at(-1)?.parts.push(text);
  }
  return sections.map(({ title: own, slug, parts }) => ({
    page: name,
    pageTitle: title,
    title: own,
    slug,
    text: parts.join(" "),
  }));
}

function makePage(source: Source, names: ReadonlyMap<string, string>, to: ManualAddresses): ManualPage {
  const nodes = withLinks(source.nodes, source.file, names, to);
  const markup = renderBody(nodes, { slugs: source.slugs, code: highlight });
  const headings = listHeadings(source.nodes)
    .filter(({ level, nested }) => level === 2 && !nested)
    .map(({ block_id, level, text }) => ({ level, title: text, slug: source.slugs.get(block_id) ?? "" }));
  return {
    name: source.name,
    file: source.file,
    title: source.title,
    headings,
    text: trusted(liftStyles(forPage(markup), new StyleRules())),
    sections: sectionsOf(source),
  };
}

/** Every Markdown file of the repository as a page, with links between the pages. */
export function makeManual(folder: string, to: ManualAddresses): Manual {
  const sources = manualFiles(folder).map((file) => readSource(folder, file));
  const names = new Map(sources.map(({ file, name }) => [file, name]));
  const pages = sources.map((source) => makePage(source, names, to));
  const groups = GROUPS.map((title) => ({ title, pages: pages.filter(({ file }) => groupOf(file) === title) }));
  return { pages, groups, sections: pages.flatMap(({ sections }) => sections) };
}
