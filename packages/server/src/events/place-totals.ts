import type { Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import { type LastStep, PLACE_RANK } from "../db/transaction/last-steps.ts";

export interface PlaceTotals {
  readonly documents: number;
  readonly folders: number;
}

interface PlaceDelta extends PlaceTotals {
  readonly workspaceId: string;
  readonly id: number;
}

const addInPlace = statement<PlaceDelta, { id: number }>((db, value) =>
  db
    .updateTable("knowledge_bases")
    .set((eb) => ({
      document_count: eb("document_count", "+", value("documents")),
      folder_count: eb("folder_count", "+", value("folders")),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("id"))
    .returning("id"),
);

/** What a transaction adds to the totals of a workspace's knowledge bases. */
export const placeTotalsOf = (tx: Tx, workspaceId: string): PlaceTotalsStep =>
  tx.lastStep(PLACE_RANK, workspaceId, () => new PlaceTotalsStep(tx, workspaceId));

/**
 * Written before the counters of the workspace, and in the order of the ids, by everybody: so no two transactions wait
 * for each other in a circle.
 */
class PlaceTotalsStep implements LastStep {
  readonly rank = PLACE_RANK;
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #places = new Map<number, PlaceTotals>();

  constructor(tx: Tx, workspaceId: string) {
    this.#tx = tx;
    this.workspaceId = workspaceId;
  }

  add(id: number, { documents = 0, folders = 0 }: Partial<PlaceTotals>): void {
    const known = this.#places.get(id) ?? { documents: 0, folders: 0 };
    this.#places.set(id, { documents: known.documents + documents, folders: known.folders + folders });
  }

  forget(id: number): void {
    this.#places.delete(id);
  }

  join(later: LastStep): boolean {
    if (!(later instanceof PlaceTotalsStep)) return false;
    for (const [id, totals] of later.#places) this.add(id, totals);
    return true;
  }

  async write(): Promise<void> {
    const tx = this.#tx;
    const places = [...this.#places].sort(([a], [b]) => a - b);
    // With counters locked already, a row that is not free is not waited for.
    if (tx.mustNotWait)
      await tx.lockAll(
        "knowledge_base",
        this.workspaceId,
        places.map(([id]) => id),
      );
    for (const [id, totals] of places) {
      const [row] = await addInPlace(tx, { workspaceId: this.workspaceId, id, ...totals });
      if (!row) throw new Error(`Knowledge base ${id} was counted in, but is not there: it was not kept.`);
    }
  }
}
