/** A run of consecutive blocks by position: from the first to before `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Max top-level blocks shown as a whole; of a longer document the editor shows a part. */
export const MAX_SHOWN = 1500;
/** Blocks on either side of the person's position in a part: min and max. */
const MIN_BESIDE = 150;
const MAX_BESIDE = 500;

export const lengthOf = ({ from, to }: Run): number => to - from;
export const covers = (run: Run, { from, to }: Run): boolean => run.from <= from && to <= run.to;
export const join = (a: Run, b: Run): Run => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) });

/**
 * The part around a position: all of a short document, otherwise enough blocks to fill `pixels` on either side. Blocks
 * without height, for example in folded sections, count little.
 */
export function runAround(
  total: number,
  place: number,
  room: { readonly pixels: number; readonly heightAt: (place: number) => number } = { pixels: 0, heightAt: () => 0 },
): Run {
  if (total <= MAX_SHOWN) return { from: 0, to: total };
  const reach = (step: -1 | 1): number => {
    let [count, pixels, at] = [0, 0, place];
    for (; at >= 0 && at < total; at += step, count++) {
      if (count >= MAX_BESIDE || (count >= MIN_BESIDE && pixels >= room.pixels)) break;
      pixels += room.heightAt(at);
    }
    return at;
  };
  return { from: reach(-1) + 1, to: Math.max(reach(1), place + 1) };
}
