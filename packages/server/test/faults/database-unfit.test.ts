import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import pg from "pg";
import { MAIN, runProgram, SVC } from "../support/process.ts";
import { makeStore } from "../support/world.ts";

describe("a database that cannot be used", () => {
  test("BOUNCE3 one whose encoding does not have every character is refused at the start, in one sentence", async () => {
    const store = await makeStore("postgres");
    const url = new URL(defined(store.settings.SVC_DATABASE_URL));
    const admin = new pg.Client(url.href);
    await admin.connect();
    const name = `${url.pathname.slice(1)}_latin`;
    url.pathname = name;
    try {
      await admin.query(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
      const done = await runProgram(MAIN, [], { ...store.settings, SVC_DATABASE_URL: url.href });
      assert.equal(done.code, 1);
      assert.match(done.stderr, /^svc: SVC_DATABASE_URL .*LATIN1.*encoding 'UTF8'.*\n$/);
    } finally {
      await admin.query(`drop database if exists ${name}`);
      await admin.end();
      await store.remove();
    }
  });

  test("CLI4 a command says why the database does not answer", async () => {
    const store = await makeStore("postgres");
    const url = new URL(defined(store.settings.SVC_DATABASE_URL));
    url.pathname = "nowhere";
    const done = await runProgram(SVC, ["users", "list"], { ...store.settings, SVC_DATABASE_URL: url.href });
    assert.match(`${done.code} ${done.stderr}`, /^1 svc: .*SVC_DATABASE_URL.*database "nowhere" does not exist.*\n$/);
    await store.remove();
  });
});
