import assert from "node:assert/strict";
import { test } from "node:test";
import { p } from "@svc/document/testing/builders";
import * as Y from "yjs";
import { LiveState } from "./live-state.ts";
import { keyBetween } from "./order-key.ts";
import { makeRandom } from "./testing/random.ts";

const block = (id: string) => ({ ...p(id), attrs: { id } });

test("LIVE3 the order follows each insert, move and removal as if it were made anew", () => {
  const { below, pick: choose } = makeRandom(7);
  const live = LiveState.fromBlocks(
    Array.from({ length: 200 }, (_, at) => block(`block_${at}`)),
    1,
  );
  const pick = () => choose(live.order);
  const keyNear = () => {
    const at = live.order.indexOf(pick());
    const [left, right] = [live.order[at], live.order[at + 1]].map((id) => id && live.key(id));
    return keyBetween(left, right, "left");
  };
  for (let round = 0; round < 300; round++) {
    live.doc.transact(() => {
      for (let i = 0; i <= round % 3; i++) {
        const dice = below(10);
        if (dice < 4) live.insert(block(`block_new_${round}_${i}`), keyNear());
        else if (dice < 8) live.move(pick(), keyNear());
        else live.remove(pick());
      }
    });
    if (round % 10 > 0) continue;
    const fresh = LiveState.fromUpdates([Y.encodeStateAsUpdate(live.doc)]);
    assert.deepEqual(live.order, fresh.order);
  }
});

test("LIVE3 a change of a block's text leaves the order as it is, the very same", () => {
  const live = LiveState.fromBlocks([block("block_1"), block("block_2")], 1);
  const before = live.order;
  live.patch({ ...p("other"), attrs: { id: "block_1" } });
  assert.equal(live.order, before);
});
