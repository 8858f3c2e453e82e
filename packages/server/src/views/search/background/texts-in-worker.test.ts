import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { h, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { StoredBody } from "../../../bodies/body.ts";
import { cut } from "../../../bodies/segment.ts";
import { newBlockId } from "../../../ids.ts";
import { textsHere } from "./body-texts.ts";
import { textsInWorker } from "./texts-in-worker.ts";

/** Nearly as many nodes as a body may have. */
const PARAGRAPHS = 240_000;
const state = { version: "v", revision: 1, live_revisions: 0, document_type: "document" as const };
const withId = (node: Node): Node => ({ ...node, attrs: { ...node.attrs, id: newBlockId() } });
const bodyOf = (count: number): StoredBody => {
  const blocks = [withId(h(1, "Plan")), ...Array.from({ length: count }, (_, i) => withId(p(`Text ${i}.`)))];
  // As it comes from the store, with nothing parsed yet.
  const segments = cut(blocks);
  for (const segment of segments) segment.release();
  return new StoredBody(state, segments);
};

/** The most milliseconds that this thread computed without a turn of the event loop. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isEnded = false;
  let longest = 0;
  const over = work.finally(() => {
    isEnded = true;
  });
  while (!isEnded) {
    const before = process.threadCpuUsage();
    await sleep(1);
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await over;
  return longest;
}

test("IMP8 the longest body is read for the index in another thread: this one goes on with others", async () => {
  const body = bodyOf(PARAGRAPHS);
  let count = 0;
  const read = async () => {
    count = (await textsInWorker("Title", body)).added.length;
  };
  const longest = await longestTurn(sleep(5).then(read));
  assert.equal(count, PARAGRAPHS + 2);
  assert.ok(longest < 200, `one turn took ${Math.round(longest)} ms`);
});

test("IMP8 a body says the same in either thread", async () => {
  for (const count of [3, 12_000]) {
    const body = bodyOf(count);
    assert.deepEqual(await textsInWorker("Title", body), textsHere("Title", body));
  }
});
