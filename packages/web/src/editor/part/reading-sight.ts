import type { Sight } from "./part-view.ts";

/** Pixels between the places where a block is looked for. */
const STEP = 24;

/** What is seen of the page as it is read, before the editor takes its place; undefined at its beginning. */
export function readingSight(root: HTMLElement): Sight | undefined {
  if (scrollY === 0) return undefined;
  const { left, width } = root.getBoundingClientRect();
  const bar = document.querySelector(".editor-bar")?.getBoundingClientRect().bottom ?? 0;
  for (let y = bar + 1; y < innerHeight; y += STEP) {
    const block = document.elementFromPoint(left + width / 2, y)?.closest<HTMLElement>(".block[id]");
    if (block && root.contains(block)) return { id: block.id, top: block.getBoundingClientRect().top };
  }
  return undefined;
}

/** The block that the address names. */
export const linkedBlock = (): string | undefined =>
  /^#(?:block=)?(block_\w+)$/.exec(location.hash)?.[1] ??
  new URLSearchParams(location.search).get("block") ??
  undefined;
