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
  /** Records that the store has run `names` instead of the steps of this release. */
  const pretend = (names: readonly string[]) =>
    inStore((store) => {
      store.exec("delete from kysely_migration");
      const put = store.prepare("insert into kysely_migration (name, timestamp) values (?, '2026')");
      for (const name of names) put.run(name);
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
