import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { migrateFile } from "../sqlite/open.ts";

test("BODY25 bodies of a store from before renderings and steps were stored stay as they are, with none", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-migrate-"));
  try {
    const file = join(directory, "svc.db");
    await migrateFile(file, "0015-search-stamp");
    const old = new DatabaseSync(file);
    old.exec(`insert into segments (workspace_id, document_id, hash, content, added_revision) values ('w', 'd', 'h', '[]', 3);
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

test("EVT16 ids of stored events and deliveries become whole numbers, and nothing else changes", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-migrate-"));
  try {
    const file = join(directory, "svc.db");
    await migrateFile(file, "0018-quick-compression");
    const data = (id: string) => `{"event_id":${id},"type":"document.created","document":{"title":"7.0, 7.0"}}`;
    const payload = (id: string) =>
      `{"type":"document.created","timestamp":"2026-11-16T00:00:00.000Z","data":${data(id)}}`;
    const old = new DatabaseSync(file);
    old.exec("pragma foreign_keys = off");
    const event = old.prepare(
      "insert into events (workspace_id, id, type, document_id, created_at, data) values ('w', ?, 'document.created', 'd', 1, ?)",
    );
    const delivery = old.prepare(`insert into webhook_deliveries
      (workspace_id, webhook_id, id, kind, message_id, event_id, event_type, payload, status, attempts, created_at)
      values ('w', 'h', ?, 'event', 'm', ?, 'document.created', ?, 'pending', 0, 1)`);
    for (const [id, text] of [
      [7, "7.0"],
      [70, "70"],
      [1991, "1991.0"],
    ] as const) {
      event.run(id, data(text));
      delivery.run(`d${id}`, id, payload(text));
    }
    delivery.run("test", null, '{"type":"webhook.test"}');
    old.close();
    await migrateFile(file);
    const now = new DatabaseSync(file);
    const events = now.prepare("select data from events order by id").all();
    const payloads = now.prepare("select payload from webhook_deliveries order by event_id").all();
    now.close();
    assert.deepEqual(
      events.map((row) => row.data),
      ["7", "70", "1991"].map(data),
    );
    assert.deepEqual(
      payloads.map((row) => row.payload),
      ['{"type":"webhook.test"}', ...["7", "70", "1991"].map(payload)],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test("SIGN20 of accounts from before it was kept, those count as proven that a provider opens", async () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-migrate-"));
  try {
    const file = join(directory, "svc.db");
    await migrateFile(file, "0047-body-html");
    const old = new DatabaseSync(file);
    old.exec(`insert into users (id, email, name, password_hash, created_at)
        values ('typed', 'a@example.com', 'A', '', 1), ('linked', 'b@example.com', 'B', '', 2);
      insert into identities (issuer, subject, user_id, created_at, last_used_at)
        values ('one', 's', 'linked', 7, 9), ('two', 's', 'linked', 8, 9)`);
    old.close();
    await migrateFile(file);
    const now = new DatabaseSync(file);
    const rows = now.prepare("select id, email_verified_at from users order by id").all();
    now.close();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { id: "linked", email_verified_at: 7 },
        { id: "typed", email_verified_at: null },
      ],
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
