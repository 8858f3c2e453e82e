import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient, listAll } from "@svc/sdk";
import { readConfig } from "@svc/server/config";
import { replaceStore, saveStore } from "../../../server/test/support/backups.ts";
import { makeStore, World } from "../../../server/test/support/world.ts";
import { syncFolder } from "../../src/sync/sync-folder.ts";

describe("sync with a store that is put back", () => {
  const work = mkdtempSync(join(tmpdir(), "svc-sync-"));
  let store: Awaited<ReturnType<typeof makeStore>>;
  let world: World;

  before(async () => {
    store = await makeStore("sqlite", { hasSchema: true });
    world = new World("sqlite", store.settings);
    await world.start();
  });
  after(async () => {
    await world.stop();
    await store.remove();
    rmSync(work, { recursive: true });
  });

  /** An empty folder, and the knowledge base that it is kept equal to. */
  async function makeFolder() {
    const { token } = await world.person();
    const client = createClient({ baseUrl: world.url, token });
    const kb = (await client.post("/knowledge-bases", { body: { name: "Notes" } })).data.id;
    const root = mkdtempSync(join(work, "folder-"));
    return {
      client,
      kb,
      root,
      sync: () => syncFolder({ client, directory: root, knowledgeBase: kb, lookAgainMs: 0 }),
      write: (path: string, text: string) => writeFileSync(join(root, path), text),
      read: (path: string) => readFileSync(join(root, path), "utf8"),
    };
  }

  test("SYNC17 what was written since a backup is kept when it is restored", async () => {
    const { client, kb, root, sync, write, read } = await makeFolder();
    write("Same.md", "Same.\n");
    write("Sent.md", "One.\n\nTwo.\n");
    write("Open.md", "One.\n\nTwo.\n");
    symlinkSync("Same.md", join(root, "link.md"));
    await sync();
    const config = readConfig({ ...process.env, ...store.settings });
    const backup = join(work, "backup.svc");
    await saveStore(config, backup);
    write("Sent.md", "One.\n\nTwo, changed.\n");
    write("Open.md", "One.\n\nTwo, changed.\n");
    write("New.md", "New.\n");
    await sync();
    await replaceStore(config, backup);
    write("Open.md", "One, changed later.\n\nTwo, changed.\n");
    const { actions, notCarried } = await sync();
    assert.deepEqual(actions.map(({ action }) => action).sort(), ["conflict", "conflict", "create_document"]);
    assert.match(notCarried[0]?.message ?? "", /put back/);
    const kept = (name: string) => read(readdirSync(root).find((file) => file.startsWith(`${name}.conflict-`)) ?? "");
    assert.equal(kept("Sent"), "One.\n\nTwo, changed.\n");
    assert.equal(kept("Open"), "One, changed later.\n\nTwo, changed.\n");
    assert.deepEqual(
      [read("Sent.md"), read("Open.md"), read("New.md")],
      ["One.\n\nTwo.\n", "One.\n\nTwo.\n", "New.\n"],
    );
    const titles = await Array.fromAsync(listAll(client, "/documents", { query: { knowledge_base_id: kb } }));
    assert.deepEqual(titles.map(({ title }) => title).sort(), ["New", "Open", "Same", "Sent"]);
    assert.deepEqual((await sync()).actions, []);
    write("Sent.md", "One more.\n\nTwo.\n");
    assert.deepEqual((await sync()).actions, [{ action: "push", path: "Sent.md" }]);
  });

  test("SYNC17 also where the restored store has made more events than the one that it replaced", async () => {
    const { client, kb, sync, write, read } = await makeFolder();
    write("Sent.md", "One.\n");
    await sync();
    const config = readConfig({ ...process.env, ...store.settings });
    const backup = join(work, "backup-2.svc");
    await saveStore(config, backup);
    write("Sent.md", "One, changed.\n");
    write("New.md", "New.\n");
    await sync();
    await replaceStore(config, backup);
    for (const title of ["A", "B", "C", "D"])
      await client.post("/documents", { body: { title, knowledge_base_id: kb } });
    const { actions, notCarried } = await sync();
    assert.match(notCarried[0]?.message ?? "", /put back/);
    const made = actions.map(({ action, path }) => `${action} ${path.replace(/-\w+\.md$/, "")}`).sort();
    assert.deepEqual(made.slice(0, 2), ["conflict Sent.conflict", "create_document New.md"]);
    assert.equal(read("New.md"), "New.\n");
    assert.deepEqual((await sync()).actions, []);
  });
});
