import { Memory } from "../../bodies/memory.ts";
import type { Db } from "../../db/database.ts";
import { documentUri } from "../../resources/documents/represent.ts";
import { changedDocuments } from "./changed-documents.ts";
import { findHitRows, type HitRow } from "./hit-rows.ts";
import type { LastEvent } from "./opening.ts";
import { PlacedBlocks, type ShownBlock } from "./placed-blocks.ts";
import type { Counters } from "./store-port.ts";

/** A block that was found: its row, its text, and what of its JSON follows from the row. */
export class FoundBlock {
  readonly row: HitRow;
  readonly shown: ShownBlock;
  /** Up to the value of `path_text`, and from after `context` up to the value of `score`. */
  readonly head: string;
  readonly tail: string;

  constructor(row: HitRow, shown: ShownBlock) {
    this.row = row;
    this.shown = shown;
    const { id, title, knowledge_base_id, folder_id, document_type, version, indexed_version, updated_at } = row;
    const block_id = row.block_id === "" ? null : row.block_id;
    const place = { document_id: id, title, knowledge_base_id, folder_id, document_type, block_id };
    const head = JSON.stringify({ ...place, document_uri: documentUri(id) });
    const tail = JSON.stringify({ source_version: version, indexed_version, freshness: "current", updated_at });
    this.head = `${head.slice(0, -1)},"path_text":`;
    this.tail = `,${tail.slice(1, -1)},"score":`;
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    return 500 + 2 * (this.head.length + this.tail.length) + this.shown.bytes;
  }
}

/** Blocks of one state of a workspace, by number. */
class KnownBlocks {
  state: KnownState;
  bytes = 0;
  readonly #blocks = new Map<number, FoundBlock>();
  readonly #numbers = new Map<string, number[]>();

  constructor(state: KnownState) {
    this.state = state;
  }

  get(number: number): FoundBlock | undefined {
    return this.#blocks.get(number);
  }

  add(block: FoundBlock): void {
    const { number, id } = block.row;
    if (this.#blocks.has(number)) return;
    this.#blocks.set(number, block);
    this.bytes += block.bytes;
    const others = this.#numbers.get(id);
    if (others) others.push(number);
    else this.#numbers.set(id, [number]);
  }

  forget(documentId: string): void {
    for (const number of this.#numbers.get(documentId) ?? []) {
      this.bytes -= this.#blocks.get(number)!.bytes;
      this.#blocks.delete(number);
    }
    this.#numbers.delete(documentId);
  }
}

type KnownState = { readonly counters: Pick<Counters, "stamp" | "epoch" | "hasBacklog">; readonly event: LastEvent };

const isSameEvent = (a: LastEvent, b: LastEvent): boolean => a.id === b.id && a.createdAt === b.createdAt;

/** Which number is which block follows from the events, unless documents wait to be indexed. */
const followsFromEvents = ({ counters: a }: KnownState, { counters: b }: KnownState): boolean =>
  a.epoch === b.epoch && !a.hasBacklog && !b.hasBacklog;

const isSame = (a: KnownState, b: KnownState): boolean =>
  isSameEvent(a.event, b.event) && (a.counters.stamp === b.counters.stamp || followsFromEvents(a, b));

/** After more changes than these all blocks are read anew. */
const mostChanges = 1000;

/**
 * Blocks that were found lately, in the last state of their workspace that was seen. When documents have changed since,
 * which ones its events tell, those alone are forgotten. The events belong to the reader's snapshot, and so what it gets
 * is what queries there would give.
 */
export class FoundBlocks {
  private readonly known = new Memory<KnownBlocks>(16 * 1024 * 1024);
  private readonly placed = new PlacedBlocks();

  /** By number; without those that are not to be found in their document's current version. */
  async read(
    db: Db,
    workspaceId: string,
    state: KnownState,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, FoundBlock>> {
    const brought = await this.knownIn(db, workspaceId, state);
    // Another search may have brought it on to a later state, here and below.
    const known = isSame(brought.state, state) ? brought : new KnownBlocks(state);
    const found = new Map<number, FoundBlock>();
    const missing: number[] = [];
    for (const number of numbers) {
      const block = known.get(number);
      if (block) found.set(number, block);
      else missing.push(number);
    }
    if (missing.length === 0) return found;
    const rows = await findHitRows(db, workspaceId, missing);
    const placed = await this.placed.read(db, workspaceId, rows);
    for (const row of rows) {
      const shown = placed.get(row.number);
      if (shown) found.set(row.number, new FoundBlock(row, shown));
    }
    if (!isSame(known.state, state)) return found;
    for (const block of found.values()) known.add(block);
    this.known.set(workspaceId, known, known.bytes);
    return found;
  }

  /** What is known in this state: what was known before, without the documents that have changed since. */
  private async knownIn(db: Db, workspaceId: string, state: KnownState): Promise<KnownBlocks> {
    const known = this.known.get(workspaceId);
    if (!known) return new KnownBlocks(state);
    const before = known.state;
    if (isSame(before, state)) return known;
    const changed =
      followsFromEvents(before, state) &&
      (await changedDocuments(db, workspaceId, before.event, state.event, mostChanges));
    if (isSame(known.state, state)) return known;
    if (!changed || known.state !== before) return new KnownBlocks(state);
    for (const id of changed) known.forget(id);
    known.state = state;
    return known;
  }
}
