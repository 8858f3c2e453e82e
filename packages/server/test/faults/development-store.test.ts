import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import type { ColumnTypes, Schema } from "@svc/server/db/schema/migration";
import { kyselyOver, SqliteConnection } from "@svc/server/db/sqlite/connection";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { EarlierPackages, LAST_DEVELOPMENT_COMMIT, noCommit } from "../support/previous-release.ts";
import { databases, makeStore } from "../support/world.ts";

const COLUMN_TYPES = {
  sqlite: { integer: "integer", bytes: "blob", identity: (column) => column.primaryKey().autoIncrement() },
  postgres: {
    integer: "bigint",
    bytes: "bytea",
    identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  },
} satisfies Record<string, Omit<ColumnTypes, "keepInRow" | "packQuickly">>;

const COLUMNS = {
  sqlite: sql`select t.name as "table", c.name as "column", lower(c.type) as type, c."notnull" as is_required,
    c.dflt_value as default_value, c.pk as key_position
    from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'`,
  postgres: sql`select table_name as "table", column_name as "column", data_type as type, is_nullable,
    column_default as default_value from information_schema.columns where table_schema = 'public'`,
};
const INDEXES = {
  sqlite: sql`select name, sql from sqlite_master where type = 'index' and sql is not null`,
  postgres: sql`select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public'`,
};

type Settings = Record<string, string>;

function openSchema(settings: Settings): Schema {
  const url = settings.SVC_DATABASE_URL;
  if (url)
    return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) });
  return kyselyOver(new SqliteConnection(join(String(settings.SVC_DATA_DIR), "svc.db"), { readOnly: false }));
}

const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

describe("the first update to 1.0.0", { skip: noCommit(LAST_DEVELOPMENT_COMMIT) }, () => {
  for (const kind of databases)
    test(`a store of the last development version keeps its rows and gets the schema of a new store [${kind}]`, async () => {
      using earlier = new EarlierPackages(LAST_DEVELOPMENT_COMMIT);
      const { migrate } = await import(earlier.file("packages/server/src/db/schema/migrate.ts"));
      const [updated, fresh] = [await makeStore(kind), await makeStore(kind)];
      const ignore = async () => undefined;
      const db = openSchema(updated.settings);
      await migrate(db, { ...COLUMN_TYPES[kind], keepInRow: ignore, packQuickly: ignore });
      await db
        .insertInto("users")
        .values({ id: "u", email: "e", name: "Ada", password_hash: "", created_at: 1 })
        .execute();
      await db.insertInto("workspaces").values({ id: "w", name: "Team", created_at: 1 }).execute();
      await db
        .insertInto("memberships")
        .values({ workspace_id: "w", user_id: "u", role: "owner", created_at: 1 })
        .execute();
      await db.destroy();

      for (const { settings } of [updated, updated, fresh])
        await (await connect(readConfig(settings), { warn: () => undefined })).close();
      const read = async (settings: Settings) => {
        const schema = openSchema(settings);
        const [columns, indexes] = [await COLUMNS[kind].execute(schema), await INDEXES[kind].execute(schema)];
        const steps = await schema.selectFrom("kysely_migration").select("name").orderBy("name").execute();
        const members = await schema.selectFrom("memberships").selectAll().execute();
        await schema.destroy();
        return { columns: sorted(columns.rows), indexes: sorted(indexes.rows), steps, members };
      };
      const [after, expected] = [await read(updated.settings), await read(fresh.settings)];
      assert.deepEqual(after.columns, expected.columns);
      assert.deepEqual(after.indexes, expected.indexes);
      assert.deepEqual(after.steps, expected.steps);
      assert.deepEqual(
        after.members.map(({ role, user_id }) => ({ role, user_id })),
        [{ role: "owner", user_id: "u" }],
      );
      await updated.remove();
      await fresh.remove();
    });
});
