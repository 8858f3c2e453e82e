import type { Presence } from "../background/presence.ts";
import type { Database, Tx } from "../db/database.ts";
import { apiError } from "../errors.ts";
import { newId } from "../ids.ts";

/**
 * Streams of a process that is silent for this long no longer count: two beats. Together with the time until others
 * notice, that is less than clients wait before they reconnect.
 */
const SILENCE_MS = 3000;
const RETRY_AFTER_S = 5;
const AT_ONCE = 200;

/**
 * Counts the open streams of each token, across all processes on the store, to enforce the limit. A stream counts as
 * long as its process is alive (presence.ts), so the streams of a killed process are released.
 */
export class OpenStreams {
  readonly #database: Database;
  readonly #presence: Presence;
  readonly #limit: number;
  readonly #open = new Map<string, { readonly tokenId: string; readonly leave: () => void }>();
  readonly #given = new Map<string, string>();
  #giving: Promise<void> | undefined;

  constructor(database: Database, presence: Presence, limit: number) {
    this.#database = database;
    this.#presence = presence;
    this.#limit = limit;
    presence.onBeat((isNew) => this.#keepUp(isNew));
  }

  /** Returns an id to give back later; throws 429 if the token has reached its limit. */
  async take(tokenId: string): Promise<string> {
    await this.#giving?.catch(() => undefined);
    const id = newId("stream");
    const leave = await this.#presence.enter();
    try {
      await this.#database.transaction((tx) => this.#insert(tx, tokenId, id));
    } catch (error) {
      leave();
      throw error;
    }
    this.#open.set(id, { tokenId, leave });
    return id;
  }

  /** If this cannot be written now, a later call or beat writes it. */
  give(tokenId: string, id: string): void {
    this.#given.set(id, tokenId);
    this.#flush().catch(() => undefined);
  }

  /** Gives everything back. */
  async end(): Promise<void> {
    for (const [id, { tokenId }] of this.#open) this.#given.set(id, tokenId);
    await this.#flush();
  }

  async #insert(tx: Tx, tokenId: string, id: string): Promise<void> {
    await this.#presence.register(tx);
    if ((await countOpen(tx, tokenId, this.#presence.silentFor(SILENCE_MS))) >= this.#limit)
      throw apiError(
        "too_many_streams",
        { limit: this.#limit, retry_after: RETRY_AFTER_S },
        { "retry-after": String(RETRY_AFTER_S) },
      );
    await tx
      .insertInto("event_streams")
      .values({ token_id: tokenId, id, process_id: this.#presence.processId })
      .execute();
  }

  async #keepUp(isNew: boolean): Promise<void> {
    if (isNew) await this.#insertAgain();
    if (this.#given.size > 0) await this.#flush();
  }

  /** This process was taken for dead and its rows were deleted, but its streams are still open. */
  async #insertAgain(): Promise<void> {
    const rows = [...this.#open].map(([id, { tokenId }]) => ({
      token_id: tokenId,
      id,
      process_id: this.#presence.processId,
    }));
    for (let i = 0; i < rows.length; i += AT_ONCE)
      await this.#database.transaction((tx) =>
        tx
          .insertInto("event_streams")
          .values(rows.slice(i, i + AT_ONCE))
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
  }

  #flush(): Promise<void> {
    this.#giving ??= this.#remove().finally(() => {
      this.#giving = undefined;
    });
    return this.#giving;
  }

  async #remove(): Promise<void> {
    while (this.#given.size > 0) {
      const some = [...this.#given].slice(0, AT_ONCE);
      const ids = some.map(([id]) => id);
      const tokenIds = [...new Set(some.map(([, tokenId]) => tokenId))];
      await this.#database.transaction((tx) =>
        tx.deleteFrom("event_streams").where("token_id", "in", tokenIds).where("id", "in", ids).execute(),
      );
      for (const id of ids) this.#forget(id);
    }
  }

  #forget(id: string): void {
    this.#given.delete(id);
    this.#open.get(id)?.leave();
    this.#open.delete(id);
  }
}

/**
 * Counts the streams of the token, without those of silent processes. Locks the token's row, so that two cannot count
 * at once.
 */
async function countOpen(tx: Tx, tokenId: string, silent: readonly string[]): Promise<number> {
  await tx.lock("token", "", tokenId);
  let open = tx
    .selectFrom("event_streams")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("token_id", "=", tokenId);
  if (silent.length > 0) open = open.where("process_id", "not in", silent);
  return Number((await open.executeTakeFirstOrThrow()).open);
}
