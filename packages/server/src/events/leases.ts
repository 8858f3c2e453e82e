import type { Database, Tx } from "../db/database.ts";
import { apiError } from "../errors.ts";
import { newId } from "../ids.ts";

/** A process that says nothing for so long is dead. Less than clients wait before they come back after a drop. */
const LEASE_MS = 4500;
export const RENEW_MS = 1500;
const RETRY_AFTER_S = 5;
const FORGET_MS = 60_000;

/**
 * Which streams are open, over all processes on the store, to hold each token to its number of them. A stream counts
 * as long as the lease of its process is renewed, so a killed process gives its streams back by itself.
 */
export class StreamLeases {
  readonly #database: Database;
  readonly #limit: number;
  readonly #processId = newId("proc");
  readonly #given = new Map<string, string>();
  #giving: Promise<void> | undefined;

  constructor(database: Database, limit: number) {
    this.#database = database;
    this.#limit = limit;
  }

  /** An id to give back later; 429 when the token has its number of streams. */
  async take(tokenId: string): Promise<string> {
    await this.#giving?.catch(() => undefined);
    const id = newId("stream");
    await this.#database.transaction(async (tx) => {
      await this.#extend(tx);
      if ((await countOpen(tx, tokenId)) >= this.#limit)
        throw apiError(
          "too_many_streams",
          { limit: this.#limit, retry_after: RETRY_AFTER_S },
          { "retry-after": String(RETRY_AFTER_S) },
        );
      await tx.insertInto("event_streams").values({ token_id: tokenId, id, process_id: this.#processId }).execute();
    });
    return id;
  }

  /** What cannot be written now is written with a later call or renewal. */
  give(tokenId: string, id: string): void {
    this.#given.set(id, tokenId);
    this.#flush().catch(() => undefined);
  }

  async renew(): Promise<void> {
    await this.#database.transaction((tx) => this.#extend(tx));
    await this.#flush();
  }

  /** Gives everything back: the process ends. */
  async end(): Promise<void> {
    await this.#giving?.catch(() => undefined);
    await this.#database.transaction((tx) => forget(tx, [this.#processId]));
  }

  #flush(): Promise<void> {
    this.#giving ??= this.#remove().finally(() => {
      this.#giving = undefined;
    });
    return this.#giving;
  }

  async #remove(): Promise<void> {
    while (this.#given.size > 0) {
      const some = [...this.#given].slice(0, 200);
      await this.#database.transaction(async (tx) => {
        await tx
          .deleteFrom("event_streams")
          .where("token_id", "in", [...new Set(some.map(([, tokenId]) => tokenId))])
          .where(
            "id",
            "in",
            some.map(([id]) => id),
          )
          .execute();
      });
      for (const [id] of some) this.#given.delete(id);
    }
  }

  async #extend(tx: Tx): Promise<void> {
    const expiresAt = Date.now() + LEASE_MS;
    await tx
      .insertInto("event_processes")
      .values({ id: this.#processId, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ expires_at: expiresAt }))
      .execute();
  }
}

/** Streams of the token in processes that live. Takes the token's row, so that two cannot count at once. */
async function countOpen(tx: Tx, tokenId: string): Promise<number> {
  await tx
    .updateTable("tokens")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", tokenId)
    .execute();
  const now = Date.now();
  const { open } = await tx
    .selectFrom("event_streams as s")
    .innerJoin("event_processes as p", "p.id", "s.process_id")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("s.token_id", "=", tokenId)
    .where("p.expires_at", ">", now)
    // No lease is that long: the clock was put back since, and its process is dead or will say so soon.
    .where("p.expires_at", "<=", now + 2 * LEASE_MS)
    .executeTakeFirstOrThrow();
  return Number(open);
}

async function forget(tx: Tx, processIds: readonly string[]): Promise<void> {
  if (processIds.length === 0) return;
  await tx.deleteFrom("event_streams").where("process_id", "in", processIds).execute();
  await tx.deleteFrom("event_processes").where("id", "in", processIds).execute();
}

/** Removes what dead processes left behind. */
export async function forgetDeadProcesses(database: Database): Promise<void> {
  const now = Date.now();
  const dead = await database.read
    .selectFrom("event_processes")
    .select("id")
    .where((eb) => eb.or([eb("expires_at", "<", now - FORGET_MS), eb("expires_at", ">", now + FORGET_MS)]))
    .limit(100)
    .execute();
  if (dead.length === 0) return;
  await database.transaction((tx) =>
    forget(
      tx,
      dead.map(({ id }) => id),
    ),
  );
}
