import { ownVias, parseHref } from "../../../domain/knowledge/relations/target.ts";
import { findNamedPage } from "../../../domain/library/links-by-name/read-pages.ts";

/** The address of a page within a shared site. */
export const sitePageUrl = (token: string, id: string): string => `/s/${token}/pages/${encodeURIComponent(id)}`;

/** The rules that decide the targets of a public page's links. */
export interface PublicPlace {
  readonly token: string;
  readonly baseUrl: string;
  /** Documents that links name by their titles. */
  readonly named: ReadonlyMap<string, string>;
  /** The pages of the site, by id; none around the page of a single document. */
  readonly pages: ReadonlyMap<string, string>;
}

/** Resolves a link of a page within the site; undefined if it does not name one of our documents. */
type FollowLink = (href: string) => string | null | undefined;

/**
 * Maps links to documents to pages of the site, or to null, so that a link to an outside document looks like a broken
 * one.
 */
export function linkFollower({ token, baseUrl, named, pages }: PublicPlace): FollowLink {
  const pageUrl = (id: string) => (pages.has(id) ? sitePageUrl(token, id) : undefined);
  const vias = ownVias(baseUrl);
  return (href) => {
    const target = parseHref(href);
    if (target && vias.includes(target.via)) {
      const url = target.kind === "doc" ? pageUrl(target.id) : undefined;
      return withHash(url, target.blockId ?? SECTION.exec(href)?.[1]);
    }
    if (/^\s*svc:/i.test(href)) return null;
    const inside = documentAt(href, baseUrl);
    if (inside !== undefined) return pageUrl(inside) ?? null;
    const byName = findNamedPage(named, href);
    return byName && withHash(pageUrl(byName.id), byName.slug && `section-${byName.slug}`);
  };
}

/** A heading's anchor in the addresses of our own pages. */
const SECTION = /#(section-[^\s#]+)\s*$/;

/** The document of any of our own pages about it, for example its history. */
function documentAt(href: string, baseUrl: string): string | undefined {
  const { pathname } = new URL(baseUrl);
  const places = [`${baseUrl}/documents/`, `${pathname.replace(/\/$/, "")}/documents/`, "/documents/"];
  const trimmed = href.trim();
  const place = places.find((one) => trimmed.startsWith(one));
  return place && (/^\w+/.exec(trimmed.slice(place.length))?.[0] ?? "");
}

const withHash = (url: string | undefined, hash: string | undefined): string | null =>
  url === undefined ? null : hash ? `${url}#${hash}` : url;
