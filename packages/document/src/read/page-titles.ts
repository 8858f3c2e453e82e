import type { Body, Mark, Node } from "../types.ts";

/** A whole page by its address; a link to a block names that block, not the page. */
const pageOf = (href: unknown): string | undefined =>
  typeof href === "string" ? /^svc:\/\/doc\/(\w+)$/.exec(href)?.[1] : undefined;

/**
 * The page that a link names by its title: one whose text is also its `title`. The text was not chosen by a person, so
 * readers show the title that the page has now.
 */
export function pageByTitle(text: string | undefined, link: Mark["attrs"]): string | undefined {
  return text !== undefined && link?.title === text ? pageOf(link.href) : undefined;
}

const linkOf = (node: Node): Mark["attrs"] => node.marks?.find(({ type }) => type === "link")?.attrs;

function withTitles(node: Node, titles: ReadonlyMap<string, string>): Node {
  if (node.type === "text") {
    const page = pageByTitle(node.text, linkOf(node));
    const title = page && titles.get(page);
    return title ? { ...node, text: title } : node;
  }
  if (!node.content) return node;
  const content = node.content.map((child) => withTitles(child, titles));
  return content.some((child, at) => child !== node.content?.[at]) ? { ...node, content } : node;
}

/** The body as readers see it: links that name pages by their titles have those of now. */
export const withPageTitles = (body: Body, titles: ReadonlyMap<string, string>): Body =>
  titles.size === 0 ? body : { ...body, content: body.content.map((block) => withTitles(block, titles)) };
