import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { defaultRetry, parseRetryAfter, waitBefore } from "./retry.ts";

const policy = { attempts: 4, baseMs: 100, maxMs: 300, maxRetryAfterMs: 5_000 };

test("SDK2 waits grow up to a bound and are spread", () => {
  const waits = (random: () => number) => [1, 2, 3, 4].map((attempt) => waitBefore(attempt, policy, undefined, random));
  assert.deepEqual(
    waits(() => 1),
    [100, 200, 300, undefined],
  );
  assert.deepEqual(
    waits(() => 0),
    [50, 100, 150, undefined],
  );
});

test("SDK2 Retry-After is waited for, unless it is too long", () => {
  assert.equal(waitBefore(1, policy, 2_000), 2_000);
  assert.ok(defined(waitBefore(1, policy, 0)) >= 50);
  assert.equal(waitBefore(1, policy, 5_001), undefined);
});

test("SDK2 Retry-After is read as seconds or as a date", () => {
  assert.equal(parseRetryAfter("2"), 2_000);
  assert.equal(parseRetryAfter("0.5"), 500);
  assert.equal(parseRetryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 4_000), 6_000);
  assert.equal(parseRetryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 20_000), 0);
  for (const nothing of [null, "", "soon"]) assert.equal(parseRetryAfter(nothing), undefined);
});

test("SDK2 attempts without end keep a bounded wait", () => {
  const wait = waitBefore(5_000, { ...defaultRetry, attempts: Number.POSITIVE_INFINITY }, undefined);
  assert.ok(defined(wait) <= defaultRetry.maxMs);
});
