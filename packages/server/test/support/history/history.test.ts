import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { chance, pick, type Random, seeded } from "../random.ts";
import { type Answer, applyEdits, type Block, DocumentModel, type Edit, type Operation } from "./document-model.ts";
import { eventProblems, keyProblems } from "./exactly-once.ts";
import { findOrder } from "./find-order.ts";

const block = (text: string): Block => ({ id: "?", text });
const blocks = (texts: string): Block[] => [...texts].map(block);
const initial = { blocks: blocks("a"), version: "v0" };

type Times = readonly [invoked: number, completed?: number];
const at = ([invoked, completed]: Times) => ({ client: "c", invoked, completed });

const read = (times: Times, version: string, texts: string): Operation => ({
  ...at(times),
  request: { kind: "read" },
  answer: { kind: "content", version, blocks: blocks(texts) },
});
const write = (times: Times, edits: Edit[], expected: string | undefined, answer?: Answer): Operation => ({
  ...at(times),
  request: { kind: "write", expected, edits },
  answer,
});
const written = (version: string): Answer => ({ kind: "written", version });
const conflict = (current: string): Answer => ({ kind: "conflict", current });
const append = (text: string): Edit[] => [{ append: block(text) }];
const put = (texts: string): Edit[] => [{ put: blocks(texts) }];

const isExplained = (...history: Operation[]): boolean =>
  findOrder(history, new DocumentModel(initial, history)).explained;

describe("the checker of histories accepts what one order explains", () => {
  const cases: Record<string, Operation[]> = {
    "nothing at all": [],
    "one after the other": [
      write([1, 2], append("b"), "v0", written("v1")),
      read([3, 4], "v1", "ab"),
      write([5, 6], put("x"), "v1", written("v2")),
      read([7, 8], "v2", "x"),
    ],
    "a read beside a write, seeing the state before or after": [
      write([1, 9], append("b"), "v0", written("v1")),
      read([2, 3], "v0", "a"),
      read([4, 5], "v1", "ab"),
    ],
    "of two writes from one version one conflicts": [
      write([1, 4], append("b"), "v0", written("v1")),
      write([2, 5], append("c"), "v0", conflict("v1")),
    ],
    "a write without an answer that never happened": [
      write([1], append("b"), "v0"),
      read([5, 6], "v0", "a"),
      write([7, 8], append("c"), "v0", written("v1")),
    ],
    "a write without an answer that happened late": [
      write([1], append("b"), undefined),
      read([2, 3], "v0", "a"),
      read([4, 5], "v1", "ab"),
    ],
    "two writes without an answer, seen in an order of their own": [
      write([1], append("b"), undefined),
      write([2], append("c"), undefined),
      read([9, 10], "v2", "acb"),
    ],
    "a version that nobody was told serves as a precondition once it was read": [
      write([1], append("b"), "v0"),
      read([2, 3], "v1", "ab"),
      write([4, 5], append("c"), "v1", written("v2")),
    ],
    "the block is gone": [
      write([1, 2], [{ put: [{ id: "x", text: "x" }] }], "v0", written("v1")),
      write([3, 4], [{ remove: "x" }, { append: block("b") }], "v1", written("v2")),
      write([5, 6], [{ replace: { id: "x", text: "y" } }], undefined, { kind: "no such block" }),
      { ...at([7, 8]), request: { kind: "read", known: "v2" }, answer: { kind: "not modified" } },
    ],
  };
  for (const [title, history] of Object.entries(cases)) test(title, () => assert.ok(isExplained(...history)));
});

describe("the checker of histories rejects what no order explains", () => {
  const cases: Record<string, Operation[]> = {
    "a lost update: two writes from one version both acknowledged": [
      write([1, 4], append("b"), "v0", written("v1")),
      write([2, 5], append("c"), "v0", written("v2")),
    ],
    "a lost update: the later content lacks an acknowledged write": [
      write([1, 2], append("b"), undefined, written("v1")),
      write([3, 4], append("c"), undefined, written("v2")),
      read([5, 6], "v2", "ac"),
    ],
    "a stale read": [write([1, 2], append("b"), "v0", written("v1")), read([3, 4], "v0", "a")],
    "reads that go back": [
      write([1, 9], append("b"), "v0", written("v1")),
      read([2, 3], "v1", "ab"),
      read([4, 5], "v0", "a"),
    ],
    "a write applied twice": [write([1, 2], append("b"), undefined, written("v1")), read([3, 4], "v2", "abb")],
    "a write without an answer applied twice": [write([1], append("b"), undefined), read([3, 4], "v2", "abb")],
    "a phantom acknowledgement": [
      write([1, 2], put("b"), "v0", written("v1")),
      read([3, 4], "v0", "a"),
      read([5, 6], "v0", "a"),
    ],
    "content that nobody wrote": [read([1, 2], "v1", "z")],
    "an effect before it was asked for": [read([1, 2], "v1", "ab"), write([3, 4], append("b"), "v0", written("v1"))],
    "a refused write that happened all the same": [
      write([1, 2], append("b"), "v0", conflict("v9")),
      read([3, 4], "v1", "ab"),
    ],
    "a conflict where there is none": [write([1, 2], append("b"), "v0", conflict("v0"))],
    "half of a batch": [
      write([1, 2], [{ append: block("b") }, { append: block("c") }], "v0", written("v1")),
      read([3, 4], "v1", "ab"),
    ],
    "not modified, although it was": [
      write([1, 2], append("b"), "v0", written("v1")),
      { ...at([3, 4]), request: { kind: "read", known: "v0" }, answer: { kind: "not modified" } },
    ],
    "one version with two contents": [
      write([1, 2], append("b"), "v0", written("v1")),
      write([3, 4], append("c"), "v1", written("v1")),
      read([5, 6], "v1", "abc"),
    ],
  };
  for (const [title, history] of Object.entries(cases)) test(title, () => assert.ok(!isExplained(...history)));

  test("the checker reports how far an order went", () => {
    const history = [write([1, 2], append("b"), "v0", written("v1")), read([3, 4], "v0", "a")];
    const verdict = findOrder(history, new DocumentModel(initial, history));
    assert.ok(!verdict.explained);
    assert.deepEqual(verdict.order, [history[0]]);
    assert.deepEqual(verdict.stuck, [history[1]]);
    assert.equal(verdict.state.version, "v1");
  });
});

