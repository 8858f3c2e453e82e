import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { migrateFile } from "../sqlite/open.ts";

describe("the schema of a store", () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "svc-migrate-"));
    file = join(directory, "svc.db");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function inStore<T>(work: (store: DatabaseSync) => T): T {
    const store = new DatabaseSync(file);
    try {
      return work(store);
    } finally {
      store.close();
    }
  }
  const steps = () =>
    inStore((store) =>
      store
        .prepare("select name from kysely_migration order by name")
        .all()
        .map(({ name }) => name),
    );
  const schema = () =>
    inStore((store) => store.prepare("select type, name, sql from sqlite_master order by type, name").all());
  /** Records that the store has run `names` instead of the steps of this release. */
  const pretend = (names: readonly string[]) =>
    inStore((store) => {
      store.exec("delete from kysely_migration");
      const put = store.prepare("insert into kysely_migration (name, timestamp) values (?, '2026')");
      for (const name of names) put.run(name);
    });

  test("a store of the last version before 1.0.0 is served, and gets the later steps", async () => {
    await migrateFile(file);
    const [released, complete] = [steps(), schema()];
    file = join(directory, "development.db");
    await migrateFile(file, "0001-schema");
    inStore((store) => store.exec("insert into server_state (key, value) values ('kept', 'yes')"));
    pretend(["0001-foundation", "0031-properties", "0031-rights", "0053-remote-pictures"]);
    await migrateFile(file);
    await migrateFile(file);
    assert.deepEqual(steps(), released);
    assert.deepEqual(schema(), complete);
    const kept = inStore((store) => store.prepare("select value from server_state where key = 'kept'").get());
    assert.deepEqual({ ...kept }, { value: "yes" });
  });

  test("a store of an older development version is refused with one sentence, and not changed", async () => {
    await migrateFile(file);
    const old = ["0001-foundation", "0002-documents", "0047-body-html"];
    pretend(old);
    await assert.rejects(migrateFile(file), {
      name: "StoreTooOld",
      message: /development version before 1\.0\.0 \(0047-body-html\)/,
    });
    assert.deepEqual(steps(), old);
  });
});
