import type { Schema } from "./migration.ts";

/**
 * The step that an older program has to know to serve a store of this release beside it: all steps after it only add
 * what older programs leave alone. A step that changes or removes what they use is named here with the release that
 * has it; 0036 is such a one (docs/decisions/0004).
 */
const READABLE_SINCE = "0038-authors";
const KEY = "readable_since";

/** Refuses to serve a store that only newer programs understand. */
class StoreTooNew extends Error {
  constructor(step: string) {
    super(
      `The store was brought up to date by a newer release (${step}), which this one cannot work with. Start the newer release, or restore a backup of before.`,
    );
    this.name = "StoreTooNew";
  }
}

/** Whether a newer release has brought the store further than this one knows, and lets it serve all the same. */
export async function isAhead(db: Schema, known: ReadonlySet<string>): Promise<boolean> {
  // A store without the table is a new one.
  const done: { name: string }[] = await db
    .selectFrom("kysely_migration")
    .select("name")
    .orderBy("name")
    .execute()
    .catch(() => []);
  const unknown = done.filter(({ name }) => !known.has(name));
  const last = unknown.at(-1);
  if (!last) return false;
  const since = await findReadableSince(db);
  const hasAllOfOurs = done.length - unknown.length === known.size;
  if (since === undefined || !known.has(since) || !hasAllOfOurs) throw new StoreTooNew(last.name);
  return true;
}

const findReadableSince = async (db: Schema): Promise<string | undefined> =>
  (await db.selectFrom("server_state").select("value").where("key", "=", KEY).executeTakeFirst())?.value;

/** Tells older programs whether they may serve what this release has brought up to date. */
export async function putReadableSince(db: Schema): Promise<void> {
  if ((await findReadableSince(db)) === READABLE_SINCE) return;
  const row = { key: KEY, value: READABLE_SINCE };
  await db
    .insertInto("server_state")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
    .execute();
}
