import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { LogOutput, piecesOf } from "./log.ts";

test("lines for a shared pipe are written in pieces that stay whole", () => {
  const lines = Array.from({ length: 300 }, (_, n) => `{"n":${n},"text":"${"ü".repeat((n * 37) % 200)}"}\n`);
  lines.splice(100, 0, `${"x".repeat(10_000)}\n`);
  const pieces = piecesOf(Buffer.from(lines.join(""))).map(String);
  assert.equal(pieces.join(""), lines.join(""));
  for (const piece of pieces) {
    assert.ok(piece.endsWith("\n"));
    assert.ok(Buffer.byteLength(piece) <= 4096 || piece.indexOf("\n") === piece.length - 1);
  }
  assert.ok(pieces.length < 30, "as few as fit");
});

test("lines of any length come out whole and in their order", () => {
  const written: string[] = [];
  const stdout = mock.method(process.stdout, "write", (bytes: unknown) => written.push(String(bytes)) > 0);
  const lines = [10, 60_000, 20_000, 30_000, 70_000, 300_000, 1].map((length, n) => `${n}${"€ü".repeat(length / 2)}\n`);
  try {
    const output = new LogOutput();
    for (const line of lines) output.write(line);
    output.flush();
  } finally {
    stdout.mock.restore();
  }
  assert.ok(written.join("") === lines.join(""));
});
