import assert from "node:assert/strict";
import { test } from "node:test";
import { CommitState, LockOrder, LockOrderError } from "./lock-order.ts";

const orderOf = ({ isShared = false, commit = new CommitState() } = {}) => new LockOrder(commit, isShared);

test("locks are taken in the order of their kinds and ids, and what is held may be taken again", () => {
  const order = orderOf();
  order.take("knowledge_base", [1, 5], "keep");
  order.take("folder", [7], "change");
  order.take("document", ["doc_b"], "change");
  order.take("knowledge_base", [1], "keep");
  assert.throws(() => order.take("folder", [9], "keep"), LockOrderError);
  assert.throws(() => order.take("document", ["doc_a"], "change"), LockOrderError);
  order.take("document", ["doc_c"], "change");
});

test("a row that is kept is never locked for deletion afterwards: two who keep it would wait for each other", () => {
  const order = orderOf();
  order.take("document", ["doc_a"], "keep");
  assert.throws(() => order.take("document", ["doc_a"], "delete"), LockOrderError);
});

test("under the lock of the structure folders are kept in any order", () => {
  const order = orderOf();
  order.take("workspace", ["ws"], "change");
  order.take("folder", [9], "keep");
  order.take("document", ["doc_a"], "change");
  order.take("folder", [3], "keep");
});

test("in a shared commit only the own document is waited for, and nothing is locked that others need for long", () => {
  const commit = new CommitState();
  const order = orderOf({ isShared: true, commit });
  assert.equal(order.take("body", ["doc_b"], "change").mayWait, true);
  assert.equal(order.take("document", ["doc_b"], "change").mayWait, true);
  assert.equal(order.take("document", ["doc_a"], "change").mayWait, false);
  assert.equal(order.take("folder", [3], "keep").mayWait, false);
  assert.throws(() => order.take("workspace", ["ws"], "change"), LockOrderError);
  assert.throws(() => order.take("document", ["doc_c"], "delete"), LockOrderError);
  commit.hasCounters = true;
  const later = orderOf({ isShared: true, commit });
  assert.equal(later.take("body", ["doc_d"], "change").mayWait, false);
});
