import type { Html } from "@svc/web/shared/html";

/** How many links of a page get their titles; the editor fetches the titles of further ones. */
const MAX_LINKED = 500;

/** The title of each page that the rendered text links to; null if it does not exist or the reader may not see it. */
export function titlesOfLinks(
  { text }: Html,
  titles: ReadonlyMap<string, string>,
): Readonly<Record<string, string | null>> {
  const linked = new Set([...text.matchAll(/href="[^"]*\/documents\/(doc_\w+)/g)].flatMap(([, id]) => id ?? []));
  return Object.fromEntries([...linked].slice(0, MAX_LINKED).map((id) => [id, titles.get(id) ?? null]));
}
