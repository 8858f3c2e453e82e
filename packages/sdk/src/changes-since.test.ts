import assert from "node:assert/strict";
import { test } from "node:test";
import { momentOf } from "./changes-since.ts";

const DAY = 86_400_000;
const ago = (text: string): number => Math.round((Date.now() - (momentOf(text) ?? 0)) / 60_000);

test("CHG23 a span of time counts in its own unit: a month is no minute", () => {
  assert.equal(ago("30m"), 30);
  assert.equal(ago("30 minutes ago"), 30);
  assert.equal(ago("2h"), 120);
  assert.equal(ago("3 Hours ago"), 180);
  assert.equal(ago("2d") * 60_000, 2 * DAY);
  assert.equal(ago("1 week") * 60_000, 7 * DAY);
  assert.equal(ago("2 months") * 60_000, 60 * DAY);
  assert.equal(ago("1mo ago") * 60_000, 30 * DAY);
  assert.equal(ago("1 year") * 60_000, 365 * DAY);
  assert.equal(ago("last week") * 60_000, 7 * DAY);
  assert.equal(ago("the past 24 hours"), 24 * 60);
  assert.equal(ago("an hour ago"), 60);
});

test("CHG23 a time without a zone is UTC, and a day that no calendar has is no time", () => {
  assert.equal(momentOf("2026-01-31"), Date.UTC(2026, 0, 31));
  for (const text of ["2026-01-31T10:00", "2026-01-31 10:00", "2026-01-31T10:00:00.000", "2026-01-31T12:00+02:00"])
    assert.equal(momentOf(text), Date.UTC(2026, 0, 31, 10), text);
  assert.equal(momentOf("1769853600000"), 1769853600000);
  for (const text of ["2026-13-40", "2026-02-30", "2026-02-30T10:00Z", "2026-1-5", "2026-01-31T99:00"])
    assert.throws(() => momentOf(text), RangeError, text);
});

test("CHG23 everything else is a name", () => {
  for (const text of ["last_visit", "last visit", "a fortnight", "the week", "5 monkeys", "m", "2nd", "", "20260131"])
    assert.equal(momentOf(text), undefined);
});
