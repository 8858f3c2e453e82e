import { type FanOut, makeSources, measureFanOut, type Source } from "../harness/fan-out.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { most } from "./operation.ts";

const part = "events";

/** Fan-out of events at 50 changes a second, in turns with the smallest server that writes the same bytes. */
export async function measureEvents(run: Run): Promise<void> {
  const { streams } = run.scale;
  const cost = `event to ${streams.toLocaleString("en")} streams`;
  const delay = `event at the last of ${streams.toLocaleString("en")} streams, 99 of 100`;
  if (!run.wants(part, cost) && !run.wants(part, delay)) return;
  run.say(`${part}: ${streams} streams`);
  const sources = await makeSources();
  const found: Record<"svc" | "bare", FanOut[]> = { svc: [], bare: [] };
  const events = Math.max(3, Math.round(100 * run.scale.effort));
  const rounds = Math.min(3, run.scale.rounds);
  try {
    const measure = async (name: "svc" | "bare", source: Source) =>
      void found[name].push(await measureFanOut(source, streams, events));
    for (let round = 0; round < rounds; round++) {
      await measure("bare", sources.bare);
      await measure("svc", sources.svc);
    }
  } finally {
    await sources.close();
  }
  const figure = (name: "svc" | "bare", of: keyof FanOut) => figureOf(found[name].map((round) => round[of]));
  const cells = (of: keyof FanOut) => [{ limit: figure("bare", of), ours: figure("svc", of) }];
  const common = { part, against: "the smallest server that writes the same bytes" };
  run.row({
    ...common,
    operation: cost,
    unit: "µs CPU per event and stream",
    cells: cells("perStream"),
    goal: most(3),
    bound: "one write to a socket per stream; the event is made into bytes once",
  });
  run.row({
    ...common,
    operation: delay,
    unit: "ms after the write's answer",
    cells: cells("p99"),
    goal: { kind: "most", value: 250 },
    bound: "a write to each socket, and the readers, who share the machine's cores",
  });
}
