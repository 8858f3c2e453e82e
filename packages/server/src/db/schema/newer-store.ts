import type { Schema } from "./migration.ts";

/**
 * The step that an older program must know to serve a store of this release beside it: all later steps only add things
 * that older programs ignore. A step that changes or removes what they use is named here in its release.
 */
const READABLE_SINCE = "0001-schema";
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

/**
 * Whether a newer release has migrated the store further than this one knows, and still allows this one to serve it.
 */
export async function isAhead(db: Schema, known: ReadonlySet<string>): Promise<boolean> {
  // A store without the table is new.
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

/** Records whether older programs may serve a store that this release has migrated. */
export async function putReadableSince(db: Schema): Promise<void> {
  if ((await findReadableSince(db)) === READABLE_SINCE) return;
  const row = { key: KEY, value: READABLE_SINCE };
  await db
    .insertInto("server_state")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
    .execute();
}
