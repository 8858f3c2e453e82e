/** Where the time of a test run went: seconds of each area, from the time that each of its files took. */

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
