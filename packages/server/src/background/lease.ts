import { randomUUID } from "node:crypto";
import type { Database, Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import type { Presence } from "./presence.ts";

/** Another process has taken over: what this one still wanted to do must not happen. */
export class LeaseLost extends Error {}

export interface Taken<T> {
  readonly lease: Lease;
  readonly claimed: T;
}

/**
 * Leases by name, over all processes on the store: one holds a name at a time, until it lets go or its process dies
 * (presence.ts). A lease that nobody holds has no row.
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
   * Takes the lease in one transaction with what `claim` does. Undefined when another holds it, or when `claim` answers
   * undefined: then nothing was taken.
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

  /** Does `work` while this process holds the lease. False when another process holds it. */
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

  /** Lets go. Where that cannot be written now it follows with a later beat. */
  async release(lease: Lease): Promise<void> {
    if (lease.isOver) return;
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

  /** Finds the leases that were lost, and removes those that this process has let go of without saying so. */
  async #compare(): Promise<void> {
    const before = [...this.#held.values()];
    const rows = await this.#database.read
      .selectFrom("leases")
      .select(["name", "holder"])
      .where("process_id", "=", this.#presence.processId)
      .execute();
    const stored = new Set(rows.map(({ holder }) => holder));
    for (const lease of before) if (lease && !lease.isOver && !stored.has(lease.holder)) lease.lose();
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
  /** New with every take: what an earlier take of the same process still does is not done in this one's name. */
  readonly holder: string;
  readonly #forget: () => void;
  readonly #lost = new AbortController();
  #isOver = false;

  constructor(name: string, holder: string, forget: () => void) {
    this.name = name;
    this.holder = holder;
    this.#forget = forget;
  }

  /** Aborted, with `LeaseLost`, when it is known that the lease is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Let go of, or lost. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Called first in each transaction of the work: fails when the lease is lost, and keeps others from taking it until the commit. */
  async hold(tx: Tx): Promise<void> {
    const [row] = await touchLease(tx, { name: this.name, holder: this.holder });
    if (!row) throw new LeaseLost();
  }

  /** First in the last transaction of the work: as `hold`, and lets go when it commits. */
  async release(tx: Tx): Promise<void> {
    const [row] = await deleteLease(tx, { name: this.name, holder: this.holder });
    if (!row) throw new LeaseLost();
    tx.afterCommit(() => this.forget());
  }

  lose(): void {
    this.forget();
    this.#lost.abort(new LeaseLost());
  }

  /** This process no longer works on it; the row goes with the next beat if it is still there. */
  forget(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forget();
  }
}
