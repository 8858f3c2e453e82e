import type { BodyDelta } from "../../../bodies/view.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { LastStep } from "../../../db/transaction/last-steps.ts";
import { ChangeWriter } from "./change-writer.ts";
import { changedBlocks } from "./changed-blocks.ts";
import { INLINE_BLOCKS, type Look, lookAtIndex } from "./index-look.ts";
import { addBlocks, type Pending, titleText } from "./pending-document.ts";

/** It locks the index's counters, always before those of the events. */
export const LAST_STEP_RANK = -1;

/** Texts of several transactions that are written as one: each stands for a block that goes and one that comes. */
const joinedTexts = INLINE_BLOCKS / 4;

/** The changes of a transaction to a workspace's index: gathered, and written as its last step but events. */
export const indexLedgerOf = (tx: Tx, workspaceId: string, wake: () => void): IndexLedger =>
  tx.lastStep(LAST_STEP_RANK, workspaceId, () => new IndexLedger(tx, workspaceId, wake));

/** At least half of the blocks that were there have gone or changed. */
function isRewritten({ before, changes }: BodyDelta): boolean {
  const changed = changes.filter(({ old_position }) => old_position !== null).length;
  return before.length > 0 && 2 * changed >= before.length;
}

export class IndexLedger implements LastStep {
  readonly rank = LAST_STEP_RANK;
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #wake: () => void;
  readonly #pending = new Map<string, Pending>();
  readonly #removed = new Set<string>();
  /** A look that is under way since the first change, if that is still the only one. */
  #begun: Promise<Look> | undefined;

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
    this.#begun =
      isFirst && !this.#tx.follows ? lookAtIndex(this.#tx, this.workspaceId, [...this.#pending.values()]) : undefined;
    // A failure is the transaction's: whoever waits for a statement of it hears of it.
    this.#begun?.catch(() => undefined);
  }

  titleChanged(document: DocumentRow): void {
    const pending = this.#of(document, document.version);
    pending.title = document.title;
    pending.texts.set("", titleText(document.title));
    this.#begun = undefined;
  }

  removed(documents: readonly DocumentRow[]): void {
    this.#begun = undefined;
    for (const { id } of documents) {
      this.#pending.delete(id);
      this.#removed.add(id);
    }
  }

  /** Edits of later transactions are written as if they were one: their documents as they have become in the end. */
  join(later: LastStep): boolean {
    if (!(later instanceof IndexLedger) || this.#removed.size > 0 || later.#removed.size > 0) return false;
    // What is left to the background depends on what each transaction brings, not on who comes with it.
    if (this.#size + later.#size > joinedTexts) return false;
    this.#begun = undefined;
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

  /** Texts that come or go. */
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
    if (await writer.write(this.#begun)) this.#tx.afterCommit(this.#wake);
  }
}
