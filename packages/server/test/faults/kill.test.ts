import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Loose } from "../support/client.ts";
import { seeded } from "../support/random.ts";
import { databases, makeStore } from "../support/world.ts";
import { FaultSite, rounds, SEED } from "./mixed/site.ts";

/** The workers that run now, by what the supervisor has told. */
function workersOf(stdout: string): number[] {
  const lines: Loose[] = stdout
    .split("\n")
    .filter((line) => line.includes('"msg":"serving'))
    .map((line) => JSON.parse(line));
  const workers: number[] = lines[0].workers;
  for (const { worker, pid } of lines.slice(1)) workers[worker - 1] = pid;
  return workers;
}

describe("kill -9 under mixed load", { concurrency: true }, () => {
  for (const kind of databases)
    test(`BODY23 kill -9 of a worker or the supervisor loses nothing acknowledged and leaves no half write [${kind}]`, {
      timeout: 580_000,
    }, async () => {
      const store = await makeStore(kind);
      const random = seeded(SEED);
      {
        await using site = await FaultSite.start({ ...store.settings, SVC_WORKERS: "2" });
        for (let round = 0; round < rounds(2); round++) {
          await site.load.more(100);
          await sleep(random(300));
          if (round % 2 === 0) process.kill(defined(workersOf(site.server.stdout)[random(2)]), "SIGKILL");
          else {
            await site.server.stop("SIGKILL");
            await site.restart();
          }
        }
        await site.load.more(100);
        await site.check();
      }
      await store.remove();
    });
});
