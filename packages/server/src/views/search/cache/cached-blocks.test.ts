import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defined } from "@svc/document/defined";
import { FoundBlock } from "../read/found-block.ts";
import { ShownBlock } from "../read/shown-block.ts";
import { CachedBlocks, type KnownState } from "./cached-blocks.ts";

const createdAt = (event: number) => 1000 + event;
const stateAt = (event: number, counters: Partial<KnownState["counters"]> = {}): KnownState => ({
  counters: { stamp: event, epoch: 1, hasBacklog: false, ...counters },
  event: { id: event, createdAt: createdAt(event) },
});
const changeOf = (event: number, documentId: string) => ({ id: event, createdAt: createdAt(event), documentId });

function block(number: number, id: string): FoundBlock {
  const place = { knowledge_base_id: 1, folder_id: null, document_type: "document" as const };
  const versions = {
    version: "v",
    document: 1,
    text: null,
    section: null,
    outline_version: null,
    indexed_version: "v",
    updated_at: 1,
  };
  const row = { number, block_id: "b", id, title: "T", ...place, ...versions };
  return new FoundBlock(row, new ShownBlock("text", []));
}

/** Known in state 5, and brought on to state 8. */
function known(): CachedBlocks {
  const blocks = new CachedBlocks(stateAt(5));
  for (const [i, id] of ["a", "b", "c"].entries()) blocks.add(block(i, id));
  blocks.bringOn(stateAt(6), [changeOf(5, "x"), changeOf(6, "a")]);
  blocks.bringOn(stateAt(8), [changeOf(6, "a"), changeOf(7, "y"), changeOf(8, "b")]);
  return blocks;
}

describe("known blocks", () => {
  it("without those of changed documents", () => {
    const blocks = known();
    assert.deepEqual(
      [0, 1, 2].map((number) => blocks.get(number)?.row.id),
      [undefined, undefined, "c"],
    );
    assert.equal(blocks.bytes, block(2, "c").bytes);
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
