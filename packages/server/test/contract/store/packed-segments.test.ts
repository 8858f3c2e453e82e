import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPostgres } from "@svc/server/db/postgres/open";
import pg from "pg";
import { makeDatabase } from "../../support/postgres.ts";

let database: Awaited<ReturnType<typeof makeDatabase>>;
before(async () => {
  database = await makeDatabase();
  const store = await openPostgres(database.url, { warn: () => undefined });
  await store.close();
});
after(() => database.drop());

test("segments are packed with LZ4 where PostgreSQL has it, and as ever where it has not", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const setting = await client.query("select enumvals from pg_settings where name = 'default_toast_compression'");
    const hasLz4 = setting.rows[0]?.enumvals.includes("lz4") ?? false;
    const { rows } = await client.query(
      `select attname, attcompression from pg_attribute
        where attrelid = 'segments'::regclass and attname in ('content', 'markdown', 'html')`,
    );
    assert.equal(rows.length, 3);
    for (const { attname, attcompression } of rows) assert.equal(attcompression, hasLz4 ? "l" : "", attname);
  } finally {
    await client.end();
  }
});
