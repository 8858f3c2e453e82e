import type { ScrollAnchor } from "./part-view.ts";

/** Pixels between the probed positions. */
const STEP = 24;

/** The visible position in the reading view before the editor replaces it; undefined at the top. */
export function readingPosition(root: HTMLElement): ScrollAnchor | undefined {
  if (scrollY === 0) return undefined;
  const { left, width } = root.getBoundingClientRect();
  const bar = document.querySelector(".page-bar")?.getBoundingClientRect().bottom ?? 0;
  for (let y = bar + 1; y < innerHeight; y += STEP) {
    const block = document.elementFromPoint(left + width / 2, y)?.closest<HTMLElement>(".block[id]");
    if (block && root.contains(block)) return { id: block.id, top: block.getBoundingClientRect().top };
  }
  return undefined;
}

/** The block in the address. */
export const linkedBlock = (): string | undefined =>
  /^#(?:block=)?(block_\w+)$/.exec(location.hash)?.[1] ??
  new URLSearchParams(location.search).get("block") ??
  undefined;
