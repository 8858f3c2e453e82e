import type { ColumnTypes, Schema } from "./migration.ts";
import { memberships } from "./migrations/0001-schema/accounts.ts";
import { fileAddresses } from "./migrations/0001-schema/bodies.ts";
import { remotePictures } from "./migrations/0001-schema/documents.ts";
import { history } from "./migrations/0001-schema/history.ts";
import { recentStates } from "./migrations/0001-schema/live.ts";

const FIRST_DEVELOPMENT_STEP = "0001-foundation";
/** The last step of the schema before 1.0.0. */
const LAST_DEVELOPMENT_STEP = "0050-ended-links";

/** Refuses a store that was written by an older version than the last one before 1.0.0. */
class StoreTooOld extends Error {
  constructor(step: string) {
    super(
      `The store was written by a development version before 1.0.0 (${step}). Start the last version before 1.0.0 on it once, then this one; docs/releases.md has the steps.`,
    );
    this.name = "StoreTooOld";
  }
}

/** Brings a store of the last version before 1.0.0 to the schema of 1.0.0. Other stores are left as they are. */
export async function adoptDevelopmentStore(db: Schema, types: ColumnTypes): Promise<void> {
  const steps = await developmentSteps(db);
  const last = steps.at(-1);
  if (last === undefined) return;
  if (last !== LAST_DEVELOPMENT_STEP) throw new StoreTooOld(last);
  await db.transaction().execute(async (tx) => {
    // When several processes start at once, the first one removes the steps and the others find none.
    const removed = await tx.deleteFrom("kysely_migration").where("name", "in", steps).executeTakeFirst();
    if (removed.numDeletedRows === 0n) return;
    await completeSchema(tx, types);
    const timestamp = new Date().toISOString();
    await tx.insertInto("kysely_migration").values({ name: "0001-schema", timestamp }).execute();
  });
}

/** Adds the parts of the schema of 1.0.0 that the last development step lacks. */
async function completeSchema(tx: Schema, types: ColumnTypes): Promise<void> {
  await tx.schema.alterTable("documents").addColumn("file_name", "text").execute();
  await tx.schema.alterTable("segments").addColumn("authors", "text").execute();
  for (const create of [fileAddresses, recentStates, remotePictures, history]) await create(tx, types);
  // SQLite cannot change the check of a column, so the table is made anew.
  const people = await tx.selectFrom("memberships").selectAll().execute();
  await tx.schema.dropTable("memberships").execute();
  await memberships(tx, types);
  for (const person of people) await tx.insertInto("memberships").values(person).execute();
}

/** The steps before 1.0.0 that the store has run, in their order. */
async function developmentSteps(db: Schema): Promise<string[]> {
  // A store without the table is new.
  const done: { name: string }[] = await db
    .selectFrom("kysely_migration")
    .select("name")
    .orderBy("name")
    .execute()
    .catch(() => []);
  const names = done.map(({ name }) => name);
  return names.includes(FIRST_DEVELOPMENT_STEP) ? names : [];
}
