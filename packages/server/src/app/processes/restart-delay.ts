const FIRST_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A worker that has served for this long started well: its end counts as a new problem. */
const GOOD_MS = 30_000;

/** How long to wait before replacing a worker that ended: longer after each short life, up to ten seconds. */
export function restartDelay(failures: number, servedMs: number): { failures: number; delay: number } {
  const before = servedMs >= GOOD_MS ? 0 : failures;
  return { failures: before + 1, delay: Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** before) };
}
