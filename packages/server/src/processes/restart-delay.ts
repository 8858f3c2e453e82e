const FIRST_MS = 100;
const MOST_MS = 10_000;
/** A worker that has served for so long had a good start: its end is a new trouble. */
const GOOD_MS = 30_000;

/** How long to wait before a worker that ended is replaced: longer after each short life, up to ten seconds. */
export function restartDelay(failures: number, servedMs: number): { failures: number; delay: number } {
  const before = servedMs >= GOOD_MS ? 0 : failures;
  return { failures: before + 1, delay: Math.min(MOST_MS, FIRST_MS * 2 ** before) };
}
