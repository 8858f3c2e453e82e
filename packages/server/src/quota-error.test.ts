import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesInWords, quotaExceeded } from "./quota-error.ts";

test("KB8 a refusal says what there is no room for, and how much there may be", () => {
  const { message, details, status } = quotaExceeded("documents", 100_000, 100_000);
  assert.equal(message, "There is no room for more documents: a workspace may have 100,000.");
  assert.partialDeepStrictEqual(details, { quota: "documents", limit: 100_000, used: 100_000 });
  assert.equal(status, 422);
  const files = quotaExceeded("attachment_bytes", 10_737_418_240, 5);
  assert.equal(files.message, "There is no room for more files: a workspace may have 10.7 GB.");
});

test("ATT11 bytes in words are never more than they are", () => {
  const given = [0, 1, 999, 1000, 52_428_800, 10_737_418_240, 1e15];
  assert.deepEqual(given.map(bytesInWords), [
    "0 bytes",
    "1 bytes",
    "999 bytes",
    "1 kB",
    "52.4 MB",
    "10.7 GB",
    "1000 TB",
  ]);
});
