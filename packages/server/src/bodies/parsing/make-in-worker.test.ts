import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { defined } from "@svc/document/defined";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { anyBlocks } from "@svc/document/markdown/testing/markdown-bodies";
import fc from "fast-check";
import { until } from "../../../test/support/until.ts";
import type { NewBody } from "../new-body.ts";
import { makeBody } from "./make-body.ts";
import type { SentContent } from "./parse-blocks.ts";
import { isForThread, makeInWorker, parseInWorker } from "./parse-in-worker.ts";

const ROOT = join(import.meta.dirname, "../../../../..");

const rules = { documentType: "document", maxCharacters: 2_000_000 } as const;
const markdown = (content: string): SentContent => ({ format: "markdown", content });
const LONG_ENOUGH = "word ".repeat(500);
const LONG = markdown("# Part\n\nA line of words.\n\n".repeat(20_000));

/** With ids by their order, and without what follows from them. */
function essence({ characters, segments, source }: NewBody): string {
  const seen = new Map<string, number>();
  const orderOf = (id: string) => seen.get(id) ?? defined(seen.set(id, seen.size).get(id));
  const blocks = segments.flatMap(({ json }) => JSON.parse(json));
  const { version: _version, ...beside } = source ?? {};
  return JSON.stringify({ characters, blocks, beside }).replace(/block_\w+/g, (id) => `block_${orderOf(id)}`);
}

let thread: Worker;
process.on("worker", (started) => {
  thread = started;
});
const untilReady = () => until("the thread is ready", () => isForThread(markdown(LONG_ENOUGH), 0));
before(untilReady);

test("BODY29 a body that the thread makes is the one that is made here", async () => {
  const files = ["README.md", "docs/cli.md", "docs/operating.md", "packages/server/src/domain/content/RULES.md"];
  const texts = files.map((file) => readFileSync(join(ROOT, file), "utf8"));
  for (const blocks of fc.sample(anyBlocks, { seed: 29, numRuns: 200 })) texts.push(serialiseBody(blocks).text);
  for (const text of texts)
    assert.equal(essence(defined(await makeInWorker(markdown(text), rules))), essence(makeBody(markdown(text), rules)));
});

test("BODY29 what is refused there is refused as here", async () => {
  const short = { ...rules, maxCharacters: 10 };
  const refused = { name: "DocumentError", code: "document_too_large" };
  await assert.rejects(makeInWorker(markdown(LONG_ENOUGH), short), refused);
  assert.throws(() => makeBody(markdown(LONG_ENOUGH), short), refused);
});

test("BODY29 what fails there is made here, unless it is long", async () => {
  const hostile = { ...rules, uncloneable: () => undefined };
  assert.equal(await makeInWorker(markdown(LONG_ENOUGH), hostile), undefined);
  await assert.rejects(makeInWorker(LONG, hostile), { name: "DataCloneError" });
  assert.ok(await makeInWorker(markdown(LONG_ENOUGH), rules), "the thread goes on");
});

test("BODY29 nobody waits behind a long body, for what is short, or where every core is a worker's", async () => {
  const ordinary = markdown(LONG_ENOUGH);
  assert.ok(isForThread(ordinary, 0));
  assert.ok(!isForThread(markdown("A line."), 0));
  assert.ok(!isForThread(ordinary, 1_000));
  const long = makeInWorker(LONG, rules);
  assert.ok(!isForThread(ordinary, 0));
  assert.ok(isForThread(LONG, 1_000), "it holds up nobody here");
  await long;
  assert.ok(isForThread(ordinary, 0));
  const parsed = await parseInWorker({ ...rules, content: LONG, previous: "[]" });
  assert.equal(parsed.length, 40_000);
});

test("BODY29 a thread that nobody needs ends, and is started again for the second that comes", async (t) => {
  const [first, ended] = [thread, once(thread, "exit")];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await makeInWorker(markdown(LONG_ENOUGH), rules);
  t.mock.timers.tick(20_000);
  t.mock.timers.reset();
  await ended;
  assert.ok(!isForThread(markdown(LONG_ENOUGH), 0));
  assert.equal(thread, first, "one alone starts none");
  await untilReady();
  assert.notEqual(thread, first);
});

test("BODY29 of a thread that dies, what is long fails, and all else is made here", async () => {
  const long = assert.rejects(makeInWorker(LONG, rules), /worker exited/);
  const ordinary = makeInWorker(markdown(LONG_ENOUGH), rules);
  await thread.terminate();
  await long;
  assert.equal(await ordinary, undefined);
  assert.ok(!isForThread(markdown(LONG_ENOUGH), 0));
});
