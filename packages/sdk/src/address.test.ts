import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, normalizeBaseUrl } from "./address.ts";

test("SDK1 an address has its values escaped and its absent query left out", () => {
  assert.equal(addressOf("/documents/{id}", { id: "a/b?c" }), "/api/v1/documents/a%2Fb%3Fc");
  assert.equal(
    addressOf("/documents", {}, { q: "a&b", limit: 5, cursor: undefined }),
    "/api/v1/documents?q=a%26b&limit=5",
  );
});

test("SDK1 a value can neither be missing nor climb out of its place", () => {
  for (const id of [undefined, "", ".", ".."])
    assert.throws(() => addressOf("/documents/{id}", { id }), /needs a value for "id"/);
});

test("SDK1 the base address may be given in any of its usual forms", () => {
  for (const form of ["https://a.example", "https://a.example/", "https://a.example/api/v1/", "https://a.example/api"])
    assert.equal(normalizeBaseUrl(form), "https://a.example");
  assert.equal(normalizeBaseUrl("https://a.example/svc/"), "https://a.example/svc");
  assert.equal(normalizeBaseUrl(""), "");
  assert.throws(() => normalizeBaseUrl("a.example"), /must begin with http/);
});
