import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { Client } from "../support/client.ts";
import { EarlierPackages, newestRelease, noCommit } from "../support/previous-release.ts";
import { runProgram, SECOND_SERVER, startServer } from "../support/process.ts";
import { makeStore } from "../support/world.ts";
import { checkAftermath } from "./mixed/check-store.ts";
import { MixedLoad, TOKENS } from "./mixed/mixed-load.ts";
import { loadSettings, SEED, startModel } from "./mixed/site.ts";

const EMAIL = "ada@example.com";

describe("an update without a stop", () => {
  test("the previous release and this one serve a store together under mixed load without loss", {
    skip: noCommit(newestRelease()),
    timeout: 300_000,
  }, async () => {
    using release = new EarlierPackages(newestRelease());
    const store = await makeStore("postgres");
    await using model = await startModel();
    const settings = { ...store.settings, SVC_PORT: "0", ...loadSettings(model) };
    const svc = async (...args: string[]) => {
      const done = await runProgram(release.file("packages/cli/src/svc.ts"), [...args, "--json"], settings);
      assert.equal(done.code, 0, done.stderr);
      return JSON.parse(done.stdout);
    };
    await using old = await startServer(settings, release.file("packages/server/test/support/second-server.ts"));
    await svc("users", "create", "--email", EMAIL, "--name", "Ada", "--password", "long enough 1");
    const made = Array.from({ length: TOKENS }, () =>
      svc("tokens", "create", "--email", EMAIL, "--access", "read_write"),
    );
    const tokens: string[] = (await Promise.all(made)).map(({ token }) => token);
    const before = new Client(old.url, tokens[0], { checked: false });
    const { id: base } = (await before.post("/knowledge-bases", { name: "Base" })).data;

    const urls = [old.url];
    let turn = 0;
    const url = () => defined(urls[turn++ % urls.length]);
    const load = new MixedLoad({ url, tokens, base, seed: SEED, checked: false });
    load.start();
    await load.more(40);
    await using current = await startServer(settings, SECOND_SERVER);
    urls.push(current.url);
    await load.more(120);
    urls.shift();
    await old.stop();
    await load.more(40);

    const client = new Client(current.url, tokens[0]);
    const workspaceId: string = (await client.get("/me")).data.workspace.id;
    const database = await connect(readConfig(settings), { warn: () => undefined });
    await checkAftermath({ database, settings, workspaceId, client, load }).finally(() => database.close());
    await current.stop();
    await store.remove();
  });
});
