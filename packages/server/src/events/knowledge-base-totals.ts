import type { Tx } from "../db/database.ts";
import { statement } from "../db/statement/statement.ts";
import type { LastStep } from "../db/transaction/last-steps.ts";

export interface KnowledgeBaseTotals {
  readonly documents: number;
  readonly folders: number;
}

interface PlaceDelta extends KnowledgeBaseTotals {
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

/** The changes of a transaction to the totals of a workspace's knowledge bases. */
export const knowledgeBaseTotalsOf = (tx: Tx, workspaceId: string): KnowledgeBaseTotalsStep =>
  tx.lastStep("knowledge-base-totals", workspaceId, () => new KnowledgeBaseTotalsStep(tx, workspaceId));

/**
 * Every writer updates these before the counters of the workspace and in the order of the ids, so no two transactions
 * wait for each other in a circle.
 */
class KnowledgeBaseTotalsStep implements LastStep {
  readonly name = "knowledge-base-totals";
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #totals = new Map<number, KnowledgeBaseTotals>();

  constructor(tx: Tx, workspaceId: string) {
    this.#tx = tx;
    this.workspaceId = workspaceId;
  }

  add(id: number, { documents = 0, folders = 0 }: Partial<KnowledgeBaseTotals>): void {
    const known = this.#totals.get(id) ?? { documents: 0, folders: 0 };
    this.#totals.set(id, { documents: known.documents + documents, folders: known.folders + folders });
  }

  forget(id: number): void {
    this.#totals.delete(id);
  }

  join(later: LastStep): boolean {
    if (!(later instanceof KnowledgeBaseTotalsStep)) return false;
    for (const [id, totals] of later.#totals) this.add(id, totals);
    return true;
  }

  async write(): Promise<void> {
    const tx = this.#tx;
    const sorted = [...this.#totals].sort(([a], [b]) => a - b);
    // With counters locked already, it must not wait for a row that is not free.
    if (tx.mustNotWait)
      await tx.lockAll(
        "knowledge_base",
        this.workspaceId,
        sorted.map(([id]) => id),
      );
    for (const [id, totals] of sorted) {
      const [row] = await addInPlace(tx, { workspaceId: this.workspaceId, id, ...totals });
      if (!row) throw new Error(`Knowledge base ${id} was counted in, but is not there: it was not kept.`);
    }
  }
}
