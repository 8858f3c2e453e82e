import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_CHARACTERS, toOperations } from "./block-operations.ts";

const text = (value: string) => ({ type: "paragraph", content: [{ type: "text", text: value }] });
const end = { document_end: true } as const;

test("MCP22 Markdown becomes blocks", () => {
  assert.deepEqual(toOperations([{ op: "insert", position: end, markdown: "One\n\nTwo" }]), [
    { op: "insert", position: end, nodes: [text("One"), text("Two")] },
  ]);
});

test("MCP22 what follows the first block of a replacement is inserted after it", () => {
  assert.deepEqual(toOperations([{ op: "replace", block_id: "b", markdown: "One\n\nTwo\n\nThree" }]), [
    { op: "replace", block_id: "b", node: text("One") },
    { op: "insert", position: { after_block_id: "b" }, nodes: [text("Two"), text("Three")] },
  ]);
});

test("MCP22 anchors that came along are left out, and stay text in code", () => {
  const markdown = "<!--@block=block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM-->\nOne\n\n```\n<!--@block=x-->\n```";
  const nodes = [
    { type: "paragraph", content: [{ type: "text", text: "One" }] },
    { type: "codeBlock", content: [{ type: "text", text: "<!--@block=x-->" }] },
  ];
  assert.deepEqual(toOperations([{ op: "insert", position: end, markdown }]), [{ op: "insert", position: end, nodes }]);
});

test("MCP22 other operations go on as they are", () => {
  const move = { op: "move", block_id: "b", position: end } as const;
  assert.deepEqual(toOperations([move]), [move]);
});

test("MCP22 Markdown without a block, too much of it, and too many blocks are refused", () => {
  assert.throws(() => toOperations([{ op: "replace", block_id: "b", markdown: " \n" }]), /operations\.0: .*no block/);
  const half = { op: "insert", position: end, markdown: "x".repeat(MAX_CHARACTERS / 2 + 1) } as const;
  assert.throws(() => toOperations([half, half]), /200000 are allowed/);
  const two = { op: "replace", block_id: "b", markdown: "One\n\nTwo" } as const;
  assert.throws(() => toOperations(Array.from({ length: 51 }, () => two)), /102 .*100 are allowed/);
});
