/** Loaded into a server before its own code: the signal SIGUSR2 begins a profile, the next one writes it to `BENCH_PROFILE`. */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { isMainThread } from "node:worker_threads";

/** Microseconds between two looks at the stack. */
const INTERVAL = 250;
const file = process.env.BENCH_PROFILE;

if (isMainThread && file) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: INTERVAL });
  let isRunning = false;
  const end = async () => {
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(file, JSON.stringify(profile));
  };
  process.on("SIGUSR2", () => {
    void (isRunning ? end() : session.post("Profiler.start"));
    isRunning = !isRunning;
  });
}
