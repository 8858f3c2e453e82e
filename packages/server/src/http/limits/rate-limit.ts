import { DatabaseUnavailable, type Store, type Tx } from "../../db/database.ts";
import { apiError } from "../../errors.ts";

/** Permits are taken from the shared window in batches of at most this share of the limit. */
const LEASES_PER_LIMIT = 50;
/** A batch of at least this many is renewed before it is used up, so that no request waits for the database. */
const EARLY_FROM = 16;
const MAX_SUBJECTS = 50_000;

interface Lease {
  windowStart: number;
  /** Taken from the shared window and not used yet. */
  permits: number;
  /** Granted while the store accepted no writes: the shared window does not include them. */
  uncounted: number;
  /** The size of the last batch. */
  batch: number;
  /** The use of the whole window, as of the last lease. */
  usedByAll: number;
  /** The window had no permits left when last checked. */
  exhausted: boolean;
  pending: Promise<void> | undefined;
}

const emptyLease = (windowStart: number): Lease => ({
  windowStart,
  permits: 0,
  uncounted: 0,
  batch: 0,
  usedByAll: 0,
  exhausted: false,
  pending: undefined,
});

export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly reset: number;
}

/**
 * A fixed window per subject, shared by all processes on one database. A process leases permits in batches, so most
 * requests write nothing. If a process dies, its permits are lost until the window ends, but never granted twice. While
 * the store accepts no writes, each process counts alone, so that reads are still answered.
 */
export class RateLimiter {
  readonly #database: Pick<Store, "transaction">;
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #leases = new Map<string, Lease>();

  constructor(database: Pick<Store, "transaction">, limit: number, windowS: number) {
    this.#database = database;
    this.#limit = limit;
    this.#windowMs = windowS * 1000;
  }

  /** Takes a leased permit if there is one, without a promise. Most requests end here. */
  takeLeased(subject: string): (Allowance & { readonly admitted: boolean }) | undefined {
    const now = Date.now();
    const lease = this.#leaseOf(subject, now - (now % this.#windowMs));
    if (lease.permits === 0) return undefined;
    lease.permits--;
    if (lease.batch >= EARLY_FROM && lease.permits < lease.batch / 4 && !lease.exhausted)
      this.#startRenewal(subject, lease).catch(() => undefined);
    return this.#allowanceOf(lease, true);
  }

  #startRenewal(subject: string, lease: Lease): Promise<void> {
    lease.pending ??= this.#renew(subject, lease).finally(() => {
      lease.pending = undefined;
    });
    return lease.pending;
  }

  /** Takes one permit. `admitted` is false when the window is used up. */
  async take(subject: string): Promise<Allowance & { readonly admitted: boolean }> {
    const now = Date.now();
    const lease = this.#leaseOf(subject, now - (now % this.#windowMs));
    while (lease.permits === 0 && !lease.exhausted) {
      await this.#startRenewal(subject, lease);
    }
    const admitted = lease.permits > 0;
    if (admitted) lease.permits--;
    return this.#allowanceOf(lease, admitted);
  }

  /** The last known state of the subject's window, for answers that cannot query the database. */
  known(subject: string): Allowance {
    const now = Date.now();
    const windowStart = now - (now % this.#windowMs);
    const lease = this.#leases.get(subject);
    return this.#allowanceOf(lease?.windowStart === windowStart ? lease : emptyLease(windowStart), true);
  }

  /** Returns unused permits, so that a restart costs no one a permit. */
  async release(): Promise<void> {
    const unused = [...this.#leases].filter(([, lease]) => lease.permits > lease.uncounted);
    this.#leases.clear();
    if (unused.length === 0) return;
    await this.#database.transaction(async (tx) => {
      for (const [subject, { windowStart, permits, uncounted }] of unused)
        await tx
          .updateTable("rate_windows")
          .set((eb) => ({ used: eb("used", "-", permits - uncounted) }))
          .where("subject", "=", subject)
          .where("window_start", "=", windowStart)
          .execute();
    });
  }

  #allowanceOf(lease: Lease, admitted: boolean): Allowance & { readonly admitted: boolean } {
    return {
      admitted,
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - lease.usedByAll + lease.permits),
      reset: Math.ceil((lease.windowStart + this.#windowMs) / 1000),
    };
  }

  #leaseOf(subject: string, windowStart: number): Lease {
    const known = this.#leases.get(subject);
    if (known?.windowStart === windowStart) return known;
    if (this.#leases.size >= MAX_SUBJECTS) this.#leases.clear();
    const lease = emptyLease(windowStart);
    this.#leases.set(subject, lease);
    return lease;
  }

  /** Leases a batch; near the end of the window the batches get ever smaller, so that processes share the rest. */
  async #renew(subject: string, lease: Lease): Promise<void> {
    const left = this.#limit - lease.usedByAll;
    const batch = Math.ceil(Math.min(this.#limit / LEASES_PER_LIMIT, left / 4));
    for (const wanted of batch > 1 ? [batch, 1] : [1]) {
      const used = await this.#reserve(subject, lease.windowStart, wanted).catch((error: unknown) =>
        this.#countAlone(error, lease, wanted),
      );
      if (used === undefined) continue;
      lease.usedByAll = used;
      lease.permits += wanted;
      lease.batch = wanted;
      return;
    }
    lease.usedByAll = this.#limit;
    lease.exhausted = true;
  }

  /** The new count as far as this process knows it. */
  #countAlone(error: unknown, lease: Lease, permits: number): number | undefined {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    const used = lease.usedByAll + permits;
    if (used > this.#limit) return undefined;
    lease.uncounted += permits;
    return used;
  }

  /** Adds to the shared count if it stays within the limit, and returns the new count. */
  #reserve(subject: string, windowStart: number, permits: number): Promise<number | undefined> {
    const reserve = async (tx: Tx) => {
      const row = await tx
        .insertInto("rate_windows")
        .values({ subject, window_start: windowStart, used: permits })
        .onConflict((conflict) =>
          conflict
            .columns(["subject", "window_start"])
            .doUpdateSet((eb) => ({ used: eb("rate_windows.used", "+", eb.ref("excluded.used")) }))
            .where((eb) => eb(eb("rate_windows.used", "+", eb.ref("excluded.used")), "<=", this.#limit)),
        )
        .returning("used")
        .executeTakeFirst();
      return row?.used;
    };
    // Reads wait for it, so it must never wait for a standby.
    return this.#database.transaction(reserve, { mayBeLost: true });
  }
}

export const rateLimited = (allowance: Allowance) => {
  const wait = Math.max(1, allowance.reset - Math.floor(Date.now() / 1000));
  return apiError("rate_limited", { retry_after: wait }, { "retry-after": String(wait) });
};
