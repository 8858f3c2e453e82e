import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { LastStep } from "../../../db/transaction/last-steps.ts";
import type { BodyDelta } from "../../../services/body-views.ts";
import { ChangeWriter } from "./change-writer.ts";
import { changedBlocks } from "./changed-blocks.ts";
import { INLINE_BLOCKS, type IndexState, readIndexState } from "./index-state.ts";
import { addBlocks, type Pending, titleText } from "./pending-document.ts";

/**
 * The maximum of texts of several transactions that are written together: each stands for a removed block and an added
 * one.
 */
const joinedTexts = INLINE_BLOCKS / 4;

/** Collects a transaction's changes to a workspace's index and writes them in its last step before the events. */
export const indexLedgerOf = (tx: Tx, workspaceId: string, wake: () => void): IndexLedger =>
  tx.lastStep("search", workspaceId, () => new IndexLedger(tx, workspaceId, wake));

/** Whether at least half of the previous blocks were removed or changed. */
function isRewritten({ before, changes }: BodyDelta): boolean {
  const changed = changes.filter(({ old_position }) => old_position !== null).length;
  return before.length > 0 && 2 * changed >= before.length;
}

export class IndexLedger implements LastStep {
  readonly name = "search";
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #wake: () => void;
  readonly #pending = new Map<string, Pending>();
  readonly #removed = new Set<string>();
  /** A read of the index that is running since the first change, while that is the only one. */
  #pendingRead: Promise<IndexState> | undefined;

  constructor(tx: Tx, workspaceId: string, wake: () => void) {
    this.#tx = tx;
    this.workspaceId = workspaceId;
    this.#wake = wake;
  }

  bodyChanged(delta: BodyDelta): void {
    const isFirst = this.#pending.size === 0 && this.#removed.size === 0;
    const pending = this.#of(delta.document, delta.beforeVersion, delta.reason === "created");
    pending.version = delta.version;
    pending.after = delta.after;
    pending.isRewritten ||= isRewritten(delta);
    if (delta.beforeVersion === null) pending.texts.set("", titleText(delta.document.title));
    addBlocks(pending, changedBlocks(delta));
    this.#pendingRead =
      isFirst && !this.#tx.isJoiningCommit
        ? readIndexState(this.#tx, this.workspaceId, [...this.#pending.values()])
        : undefined;
    // A failure is reported by the transaction to the caller that awaits one of its statements.
    this.#pendingRead?.catch(() => undefined);
  }

  titleChanged(document: DocumentRow): void {
    const pending = this.#of(document, document.version);
    pending.title = document.title;
    pending.texts.set("", titleText(document.title));
    this.#pendingRead = undefined;
  }

  removed(documents: readonly DocumentRow[]): void {
    this.#pendingRead = undefined;
    for (const { id } of documents) {
      this.#pending.delete(id);
      this.#removed.add(id);
    }
  }

  /** Edits of later transactions are written as if they were one, with the final state of their documents. */
  join(later: LastStep): boolean {
    if (!(later instanceof IndexLedger) || this.#removed.size > 0 || later.#removed.size > 0) return false;
    // The share of each transaction that is left to the background must not depend on the others in its commit.
    if (this.#size + later.#size > joinedTexts) return false;
    this.#pendingRead = undefined;
    for (const [id, pending] of later.#pending) {
      const known = this.#pending.get(id);
      if (!known) this.#pending.set(id, pending);
      else {
        const { version, title, after } = pending;
        Object.assign(known, { version, title, after: after ?? known.after });
        known.isRewritten ||= pending.isRewritten;
        addBlocks(known, pending);
      }
    }
    return true;
  }

  /** The number of texts that are added or removed. */
  get #size(): number {
    return this.#pending.values().reduce((sum, { texts }) => sum + texts.size, 0);
  }

  #of({ id, title, version }: DocumentRow, from: string | null, isCreated = false): Pending {
    const known = this.#pending.get(id);
    if (known) return known;
    const pending: Pending = {
      documentId: id,
      from,
      isCreated,
      version,
      title,
      texts: new Map(),
      moved: new Map(),
      outline: undefined,
      isRewritten: false,
      after: undefined,
    };
    this.#pending.set(id, pending);
    return pending;
  }

  async write(): Promise<void> {
    if (this.#pending.size === 0 && this.#removed.size === 0) return;
    const writer = new ChangeWriter(this.#tx, this.workspaceId, [...this.#pending.values()], this.#removed);
    if (await writer.write(this.#pendingRead)) this.#tx.afterCommit(this.#wake);
  }
}
