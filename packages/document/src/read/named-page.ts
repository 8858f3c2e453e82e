import { WIKI, wikiPage } from "../markdown/rules/wiki-link.ts";

/** A page that a link names by its title or the path of its file, not by its id. */
export interface NamedPage {
  /** The folders before it, `..` for the one above; without `.`. */
  readonly folders: readonly string[];
  readonly page: string;
  /** The text or slug of a heading in it; empty for the page itself. */
  readonly heading: string;
}

const MAX_HREF = 1000;

/** Parses `wiki:Page#Heading` or `../Folder/Page.md#heading`; undefined for every other address. */
export function namedPage(href: string): NamedPage | undefined {
  if (href.length > MAX_HREF) return undefined;
  if (href.startsWith(WIKI)) return pageOf(href.slice(WIKI.length));
  if (!/\.(?:md|markdown)(?:#|$)/i.test(href) || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return undefined;
  try {
    return pageOf(decodeURIComponent(href));
  } catch {
    return undefined;
  }
}

function pageOf(target: string): NamedPage | undefined {
  const { folders, page, heading } = wikiPage(target);
  return page === "" ? undefined : { folders: folders.filter((step) => step !== "."), page, heading };
}
