import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import { FoundBlock } from "../read/found-block.ts";
import { HitDocument } from "../read/hit-document.ts";
import { CachedBlocks, type KnownState } from "./cached-blocks.ts";

const createdAt = (event: number) => 1000 + event;
const stateAt = (event: number, counters: Partial<KnownState["counters"]> = {}): KnownState => ({
  counters: { stamp: event, epoch: 1, hasBacklog: false, ...counters },
  event: { id: event, createdAt: createdAt(event) },
});
const changeOf = (event: number, documentId: string) => ({ id: event, createdAt: createdAt(event), documentId });

function document(number: number, id: string): HitDocument {
  const place = { knowledge_base_id: 1, folder_id: null, document_type: "document" as const };
  const versions = { version: "v", outline: null, outline_version: null, indexed_version: "v", updated_at: 1 };
  return new HitDocument({ number, id, title: "T", ...place, ...versions });
}

const block = (number: number, of: HitDocument): FoundBlock =>
  new FoundBlock({ number, document: of.row.number, block_id: "b", text: null, section: null }, of, "text", "[]");

/** Known in state 5, and brought on to state 8. Each document has its own number, and a block ten times that. */
function known(): CachedBlocks {
  const blocks = new CachedBlocks(stateAt(5));
  for (const [i, id] of ["a", "b", "c"].entries()) addTo(blocks, document(i + 1, id));
  blocks.bringOn(stateAt(6), [changeOf(5, "x"), changeOf(6, "a")]);
  blocks.bringOn(stateAt(8), [changeOf(6, "a"), changeOf(7, "y"), changeOf(8, "b")]);
  return blocks;
}

function addTo(blocks: CachedBlocks, found: HitDocument): void {
  blocks.addDocument(found);
  for (let times = 0; times < 2; times++) blocks.add(block(10 * found.row.number, found));
}

describe("known blocks", () => {
  it("without those of changed documents", () => {
    const blocks = known();
    assert.deepEqual(
      [1, 2, 3].map((number) => blocks.document(number)?.row.id),
      [undefined, undefined, "c"],
    );
    assert.deepEqual(
      [10, 20, 30].map((number) => blocks.get(number)?.document.row.id),
      [undefined, undefined, "c"],
    );
  });

  it("only once they were found again", () => {
    const blocks = new CachedBlocks(stateAt(5));
    const found = document(1, "a");
    blocks.addDocument(found);
    blocks.add(block(10, found));
    assert.equal(blocks.get(10), undefined);
    blocks.add(block(10, found));
    assert.ok(blocks.get(10));
  });

  it("stay with their documents as long as they are asked for, within the bytes that they may take", () => {
    const blocks = known();
    const empty = new CachedBlocks(stateAt(5)).bytes;
    for (let number = 100; number < 1100; number++) {
      addTo(blocks, document(number, `d${number}`));
      blocks.makeRoom(empty + 100_000);
      assert.ok(blocks.bytes < empty + 100_000);
      assert.equal(blocks.get(30)?.document, blocks.document(3));
      assert.ok(blocks.get(30));
    }
    assert.equal(blocks.document(100), undefined);
    assert.equal(blocks.get(1000), undefined);
    blocks.bringOn(stateAt(9), [changeOf(8, "b"), changeOf(9, "c")]);
    assert.equal(blocks.get(30), undefined);
  });

  it("tell what has changed since each state on their way", () => {
    const changed = [5, 6, 7, 8].map((event) => [...defined(known().changedSince(stateAt(event)))]);
    assert.deepEqual(changed, [["a", "y", "b"], ["y", "b"], ["b"], []]);
  });

  it("tell nothing of other states: from before their way, later, of another past, with documents that wait", () => {
    const otherPast = { ...stateAt(6), event: { id: 6, createdAt: 1 } };
    const others = [stateAt(4), stateAt(9), otherPast, stateAt(6, { epoch: 2 }), stateAt(6, { hasBacklog: true })];
    for (const state of others) assert.equal(known().changedSince(state), undefined);
  });

  it("keep the last hundred changes", () => {
    const blocks = new CachedBlocks(stateAt(0));
    for (let event = 1; event <= 300; event++)
      blocks.bringOn(stateAt(event), [changeOf(event - 1, "a"), changeOf(event, "a")]);
    assert.equal(blocks.changedSince(stateAt(200)), undefined);
    assert.deepEqual(blocks.changedSince(stateAt(201)), new Set(["a"]));
  });
});
