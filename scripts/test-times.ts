/** Formats where the time of a test run went: by area, from the time that each of its files took. */
import { cpus } from "node:os";
import type { FileTime } from "./test-jobs.ts";

/** Milliseconds of all processors since the machine started. */
interface Load {
  readonly busy: number;
  readonly idle: number;
}

export function readLoad(): Load {
  const load = { busy: 0, idle: 0 };
  for (const { times } of cpus()) {
    load.idle += times.idle;
    load.busy += times.user + times.nice + times.sys + times.irq;
  }
  return load;
}

/** Idle processors mean that more files could run at once; otherwise only less work makes the run shorter. */
export function formatLoad(from: Load, to: Load, cpu: number): string {
  const [busy, idle] = [to.busy - from.busy, to.idle - from.idle];
  const share = (100 * busy) / (busy + idle);
  return `${cpu.toFixed(0)} processor seconds in ${(performance.now() / 1000).toFixed(0)} s; the machine's processors were busy for ${share.toFixed(0)} % of the time.`;
}

/** `packages/server/test/faults/kill.test.ts` belongs to `server/test/faults`, `packages/web/e2e/x.test.ts` to `web/e2e`. */
function areaOf(file: string): string {
  if (!file.endsWith(".test.ts")) return file;
  const folders = file.split("/").slice(0, -1);
  return folders.slice(folders[0] === "packages" ? 1 : 0, 4).join("/");
}

const sum = (times: readonly FileTime[]): FileTime => ({
  seconds: times.reduce((total, { seconds }) => total + seconds, 0),
  cpu: times.reduce((total, { cpu }) => total + cpu, 0),
});

const line = (name: string, { seconds, cpu }: FileTime): string =>
  `${seconds.toFixed(0).padStart(9)}  ${cpu.toFixed(0).padStart(9)}  ${name}`;

export function formatTimes(times: ReadonlyMap<string, FileTime>): string {
  const areas = Map.groupBy(times, ([file]) => areaOf(file));
  const byArea = [...areas].map(([name, inArea]) => ({
    name: `${name} (${inArea.length} files)`,
    time: sum(inArea.map(([, time]) => time)),
  }));
  const slowest = [...times].sort(([, a], [, b]) => b.cpu - a.cpu).slice(0, 15);
  return [
    "  seconds  processor  by area",
    ...byArea.sort((a, b) => b.time.cpu - a.time.cpu).map(({ name, time }) => line(name, time)),
    "  seconds  processor  of the slowest files",
    ...slowest.map(([file, time]) => line(file, time)),
  ].join("\n");
}
