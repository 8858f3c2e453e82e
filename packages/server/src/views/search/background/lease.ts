import type { Database, Tx } from "../../../db/database.ts";

/** Renewed with every step of a merge. After this long without one, another process may go on. */
const leaseMs = 8_000;

/** Another process has taken over: whatever this one still wanted to do must not happen. */
export class LeaseLost extends Error {}

/** Background work on a workspace's index is done by one process at a time. */
export class Lease {
  readonly workspaceId: string;
  readonly #owner: string;

  constructor(workspaceId: string, owner: string) {
    this.workspaceId = workspaceId;
    this.#owner = owner;
  }

  /** False when another process has it. */
  take({ transaction }: Database): Promise<boolean> {
    const now = Date.now();
    const values = { workspace_id: this.workspaceId, owner: this.#owner, until: now + leaseMs };
    return transaction(async (tx) => {
      const row = await tx
        .insertInto("search_leases")
        .values(values)
        .onConflict((conflict) =>
          conflict
            .column("workspace_id")
            .doUpdateSet({ owner: values.owner, until: values.until })
            .where((eb) =>
              eb.or([
                eb("search_leases.owner", "=", this.#owner),
                eb("search_leases.until", "<", now),
                // No lease is that long: the clock was put back since.
                eb("search_leases.until", ">", now + 2 * leaseMs),
              ]),
            ),
        )
        .returning("owner")
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  /** In a transaction of the work: renews, and locks against other steps of the same workspace. */
  async hold(tx: Tx): Promise<void> {
    const row = await tx
      .updateTable("search_leases")
      .set({ until: Date.now() + leaseMs })
      .where("workspace_id", "=", this.workspaceId)
      .where("owner", "=", this.#owner)
      .returning("owner")
      .executeTakeFirst();
    if (!row) throw new LeaseLost();
  }

  async release({ transaction }: Database): Promise<void> {
    await transaction((tx) =>
      tx
        .deleteFrom("search_leases")
        .where("workspace_id", "=", this.workspaceId)
        .where("owner", "=", this.#owner)
        .execute(),
    );
  }
}
