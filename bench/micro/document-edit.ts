/** How the cost of one edit and of a batch grows with the number of blocks, all in one run. */

import { applyBatch, parseOperations } from "@svc/document/blocks/batch";
import { patchAttrs, replaceBlock } from "@svc/document/blocks/edit";
import { locate } from "@svc/document/blocks/find";
import { defined } from "@svc/document/defined";
import { idOf } from "@svc/document/schema/node";
import { countingIds, p } from "@svc/document/testing/builders";
import type { Body } from "@svc/document/types";
import { median, ratio, sampleBody } from "./document-sample.ts";

const sizes = [100, 1_000, 10_000];
const bodies = sizes.map(sampleBody);

/** Median microseconds of one call, from runs of a hundred. */
const each = (work: () => unknown): number =>
  median(() => {
    for (let i = 0; i < 100; i++) work();
  }) * 10;

function edits(body: Body): { find: number; edit: number; batch: number } {
  const id = idOf(defined(body.content[body.content.length >> 1]));
  const path = defined(locate(body, id));
  const context = { newId: countingIds(1e9), locate: () => path, isTaken: () => false };
  let turn = 0;
  const operations = Array.from({ length: 100 }, (_, i) => {
    const block_id = idOf(defined(body.content[(i * 97) % body.content.length]));
    return i % 2
      ? { op: "replace", block_id, node: p(`new ${i}`) }
      : { op: "insert", position: { after_block_id: block_id }, nodes: [p(`${i}`)] };
  });
  return {
    find: each(() => locate(body, id)),
    edit: each(() => replaceBlock(body, id, p(`text ${turn++}`), context)),
    batch: median(() => applyBatch(body, parseOperations(operations), countingIds(1e9), { maxCharacters: 1e9 })),
  };
}

edits(defined(bodies[1]));
const results = bodies.map(edits);
results.forEach(({ find, edit, batch }, i) => {
  console.log(
    `${sizes[i]} blocks: find ${find.toFixed(1)} µs, replace a found block ${edit.toFixed(1)} µs, batch of 100 ${batch.toFixed(1)} ms`,
  );
});
const first = defined(results[0]);
const last = defined(results.at(-1));
console.log(
  `100 times the blocks: find ${ratio(last.find, first.find)}, replace ${ratio(last.edit, first.edit)}, batch ${ratio(last.batch, first.batch)}`,
);

const large = defined(bodies.at(-1));
const one = median(() => structuredClone(large), 5);
console.log(`a batch of 100 on 10,000 blocks costs ${ratio(last.batch, one)} one copy of the body`);
const heading = idOf(defined(large.content[0]));
const set = each(() => patchAttrs(large, heading, { level: 1, x: Math.random() }, { newId: countingIds(1e9) }));
console.log(`attributes of the first of 10,000 blocks: ${set.toFixed(1)} µs`);
