import { defined } from "@svc/document/defined";
import { type FanOut, makeSources, measureFanOut, openReaders } from "../harness/fan-out.ts";
import { residentMemory } from "../harness/processor.ts";
import { bytesOf } from "../harness/request.ts";
import type { Run } from "../harness/run.ts";
import { round } from "../parts/operation.ts";
import { Curves, costs, type Grown, sizesOf } from "./site.ts";

const part = "growth-streams";
const EVENT = "one event to all streams";
const LEAST = "the smallest server that writes the same bytes";
const ME = "GET /me beside open streams";
const MEMORY = "resident memory";

const grown: readonly Grown[] = [
  { operation: EVENT, bound: 1, why: "one write to a socket per stream, after one write to the store" },
  { operation: LEAST, why: "for comparison" },
  { operation: ME, bound: 0.1, why: "an open stream costs other requests nothing" },
  { operation: MEMORY, unit: "MB", bound: 0.3, why: "buffers of the sockets" },
];

/** More and more streams on one process. */
export async function growStreams(run: Run): Promise<void> {
  if (!grown.some(({ operation }) => run.wants(part, operation))) return;
  const sizes = sizesOf(10, 1000, run.scale.growth);
  run.say(`${part}: ${sizes.join(", ")} streams`);
  const curves = new Curves({ part, over: "open streams" }, grown);
  const { svc, bare, close } = await makeSources();
  const events = Math.max(3, Math.round(100 * run.scale.effort));
  try {
    await measureFanOut(svc, defined(sizes[0]), events);
    for (const x of sizes) {
      const ours: FanOut = await measureFanOut(svc, x, events);
      curves.add(EVENT, x, ours.perEvent);
      curves.add(LEAST, x, (await measureFanOut(bare, x, events)).perEvent);
      const readers = await openReaders(svc, x);
      const requests = round([bytesOf({ method: "GET", path: "/api/v1/me", headers: svc.headers })]);
      curves.add(ME, x, defined((await costs(run, { svc: svc.server }, [{ x, requests }], 1500))[0]).y);
      curves.add(MEMORY, x, residentMemory(svc.server.pid));
      await readers.stop();
    }
    curves.finish(run);
  } finally {
    await close();
  }
}
