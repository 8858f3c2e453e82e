import assert from "node:assert/strict";
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { type Client, createClient } from "@svc/sdk";
import { World } from "../../../server/test/support/world.ts";
import { ChangedMeanwhile, FolderDisk } from "../../src/sync/disk.ts";
import { syncFolder } from "../../src/sync/sync-folder.ts";

describe("sync on file systems that differ", () => {
  const world = new World("sqlite", {});
  const work = mkdtempSync(join(tmpdir(), "svc-sync-"));
  let client: Client;
  let kb = 0;
  let root = "";

  before(() => world.start());
  after(async () => {
    await world.stop();
    rmSync(work, { recursive: true });
  });
  beforeEach(async () => {
    const { token } = await world.person();
    client = createClient({ baseUrl: world.url, token });
    kb = (await client.post("/knowledge-bases", { body: { name: "Notes" } })).data.id;
    root = mkdtempSync(join(work, "folder-"));
  });

  const sync = async (directory = root) => {
    const { actions, problems } = await syncFolder({ client, directory, knowledgeBase: kb, lookAgainMs: 0 });
    return { actions: actions.map(({ action, path }) => `${action} ${path}`), problems };
  };

  test("SYNC16 a directory whose name other systems refuse keeps it, and its folder is moved once", async () => {
    for (const name of ["CON", "a|b", "what?"]) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "Page.md"), "Text.\n");
    }
    assert.equal((await sync()).actions.length, 6);
    assert.deepEqual(await sync(), { actions: [], problems: [] });
    const other = mkdtempSync(join(work, "other-"));
    await sync(other);
    assert.deepEqual(readdirSync(other).sort(), [".svc-sync", "_CON", "a_b", "what_"]);
    assert.deepEqual(await sync(other), { actions: [], problems: [] });
    fs.renameSync(join(root, "a|b"), join(root, "a|c"));
    assert.deepEqual((await sync()).actions, ["move_folder a|c"]);
    assert.deepEqual((await sync(other)).actions, ["move_directory a_c"]);
    assert.deepEqual(await sync(), { actions: [], problems: [] });
  });

  describe("without hard links", () => {
    before(() => {
      mock.method(fs.promises, "link", () =>
        Promise.reject(Object.assign(new Error("no hard links"), { code: "EPERM" })),
      );
      syncBuiltinESMExports();
    });
    after(() => {
      mock.restoreAll();
      syncBuiltinESMExports();
    });

    test("SYNC16 what is new there is made here, and no file is replaced", async () => {
      const content = { format: "markdown", content: "From there.\n" } as const;
      await client.post("/documents", { body: { title: "Remote", knowledge_base_id: kb, content } });
      assert.deepEqual(await sync(), { actions: ["create_file Remote.md"], problems: [] });
      assert.equal(readFileSync(join(root, "Remote.md"), "utf8"), "From there.\n");
      const disk = new FolderDisk(root);
      writeFileSync(join(root, "Mine.md"), "mine");
      await assert.rejects(disk.write("Mine.md", "other", undefined), ChangedMeanwhile);
      assert.equal(readFileSync(join(root, "Mine.md"), "utf8"), "mine");
    });
  });
});
