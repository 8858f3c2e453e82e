import { setTimeout as sleep } from "node:timers/promises";
import { Api } from "../harness/api.ts";
import {
  bareServer,
  makeDirectory,
  type NodeArguments,
  type Settings,
  SVC_SERVER,
  startServer,
} from "../harness/processes.ts";
import { residentMemory } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";

const part = "process";
/** The command of `npm start`, without npm's own third of a second. */
const START = "npm start to first answer, empty store";
const IDLE = "memory when idle";

interface Started {
  readonly ms: number;
  readonly megabytes: number;
}

async function startOnce(program: NodeArguments, settings: Settings, path: string): Promise<Started> {
  const begin = performance.now();
  const server = await startServer(program, settings);
  await new Api(server.address).text("GET", path);
  const ms = performance.now() - begin;
  await sleep(500);
  const megabytes = residentMemory(server.pid);
  await server.stop();
  return { ms, megabytes };
}

/** How long a start takes and what an idle process holds, in turns with the bare framework. */
export async function measureStart(run: Run): Promise<void> {
  if (!run.wants(part, START) && !run.wants(part, IDLE)) return;
  run.say(`${part}: start and idle memory`);
  const bare: Started[] = [];
  const ours: Started[] = [];
  for (let round = 0; round < run.scale.rounds; round++) {
    bare.push(await startOnce(bareServer("framework"), {}, "/me"));
    const store = makeDirectory();
    ours.push(await startOnce(SVC_SERVER, { SVC_DATA_DIR: store.path }, "/readyz"));
    store.remove();
  }
  const cells = (of: keyof Started) => [
    { limit: figureOf(bare.map((one) => one[of])), ours: figureOf(ours.map((one) => one[of])) },
  ];
  const common = { part, against: "the framework, a constant" };
  run.row({
    ...common,
    operation: START,
    unit: "ms",
    cells: cells("ms"),
    goal: { kind: "most", value: 1390 },
    bound: "loading and compiling the code, creating the tables",
  });
  run.row({
    ...common,
    operation: IDLE,
    unit: "MB",
    cells: cells("megabytes"),
    goal: { kind: "most", value: 139 },
    bound: "the runtime and the compiled code",
  });
}
