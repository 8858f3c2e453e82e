import { WeakCache } from "../cache/weak-cache.ts";
import { type Answer, type ListAnswer, list } from "./answer.ts";
import { decodeListCursor, encodeListCursor } from "./cursor.ts";
import type { ServerSecret } from "./server-secret.ts";

type Key = readonly (string | number)[];

interface PageSource<T> {
  /** Up to `size` rows after the key (empty on the first page). */
  readonly fetch: (after: Key, size: number) => Promise<readonly T[]>;
  readonly keyOf: (row: T) => Key;
  readonly more?: Record<string, unknown>;
}

interface ShownPage<T, Item> extends PageSource<T> {
  readonly represent: (row: T) => Item;
}

/** Builds the JSON of all rows at once. */
interface WrittenPage<T> extends PageSource<T> {
  readonly write: (rows: readonly T[]) => Promise<string[]>;
}

/** Requests may share rows, and so their JSON. */
const PAGES = new WeakCache<readonly unknown[], string>("list_pages");

/**
 * The rows of one page of a keyset list, and the answer's data about the page. `identity` is everything that determines
 * the list, except the page size.
 */
export async function rowsOfPage<T>(
  secret: ServerSecret,
  identity: unknown,
  { cursor, limit = 25 }: { cursor?: string; limit?: number },
  { fetch, keyOf }: Pick<PageSource<T>, "fetch" | "keyOf">,
) {
  const rows = await fetch(decodeListCursor(secret, identity, cursor) ?? [], limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? encodeListCursor(secret, identity, keyOf(last)) : null;
  return { rows, shown, page: { cursor: cursor ?? null, next_cursor: next, has_more: next !== null } };
}

/** One page of a keyset list as an answer. */
export async function pageOf<T, Item>(
  secret: ServerSecret,
  identity: unknown,
  query: { cursor?: string; limit?: number },
  source: ShownPage<T, Item>,
): Promise<ListAnswer<Item>> {
  const { shown, page } = await rowsOfPage(secret, identity, query, source);
  return list(shown.map(source.represent), page, source.more);
}

/** The same for a source that writes the JSON of its rows itself. */
export async function writtenPageOf<T>(
  secret: ServerSecret,
  identity: unknown,
  query: { cursor?: string; limit?: number },
  source: WrittenPage<T>,
): Promise<Answer> {
  const { rows, shown, page } = await rowsOfPage(secret, identity, query, source);
  const dataJson = PAGES.get(rows) ?? `[${(await source.write(shown)).join(",")}]`;
  PAGES.put(rows, dataJson);
  return { dataJson, envelope: { page, ...source.more } };
}
