import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { migrateFile } from "./sqlite.ts";

test("BODY25 bodies of a store from before renderings and steps were stored stay as they are, with none", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-migrate-"));
  try {
    const file = join(directory, "svc.db");
    await migrateFile(file);
    const old = new DatabaseSync(file);
    for (const column of ["markdown", "html", "rules"]) old.exec(`alter table segments drop column ${column}`);
    old.exec(`alter table bodies drop column steps;
      delete from kysely_migration where name >= '0016';
      insert into segments (workspace_id, document_id, hash, content, added_revision) values ('w', 'd', 'h', '[]', 3);
      insert into bodies (workspace_id, document_id, document_type, version, manifest, revision)
        values ('w', 'd', 'document', 'v', 'h:0', 3)`);
    old.close();
    await migrateFile(file);
    const now = new DatabaseSync(file);
    const rows = now.prepare("select * from segments").all();
    const body = now.prepare("select manifest, steps from bodies").get();
    now.close();
    const row = { workspace_id: "w", document_id: "d", hash: "h", content: "[]", added_revision: 3 };
    assert.deepEqual(
      rows.map((one) => ({ ...one })),
      [{ ...row, markdown: null, html: null, rules: null }],
    );
    assert.deepEqual({ ...body }, { manifest: "h:0", steps: "" });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
