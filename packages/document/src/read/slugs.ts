import { defined } from "../defined.ts";
import type { Body } from "../types.ts";
import { listHeadings } from "./headings.ts";

/** The slug of every heading by its block id, unique in the body. */
export function slugs(body: Body): Map<string, string> {
  const headings = listHeadings(body.content);
  const unique = uniqueSlugs(headings.map((heading) => heading.text));
  return new Map(headings.map((heading, i) => [heading.block_id, defined(unique[i])]));
}

/** Slugs for headings in document order: a text that comes again gets the next free number. */
export const uniqueSlugs = (texts: readonly string[]): string[] => numberSlugs(texts.map(slugOf));

/** The same, given the slug of each heading's own text. */
export function numberSlugs(bases: readonly string[]): string[] {
  const used = new Set<string>();
  const counters = new Map<string, number>();
  return bases.map((base) => {
    let slug = base;
    let counter = counters.get(base) ?? 0;
    while (used.has(slug)) slug = `${base}-${++counter}`;
    counters.set(base, counter);
    used.add(slug);
    return slug;
  });
}

const MAX_SLUG_LENGTH = 80;
const ascii = /^[\0-\x7f]*$/;

/** The same for text that needs none of Unicode's tables. */
function asciiSlug(text: string): string {
  const words = text
    .slice(0, MAX_SLUG_LENGTH * 4)
    .toLowerCase()
    .replace(/['`]/g, "")
    .match(/[a-z0-9_]+/g);
  const slug = words === null ? "" : words.join("-").slice(0, MAX_SLUG_LENGTH).replace(/-$/, "");
  return slug === "" ? "section" : slug;
}

/** Letters, marks and digits of any script in lower case, everything between them one hyphen; `section` for none. */
export function slugOf(text: string): string {
  if (ascii.test(text)) return asciiSlug(text);
  const words = text
    .slice(0, MAX_SLUG_LENGTH * 4)
    .normalize("NFC")
    .toLowerCase()
    .replace(/['’`]/gu, "")
    .match(/[\p{L}\p{M}\p{N}_]+/gu);
  const slug = Array.from((words ?? []).join("-"))
    .slice(0, MAX_SLUG_LENGTH)
    .join("")
    .replace(/-$/u, "");
  return slug === "" ? "section" : slug;
}

/** The anchors that Git hosts give headings: lower case, spaces as hyphens one by one, other signs left out. */
export const hostSlugs = (texts: readonly string[]): string[] => numberSlugs(texts.map(hostSlugOf));

const hostSlugOf = (text: string): string =>
  text
    .slice(0, MAX_HOST_TEXT)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

const MAX_HOST_TEXT = 500;

/**
 * Which of the headings of a page a fragment means, given their texts: by its anchor on a Git host, by its slug here,
 * or by its words, as `Heading` or `Parent#Heading`.
 */
export function findFragment(texts: readonly string[], fragment: string): number | undefined {
  if (fragment === "") return undefined;
  const words = defined(fragment.split("#").at(-1)).trim().toLowerCase();
  const own = uniqueSlugs(texts);
  const places = [
    hostSlugs(texts).indexOf(fragment),
    own.indexOf(fragment),
    texts.findIndex((text) => text.toLowerCase() === words),
    own.indexOf(slugOf(words)),
  ];
  return places.find((place) => place >= 0);
}
