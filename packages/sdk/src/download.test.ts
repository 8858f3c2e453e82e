import assert from "node:assert/strict";
import { test } from "node:test";
import { fileNameOf } from "./download.ts";

test("SDK9 a file's name is read from its exact form, else from the plain one", () => {
  assert.equal(fileNameOf(`attachment; filename="a.txt"; filename*=UTF-8''%C3%A9%20b.txt`), "é b.txt");
  assert.equal(fileNameOf('inline; filename="say \\"hi\\".txt"'), 'say "hi".txt');
  assert.equal(fileNameOf(`attachment; filename="a.txt"; filename*=UTF-8''%E9`), "a.txt");
  assert.equal(fileNameOf("attachment"), undefined);
});
