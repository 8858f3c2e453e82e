import { randomUUID } from "node:crypto";
import type { Database, Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import type { Presence } from "./presence.ts";

/** Another process has taken over, so this one must not complete its work. */
export class LeaseLost extends Error {}

export interface Taken<T> {
  readonly lease: Lease;
  readonly claimed: T;
}

/**
 * Leases by name, across all processes on the store: one process holds a name at a time, until it releases it or dies
 * (presence.ts). A free lease has no row.
 */
export class Leases {
  readonly #database: Database;
  readonly #presence: Presence;
  /** By holder; undefined while it is being taken. */
  readonly #held = new Map<string, Lease | undefined>();

  constructor(database: Database, presence: Presence) {
    this.#database = database;
    this.#presence = presence;
    presence.onBeat(() => this.#compare());
  }

  /**
   * Takes the lease in one transaction together with `claim`. Returns undefined if another process holds it, or if
   * `claim` returns undefined: then nothing was taken.
   */
  async take<T>(name: string, claim: (tx: Tx) => Promise<T | undefined>): Promise<Taken<T> | undefined> {
    const leave = await this.#presence.enter();
    const holder = randomUUID();
    const forget = () => {
      this.#held.delete(holder);
      leave();
    };
    this.#held.set(holder, undefined);
    try {
      const claimed = await this.#database.transaction((tx) => this.#insert(tx, name, holder, claim));
      if (claimed === undefined) {
        forget();
        return undefined;
      }
      const lease = new Lease(name, holder, forget);
      this.#held.set(holder, lease);
      return { lease, claimed };
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Runs `work` while this process holds the lease. Returns false if another process holds it. */
  async during(name: string, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    const taken = await this.take(name, async () => true);
    if (!taken) return false;
    try {
      await work(taken.lease);
    } finally {
      await this.release(taken.lease);
    }
    return true;
  }

  /** Releases the lease. If that cannot be written now, a later beat writes it. */
  async release(lease: Lease): Promise<void> {
    if (lease.isEnded) return;
    await this.#database.transaction((tx) => lease.release(tx)).catch(() => undefined);
    lease.forget();
  }

  async #insert<T>(tx: Tx, name: string, holder: string, claim: (tx: Tx) => Promise<T | undefined>) {
    await this.#presence.register(tx);
    const [isFree] = await insertLease(tx, { name, holder, processId: this.#presence.processId });
    if (!isFree) return undefined;
    const claimed = await claim(tx);
    if (claimed === undefined) await tx.deleteFrom("leases").where("holder", "=", holder).execute();
    return claimed;
  }

  /** Finds the leases that were lost, and removes those that this process dropped without writing it. */
  async #compare(): Promise<void> {
    const before = [...this.#held.values()];
    const rows = await this.#database.read
      .selectFrom("leases")
      .select(["name", "holder"])
      .where("process_id", "=", this.#presence.processId)
      .execute();
    const stored = new Set(rows.map(({ holder }) => holder));
    for (const lease of before) if (lease && !lease.isEnded && !stored.has(lease.holder)) lease.lose();
    const left = rows.filter(({ holder }) => !this.#held.has(holder)).map(({ name }) => name);
    if (left.length === 0) return;
    await this.#database.transaction((tx) =>
      tx
        .deleteFrom("leases")
        .where("name", "in", left)
        .where("process_id", "=", this.#presence.processId)
        .where("holder", "not in", [...this.#held.keys(), ""])
        .execute(),
    );
  }
}

interface Held {
  readonly name: string;
  readonly holder: string;
}
type Name = Pick<Held, "name">;

const insertLease = statement<Held & { readonly processId: string }, Name>((tx, value) =>
  tx
    .insertInto("leases")
    .values({ name: value("name"), holder: value("holder"), process_id: value("processId") })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name"),
);

const deleteLease = statement<Held, Name>((tx, value) =>
  tx.deleteFrom("leases").where("name", "=", value("name")).where("holder", "=", value("holder")).returning("name"),
);

const touchLease = statement<Held, Name>((tx, value) =>
  tx
    .updateTable("leases")
    .set({ holder: value("holder") })
    .where("name", "=", value("name"))
    .where("holder", "=", value("holder"))
    .returning("name"),
);

export class Lease {
  readonly name: string;
  /** New with every take, so that leftover work of an earlier take in the same process does not run under this one. */
  readonly holder: string;
  readonly #forget: () => void;
  readonly #lost = new AbortController();
  #isEnded = false;

  constructor(name: string, holder: string, forget: () => void) {
    this.name = name;
    this.holder = holder;
    this.#forget = forget;
  }

  /** Aborted, with `LeaseLost`, once the lease is known to be lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Released or lost. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Must come first in each transaction of the work: fails if the lease is lost, and prevents others from taking it
   * until the commit.
   */
  async hold(tx: Tx): Promise<void> {
    const [row] = await touchLease(tx, { name: this.name, holder: this.holder });
    if (!row) throw new LeaseLost();
  }

  /** Must come first in the last transaction of the work: holds the lease, and releases it on commit. */
  async release(tx: Tx): Promise<void> {
    const [row] = await deleteLease(tx, { name: this.name, holder: this.holder });
    if (!row) throw new LeaseLost();
    tx.afterCommit(() => this.forget());
  }

  lose(): void {
    this.forget();
    this.#lost.abort(new LeaseLost());
  }

  /** Drops the lease without writing; the next beat removes the row if it still exists. */
  forget(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#forget();
  }
}
