import { describe, test } from "node:test";
import type { OwnPostgres } from "../support/postgres.ts";
import { makePair, urlOf } from "../support/standby.ts";
import { makeStore } from "../support/world.ts";
import { LiveSite } from "./live-history/live-site.ts";
import { rounds, SEED } from "./mixed/site.ts";

/** Keys that are stored between two faults at least. */
const KEYS = 40;

describe("live documents under faults", () => {
  test("LIVE4 LIVE5 [sqlite] people type and programs write while processes are killed and the network fails", {
    timeout: 580_000,
  }, async () => {
    const store = await makeStore("sqlite", { hasSchema: true });
    try {
      await using site = await LiveSite.start(store.settings, SEED);
      for (let round = 0; round < rounds(1); round++) {
        await site.more(KEYS);
        await Promise.all([site.kill(), site.failNetwork()]);
        await site.more(KEYS);
        await site.failNetwork();
      }
      await site.more(KEYS);
      await site.check();
    } finally {
      await store.remove();
    }
  });

  test("LIVE4 LIVE28 [postgres] the same while the database is restarted and its standby takes over", {
    timeout: 580_000,
  }, async () => {
    const store = await makeStore("sqlite");
    const [primary, standby] = await makePair();
    const url = urlOf(primary, standby);
    const crash = async (postgres: OwnPostgres) => {
      await postgres.crash();
      await postgres.startAgain();
    };
    try {
      await using site = await LiveSite.start({ ...store.settings, SVC_DATABASE_URL: url }, SEED);
      for (let round = 0; round < rounds(1); round++) {
        await site.more(KEYS);
        await Promise.all([site.kill(), site.failNetwork()]);
        await site.more(KEYS);
        await Promise.all([crash(primary), site.failNetwork()]);
      }
      await site.more(KEYS);
      await primary.crash();
      await standby.promote();
      await Promise.all([site.kill(), site.failNetwork()]);
      await site.more(KEYS);
      await site.check();
    } finally {
      await standby.stop();
      await primary.stop();
      await store.remove();
    }
  });
});
