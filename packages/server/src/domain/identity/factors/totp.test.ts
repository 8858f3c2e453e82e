import assert from "node:assert/strict";
import { test } from "node:test";
import { base32, codeAt, fromBase32, stepAt, stepOf } from "./totp.ts";

/** From RFC 6238, appendix B, for SHA-1. */
const SECRET = Buffer.from("12345678901234567890");
const VECTORS: readonly [seconds: number, code: string][] = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
];

test("SIGN13 codes are those of RFC 6238", () => {
  for (const [seconds, code] of VECTORS) assert.equal(codeAt(SECRET, stepAt(seconds * 1000), 8), code);
});

test("SIGN13 base32 is that of RFC 4648", () => {
  assert.equal(base32(Buffer.from("foobar")), "MZXW6YTBOI");
  assert.equal(fromBase32("MZXW6YTBOI").toString(), "foobar");
  assert.deepEqual(fromBase32(base32(SECRET)), SECRET);
});

test("SIGN13 a code counts in its half minute and the ones beside it", () => {
  const secret = base32(SECRET);
  const now = 1_111_111_111_000;
  const at = (away: number) => codeAt(SECRET, stepAt(now) + away);
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((away) => stepOf(secret, at(away), now) !== undefined),
    [false, true, true, true, false],
  );
  for (const odd of ["", "12345", "1234567", "12345a", "１２３４５６"])
    assert.equal(stepOf(secret, odd, now), undefined);
});
