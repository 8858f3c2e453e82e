/** Blocks that follow each other, by their places in the order of the document: from the first to before `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** A document of up to so many top-level blocks is in the editor as a whole; of a longer one the editor shows a part. */
export const MOST_SHOWN = 1500;
/** Blocks of a part on either side of the place where the person is: at least, and at most. */
const BESIDE = 150;
const MOST_BESIDE = 500;

export const lengthOf = ({ from, to }: Run): number => to - from;
export const covers = (run: Run, { from, to }: Run): boolean => run.from <= from && to <= run.to;
export const join = (a: Run, b: Run): Run => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) });

/**
 * The part to be shown around a place: all of a short document, otherwise as many blocks as fill `pixels` on either side.
 * Blocks without a height, as in folded sections, count for little, so that there is something to be seen.
 */
export function runAround(
  total: number,
  place: number,
  room: { readonly pixels: number; readonly heightAt: (place: number) => number } = { pixels: 0, heightAt: () => 0 },
): Run {
  if (total <= MOST_SHOWN) return { from: 0, to: total };
  const reach = (step: -1 | 1): number => {
    let [count, pixels, at] = [0, 0, place];
    for (; at >= 0 && at < total; at += step, count++) {
      if (count >= MOST_BESIDE || (count >= BESIDE && pixels >= room.pixels)) break;
      pixels += room.heightAt(at);
    }
    return at;
  };
  return { from: reach(-1) + 1, to: Math.max(reach(1), place + 1) };
}
