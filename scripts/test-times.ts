/** Where the time of a test run went: seconds of each area, from the time that each of its files took, and processors. */
import { cpus } from "node:os";

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

/** Where much was idle, more files could run at once; where nothing was, only less work makes the run shorter. */
export function tellLoad(from: Load, to: Load): string {
  const [busy, idle] = [to.busy - from.busy, to.idle - from.idle];
  return `Processors: busy for ${(busy / 1000).toFixed(0)} s, ${((100 * busy) / (busy + idle)).toFixed(0)} % of the time.`;
}

/** `packages/server/test/faults/kill.test.ts` belongs to `server/test/faults`, `packages/web/e2e/x.test.ts` to `web/e2e`. */
function areaOf(file: string): string {
  const folders = file.split("/").slice(0, -1);
  return folders.slice(folders[0] === "packages" ? 1 : 0, 4).join("/");
}

export function tellTimes(seconds: ReadonlyMap<string, number>): string {
  const areas = new Map<string, { seconds: number; files: number }>();
  for (const [file, time] of seconds) {
    const area = areas.get(areaOf(file)) ?? { seconds: 0, files: 0 };
    areas.set(areaOf(file), { seconds: area.seconds + time, files: area.files + 1 });
  }
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, 10);
  return [
    "Seconds by area:",
    ...[...areas]
      .sort(([, a], [, b]) => b.seconds - a.seconds)
      .map(([name, { seconds: time, files }]) => `${time.toFixed(0).padStart(7)}  ${name} (${files} files)`),
    "Slowest files:",
    ...slowest.map(([file, time]) => `${time.toFixed(0).padStart(7)}  ${file}`),
  ].join("\n");
}
