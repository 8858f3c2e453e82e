import type { Schema } from "./migration.ts";

/** The last step of the schema before 1.0.0. A store at this step has exactly the tables of `0001-schema`. */
const LAST_DEVELOPMENT_STEP = "0053-remote-pictures";
const FIRST_DEVELOPMENT_STEP = "0001-foundation";

/** Refuses a store that was written by an older version than the last one before 1.0.0. */
class StoreTooOld extends Error {
  constructor(step: string) {
    super(
      `The store was written by a development version before 1.0.0 (${step}). Start the last version before 1.0.0 on it once, then this one; docs/releases.md has the steps.`,
    );
    this.name = "StoreTooOld";
  }
}

/** Records that a store of the last version before 1.0.0 has the schema of 1.0.0. Other stores are left as they are. */
export async function adoptDevelopmentStore(db: Schema): Promise<void> {
  const steps = await developmentSteps(db);
  const last = steps.at(-1);
  if (last === undefined) return;
  if (last !== LAST_DEVELOPMENT_STEP) throw new StoreTooOld(last);
  await db.transaction().execute(async (tx) => {
    const timestamp = new Date().toISOString();
    await tx
      .insertInto("kysely_migration")
      .values({ name: "0001-schema", timestamp })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    await tx.deleteFrom("kysely_migration").where("name", "in", steps).execute();
  });
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
  if (!names.includes(FIRST_DEVELOPMENT_STEP)) return [];
  return names.filter((name) => name !== "0001-schema" && name <= LAST_DEVELOPMENT_STEP);
}