/** Simulates a correct register with concurrent clients: each operation takes effect at some time while it runs. */
function simulate(random: Random, count: number): Operation[] {
  let state: { blocks: readonly Block[]; version: string } = { blocks: initial.blocks, version: "v0" };
  const history: Operation[] = [];
  const versions = ["v0"];
  for (let effect = 1; effect <= count; effect++) {
    const invoked = effect - random(40) / 10;
    const completed = effect + random(40) / 10;
    if (chance(random, 40)) {
      history.push(read([invoked, completed], state.version, state.blocks.map(({ text }) => text).join("")));
      continue;
    }
    const expected = chance(random, 30) ? undefined : pick(random, versions.slice(-3));
    const edits = chance(random, 20)
      ? put(String.fromCharCode(200 + effect))
      : append(String.fromCharCode(200 + effect));
    const isRight = expected === undefined || expected === state.version;
    const isLost = chance(random, 15);
    const before = state.version;
    if (isRight && !(isLost && chance(random, 50))) {
      state = { blocks: defined(applyEdits(state.blocks, edits)), version: `v${effect}` };
      versions.push(state.version);
    }
    const answer = isRight ? written(`v${effect}`) : conflict(before);
    history.push(isLost ? write([invoked], edits, expected) : write([invoked, completed], edits, expected, answer));
  }
  return history;
}

describe("the checker of histories on many", () => {
  test("the checker accepts everything that a correct register returns", () => {
    for (let seed = 0; seed < 150; seed++) assert.ok(isExplained(...simulate(seeded(seed), 60)), `seed ${seed}`);
  });

  test("the checker rejects an older state shown to a later reader", () => {
    for (let seed = 0; seed < 150; seed++) {
      const history = simulate(seeded(seed), 40);
      const reads = history.filter(({ answer }) => answer?.kind === "content");
      const old = reads[0];
      const last = reads.at(-1);
      if (old?.answer?.kind !== "content" || last?.answer?.kind !== "content") continue;
      if (old.answer.version === last.answer.version) continue;
      const late = { ...old, invoked: 1000, completed: 1001 };
      assert.ok(!isExplained(...history, { ...last, invoked: 900, completed: 901 }, late), `seed ${seed}`);
    }
  });
});

describe("the check of keys and events", () => {
  const answer = { key: "k", status: 201, body: "one", replayed: false };
  test("all responses to a key are the same, and at most one is not a replay", () => {
    assert.deepEqual(keyProblems([answer, { ...answer, replayed: true }, { ...answer, key: "l", body: "two" }]), []);
    assert.equal(keyProblems([answer, { ...answer, replayed: true, body: "two" }]).length, 1);
    assert.equal(keyProblems([answer, { ...answer, replayed: true, status: 409 }]).length, 1);
    assert.equal(keyProblems([answer, answer]).length, 1);
  });

  test("every acknowledged write has one event, in an order that fits the times of the writes", () => {
    const effect = (version: string | undefined, invoked: number, completed?: number) => ({
      version,
      invoked,
      completed,
    });
    const effects = [effect("v1", 1, 2), effect("v2", 3, 4), effect(undefined, 1)];
    assert.deepEqual(eventProblems(effects, ["v1", "v2"]), []);
    assert.deepEqual(eventProblems(effects, ["v1", "lost", "v2"]), []);
    assert.equal(eventProblems(effects, ["v1"]).length, 1, "a phantom acknowledgement");
    assert.ok(eventProblems(effects, ["v1", "v1", "v2"]).length > 0, "applied twice");
    assert.equal(eventProblems(effects, ["v1", "x", "y", "v2"]).length, 1, "more than was asked for");
    assert.equal(eventProblems(effects, ["v2", "v1"]).length, 1, "against time");
  });
});
