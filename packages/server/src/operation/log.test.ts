import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf } from "./log.ts";

test("PROC5 lines for a shared output go out in pieces that a pipe keeps together, never cut within a line", () => {
  const lines = Array.from({ length: 300 }, (_, n) => `{"n":${n},"text":"${"ü".repeat((n * 37) % 200)}"}\n`);
  lines.splice(100, 0, `${"x".repeat(10_000)}\n`);
  const pieces = piecesOf(lines.join(""));
  assert.equal(pieces.join(""), lines.join(""));
  for (const piece of pieces) {
    assert.ok(piece.endsWith("\n"));
    assert.ok(Buffer.byteLength(piece) <= 4096 || piece.indexOf("\n") === piece.length - 1);
  }
  assert.ok(pieces.length < 30, "as few as fit");
});
