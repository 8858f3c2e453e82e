import { Migrator } from "kysely";
import { adoptDevelopmentStore } from "./development-store.ts";
import type { ColumnTypes, Migration, Schema } from "./migration.ts";
import { schema } from "./migrations/0001-schema.ts";
import { order } from "./migrations/0010-order.ts";
import { askUsage } from "./migrations/0020-ask-usage.ts";
import { fileTexts } from "./migrations/0025-file-texts.ts";
import { webhookFormats } from "./migrations/0026-webhook-formats.ts";
import { endedRows } from "./migrations/0030-ended-rows.ts";
import { isAhead, putReadableSince } from "./newer-store.ts";

/** Each step runs once, in this order. A released step is never edited. */
const migrations: Record<string, Migration> = {
  "0001-schema": schema,
  "0010-order": order,
  "0020-ask-usage": askUsage,
  "0025-file-texts": fileTexts,
  "0026-webhook-formats": webhookFormats,
  "0030-ended-rows": endedRows,
};

/**
 * Brings the store to the current schema. Several processes may start at once: one migrates, the others wait. A store
 * that a newer release has migrated further is left as it is.
 */
export async function migrate(db: Schema, types: ColumnTypes): Promise<void> {
  await adoptDevelopmentStore(db, types);
  if (await isAhead(db, new Set(Object.keys(migrations)))) return;
  const steps = Object.entries(migrations).map(([name, up]) => [name, { up: (schema: Schema) => up(schema, types) }]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(steps) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  await putReadableSince(db);
}

/** The name of the current schema: its last step. */
export const currentSchema = (): string => Object.keys(migrations).sort().at(-1) ?? "";
