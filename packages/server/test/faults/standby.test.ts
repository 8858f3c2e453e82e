import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DatabaseUnavailable } from "@svc/server/db/database";
import { openPostgres } from "@svc/server/db/postgres/open";
import { OwnPostgres } from "../support/postgres.ts";
import { hostOf, makePair, urlOf } from "../support/standby.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";
import { FaultSite } from "./mixed/site.ts";

describe("PostgreSQL with a standby", () => {
  test("killing the primary under load and promoting the standby loses nothing acknowledged", {
    timeout: 580_000,
  }, async () => {
    const store = await makeStore("sqlite");
    const [primary, standby] = await makePair();
    const url = urlOf(primary, standby);
    try {
      await using site = await FaultSite.start({ ...store.settings, SVC_DATABASE_URL: url, SVC_WORKERS: "2" });
      await site.load.more(80);
      await primary.crash();
      await standby.promote();
      await site.load.more(80);
      await site.check();
    } finally {
      await standby.stop();
      await primary.stop();
      await store.remove();
    }
  });

  test("a commit that gave up waiting for the standby is not acknowledged", async () => {
    const primary = await OwnPostgres.start({ settings: ["synchronous_commit=remote_apply"] });
    try {
      const store = await openPostgres(primary.url, { warn: () => undefined });
      try {
        await primary.run("alter system set synchronous_standby_names = 'nobody'");
        await primary.run("select pg_reload_conf()");
        await until("commits wait", async () => {
          const [row] = await primary.run("show synchronous_standby_names");
          return row?.synchronous_standby_names === "nobody";
        });
        const write = store.transaction((tx) =>
          tx.insertInto("server_state").values({ key: "a", value: "b" }).execute(),
        );
        write.catch(() => undefined);
        const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
        await until("the commit waits", async () => (await primary.run(`select pid ${waiting}`)).length > 0);
        await primary.run(`select pg_cancel_backend(pid) ${waiting}`);
        await assert.rejects(write, DatabaseUnavailable);
      } finally {
        await store.close();
      }
    } finally {
      await primary.stop();
    }
  });

  test("of several servers the one that accepts writes is used; without one the start says so", async () => {
    const [primary, standby] = await makePair();
    const warn = () => undefined;
    try {
      const url = `postgres://postgres@127.0.0.1:1,${hostOf(standby)},${hostOf(primary)}/postgres`;
      const store = await openPostgres(url, { warn });
      await store.transaction((tx) => tx.insertInto("server_state").values({ key: "a", value: "b" }).execute());
      await store.close();
      const only = `postgres://postgres@${hostOf(standby)}/postgres?target_session_attrs=read-write`;
      await assert.rejects(openPostgres(only, { warn }), DatabaseUnavailable);
    } finally {
      await standby.stop();
      await primary.stop();
    }
  });
});
