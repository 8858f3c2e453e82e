import assert from "node:assert/strict";
import { test } from "node:test";
import { ownVias, parseDocumentUri, parseHref, uriOf } from "./target.ts";

const DOC = "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ";
const BLOCK = "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM";

const written = (href: string): string | undefined => {
  const target = parseHref(href);
  return target && `${target.via}|${uriOf(target)}`;
};

const counted: [string, string][] = [
  [`svc://doc/${DOC}`, `|svc://doc/${DOC}`],
  [` SVC://Doc/${DOC} `, `|svc://doc/${DOC}`],
  [`svc://doc/${DOC}#block=${BLOCK}`, `|svc://doc/${DOC}#block=${BLOCK}`],
  [`svc://doc/${DOC}#elsewhere`, `|svc://doc/${DOC}`],
  ["svc://doc/doc_unknown", "|svc://doc/doc_unknown"],
  ["svc://docset/dset_1#block=x", "|svc://docset/dset_1"],
  ["svc://concept/concept_1", "|svc://concept/concept_1"],
  [`https://kb.example/documents/${DOC}`, `kb.example|svc://doc/${DOC}`],
  [`http://KB.example:80/documents/${DOC}/`, `kb.example|svc://doc/${DOC}`],
  [`http://kb.example:3000/a/b/api/v1/documents/${DOC}?x=1`, `kb.example:3000/a/b|svc://doc/${DOC}`],
  [`//kb.example/documents/${DOC}#block=${BLOCK}`, `kb.example|svc://doc/${DOC}#block=${BLOCK}`],
  [`/documents/${DOC}#${BLOCK}`, `|svc://doc/${DOC}#block=${BLOCK}`],
  [`/documents/${DOC}?block=${BLOCK}`, `|svc://doc/${DOC}#block=${BLOCK}`],
  [`/documents/${DOC}?block=other#section`, `|svc://doc/${DOC}`],
  [`/kb/api/v1/documents/${DOC}/blocks/${BLOCK}`, `/kb|svc://doc/${DOC}#block=${BLOCK}`],
];

for (const [href, expected] of counted)
  test(`REL2 counts ${href}`, () => {
    assert.equal(written(href), expected);
  });

const others = [
  "",
  "#top",
  "https://kb.example/",
  `https://kb.example/documents/${DOC}/content`,
  "https://kb.example/documents/doc_short",
  `documents/${DOC}`,
  `ftp://kb.example/documents/${DOC}`,
  `javascript:/documents/${DOC}`,
  `http://[/documents/${DOC}`,
  "svc://",
  "svc://doc/",
  "svc://other/x",
  `svc://doc/${DOC}/more`,
  `svc://doc/${"x".repeat(65)}`,
  "svc://doc/a\0b",
  `/documents/${DOC}?${"x".repeat(3000)}`,
];

for (const href of others)
  test(`REL2 does not count ${JSON.stringify(href.slice(0, 60))}`, () => {
    assert.equal(written(href), undefined);
  });

test("REL6 a stated target is a document's or block's URI, exactly", () => {
  assert.deepEqual(parseDocumentUri(`svc://doc/${DOC}`), { kind: "doc", id: DOC, blockId: null, via: "" });
  assert.equal(parseDocumentUri(`svc://doc/${DOC}#block=${BLOCK}`)?.blockId, BLOCK);
  for (const uri of [
    `svc://docset/${DOC}`,
    `svc://doc/${DOC}#x`,
    `svc://doc/${DOC}\n`,
    `/documents/${DOC}`,
    "doc_1",
    "",
  ])
    assert.equal(parseDocumentUri(uri), undefined, uri);
});

test("REL2 own addresses follow the base address, prefix included, and so do links by name", () => {
  assert.deepEqual(ownVias("https://kb.example"), ["", "name", "kb.example"]);
  assert.deepEqual(ownVias("https://kb.example:8443/kb/"), ["", "name", "/kb", "kb.example:8443/kb"]);
  assert.deepEqual(ownVias("http://not a host"), ["", "name"]);
});
