import assert from "node:assert/strict";
import { test } from "node:test";
import { distance } from "@svc/document/distance";
import { nearestWord } from "./nearest-word.ts";

test("WEB45 letters that are missing, too many, wrong or swapped count once", () => {
  assert.deepEqual(
    ["security", "securty", "securitty", "sekurity", "secruity"].map((word) => distance("security", word)),
    [0, 1, 1, 1, 1],
  );
  assert.equal(distance("abc", ""), 3);
});

test("WEB45 the nearest word is taken, and none that is too far", () => {
  assert.equal(nearestWord("secuirty", ["Security notes", "secure"]), "Security");
  assert.equal(nearestWord("secuirty", ["sea", "server"]), undefined);
  assert.equal(nearestWord("rösti", ["Rosti", "rosta"]), "rosta");
});
