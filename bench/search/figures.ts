import { cpuMilliseconds } from "./corpus.ts";

/**
 * On SQLite all work is this process's own: its CPU time counts, whatever else runs on the machine. (Waiting for the
 * disk is left out.) On PostgreSQL the clock counts.
 */
const clock = (): number => (process.env.SVC_DATABASE_URL ? performance.now() : cpuMilliseconds());

export async function spent(work: () => Promise<unknown>): Promise<number> {
  const from = clock();
  await work();
  return clock() - from;
}

/** Ascending. */
export async function times(count: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push(await spent(() => work(i)));
  return all.sort((a, b) => a - b);
}

/** The value below which a share of ascending values lies. */
export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

export const shown = (sorted: readonly number[]): string =>
  `p50 ${at(sorted, 0.5).toFixed(2)} p95 ${at(sorted, 0.95).toFixed(2)} max ${at(sorted, 1).toFixed(1)} ms`;

/** One line of the table. `isMet` is left out where nothing is wanted. */
export function row(what: string, measured: string, goal = "", isMet?: boolean): void {
  const verdict = isMet === undefined ? "" : isMet ? "met" : "**MISSED**";
  console.log(`| ${what} | ${measured} | ${goal} | ${verdict} |`);
}

/** The longest that the event loop was held at a stretch, in CPU time. */
export function watchLoop(): () => number {
  let [wall, cpu, longest] = [performance.now(), cpuMilliseconds(), 0];
  const timer = setInterval(() => {
    const [wallNow, cpuNow] = [performance.now(), cpuMilliseconds()];
    longest = Math.max(longest, Math.min(wallNow - wall, cpuNow - cpu));
    [wall, cpu] = [wallNow, cpuNow];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
