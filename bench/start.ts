/**
 * From the start of the process to the first answered request, on an empty store, against the bare framework, in turns
 * within one run. Prints the ratio of the medians. Goal: at most 5.
 */
import { BARE, makeDataDir, median, SVC_SERVER, start } from "./servers.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 7);

async function timeOf(file: string, settings: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const server = await start(file, settings);
  await (await fetch(`${server.address}/api/v1/me`)).text();
  const time = performance.now() - begin;
  await server.stop();
  return time;
}

const times: Record<"bare" | "svc", number[]> = { bare: [], svc: [] };
for (let round = 0; round < ROUNDS; round++) {
  times.bare.push(await timeOf(BARE, {}));
  const store = makeDataDir();
  times.svc.push(await timeOf(SVC_SERVER, { SVC_DATA_DIR: store.directory }));
  store.remove();
}
const show = (name: "bare" | "svc") => `${name} ${Math.round(median(times[name]))} ms`;
const ratio = median(times.svc) / median(times.bare);
console.log(`start to first answer: ${show("bare")}, ${show("svc")}, ratio ${ratio.toFixed(1)} (goal 5)`);
