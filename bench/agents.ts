// What the service and its peers cost an agent, in calls and tokens (o200k): node bench/agents.ts writes docs/agents.md.

import { writeFileSync } from "node:fs";
import { World } from "../packages/server/test/support/world.ts";
import { makeCorpus } from "./agents/corpus.ts";
import { agentsPage, type Figures } from "./agents/page.ts";
import { ServiceStore } from "./agents/service-store.ts";
import { tasks } from "./agents/tasks.ts";
import type { Way } from "./agents/way.ts";
import { commandWay } from "./agents/ways/command.ts";
import { filesystemWay } from "./agents/ways/filesystem.ts";
import { httpWay } from "./agents/ways/http.ts";
import { definitions, mcpWay } from "./agents/ways/mcp.ts";
import { installPeers } from "./agents/ways/peer.ts";
import { shellWay } from "./agents/ways/shell.ts";
import { vaultWay } from "./agents/ways/vault.ts";

/** Does every task one way, and checks in the store what came of it. */
async function measure(way: Way): Promise<Figures> {
  const figures: Record<string, readonly [number, number]> = {};
  for (const task of tasks) {
    const run = way.scripts[task.name];
    if (!run) continue;
    await task.prepare?.(way.store);
    way.count.calls = 0;
    way.count.tokens = 0;
    await task.check(way.store, await run());
    figures[task.name] = [way.count.calls, way.count.tokens];
    console.log(`${way.name}: ${task.name}: ${way.count.calls} / ${way.count.tokens}`);
  }
  await way.close();
  return { name: way.name, figures, definitions: way.definitions };
}

/** Each way of the service works in a workspace of its own, on the same 300 pages. */
async function measureService(): Promise<Figures[]> {
  const world = new World("sqlite", { SVC_RATE_LIMIT: "1000000" });
  await world.start();
  try {
    const results: Figures[] = [];
    for (const open of [mcpWay, httpWay, commandWay]) {
      const { client, token } = await world.person();
      const store = new ServiceStore(client, await makeCorpus(client));
      const start = Date.now();
      while (Date.now() <= start) await new Promise((resolve) => setImmediate(resolve));
      results.push(await measure(await open(world.url, token, store, new Date().toISOString())));
    }
    return results;
  } finally {
    await world.stop();
  }
}

installPeers();
const results = await measureService();
for (const open of [filesystemWay, vaultWay, shellWay]) results.push(await measure(await open()));
writeFileSync(new URL("../docs/agents.md", import.meta.url), agentsPage(results, definitions));
