import type { Database } from "../../db/database.ts";
import type { Services } from "../../services.ts";

const MIN_INTERVAL_MS = 60_000;
const FLUSH_AFTER_MS = 1_000;

/** Records when and by which program each token was last used, at most once a minute per token. */
export class TokenUse {
  readonly #database: Database;
  readonly #log: Services["log"];
  readonly #written = new Map<string, number>();
  readonly #pending = new Map<string, { at: number; client: string | null }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, log: Services["log"]) {
    this.#database = database;
    this.#log = log;
  }

  record(tokenId: string, userAgent: string | undefined): void {
    const now = Date.now();
    // The absolute difference, because the clock may be set back.
    if (Math.abs(now - (this.#written.get(tokenId) ?? 0)) < MIN_INTERVAL_MS) return;
    this.#written.set(tokenId, now);
    this.#pending.set(tokenId, { at: now, client: userAgent?.slice(0, 200) ?? null });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = [...this.#pending];
    this.#pending.clear();
    if (this.#written.size > 10_000) this.#written.clear();
    if (uses.length === 0) return;
    try {
      await this.#database.transaction(async (tx) => {
        for (const [id, use] of uses)
          await tx
            .updateTable("tokens")
            .set({ last_used_at: use.at, last_client: use.client })
            .where("id", "=", id)
            .execute();
      });
    } catch (error) {
      this.#log.warn({ err: error }, "last use of tokens could not be written");
    }
  }
}
