import type { LinkRow } from "./store.ts";
import type { WantedLink } from "./wanted-links.ts";

interface Matched {
  readonly added: readonly WantedLink[];
  /** Rows that stay, with their changed columns. */
  readonly updated: readonly LinkRow[];
  readonly removed: readonly LinkRow[];
}

/** Equal whether or not a page with the name exists yet. */
const targetKey = (link: WantedLink): string =>
  `${link.source_block_id}\n${link.via.replace("?", "")}\n${link.target_uri}`;
const exactKey = (link: WantedLink): string => `${targetKey(link)}\n${link.anchor_text}`;

/**
 * Pairs stored links with those in the body. A link stays the same while its block and target do; among several, the
 * one with the same text matches first, then the next in order. So a relation keeps its id when its text is edited or
 * its block moves.
 */
export function matchLinks(stored: readonly LinkRow[], wanted: readonly WantedLink[]): Matched {
  const updated: LinkRow[] = [];
  const keep = (row: LinkRow, { top_block_id, anchor_text }: WantedLink) => {
    if (row.top_block_id !== top_block_id || row.anchor_text !== anchor_text)
      updated.push({ ...row, top_block_id, anchor_text });
  };
  const exact = pair(stored, wanted, exactKey, keep);
  const similar = pair(exact.rows, exact.links, targetKey, keep);
  return { added: similar.links, updated, removed: similar.rows };
}

/** Pairs rows and links with equal keys in order, and returns the rest. */
function pair(
  rows: readonly LinkRow[],
  links: readonly WantedLink[],
  keyOf: (link: WantedLink) => string,
  matched: (row: LinkRow, link: WantedLink) => void,
): { rows: LinkRow[]; links: WantedLink[] } {
  const waiting = Map.groupBy(rows, keyOf);
  const taken = new Map<string, number>();
  const left = links.filter((link) => {
    const key = keyOf(link);
    const next = taken.get(key) ?? 0;
    const row = waiting.get(key)?.[next];
    if (!row) return true;
    taken.set(key, next + 1);
    matched(row, link);
    return false;
  });
  return { rows: [...waiting].flatMap(([key, list]) => list.slice(taken.get(key) ?? 0)), links: left };
}
