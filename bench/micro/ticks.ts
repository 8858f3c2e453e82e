/**
 * What `process.nextTick` costs before and after full collections, in one process that keeps a tick's shape as svc does
 * (keep-tick-shape.ts) and in one that does not. Every request takes about eight ticks.
 */

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { keepTickShape } from "../../packages/server/src/operation/keep-tick-shape.ts";

const TICKS = 1_000_000;
const COLLECTIONS = 8;
const [role] = process.argv.slice(2);

const nanosecondsPerTick = () =>
  new Promise<number>((resolve) => {
    const before = process.cpuUsage();
    let left = TICKS;
    const step = () => {
      if (--left > 0) return void process.nextTick(step);
      const { user, system } = process.cpuUsage(before);
      resolve(((user + system) * 1000) / TICKS);
    };
    step();
  });

async function measure(): Promise<void> {
  await nanosecondsPerTick();
  const before = await nanosecondsPerTick();
  for (let i = 0; i < COLLECTIONS; i++) {
    defined(gc)();
    await sleep(10);
  }
  await nanosecondsPerTick();
  const after = await nanosecondsPerTick();
  console.log(`${role}: ${before.toFixed(0)} ns, after ${COLLECTIONS} full collections ${after.toFixed(0)} ns`);
}

if (role === undefined)
  for (const each of ["kept", "forgotten"])
    spawnSync(process.execPath, ["--expose-gc", import.meta.filename, each], { stdio: "inherit" });
else {
  if (role === "kept") keepTickShape();
  await measure();
}
