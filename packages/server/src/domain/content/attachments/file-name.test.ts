import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import fc from "fast-check";
import { cleanFileName, contentDisposition } from "./file-name.ts";

test("ATT13 a file name is the last step of what was sent, without hidden characters", () => {
  assert.equal(cleanFileName("../../etc/passwd"), "passwd");
  assert.equal(cleanFileName("C:\\temp\\report.pdf"), "report.pdf");
  assert.equal(cleanFileName("in\u202evoice\u0000\r\n.exe"), "invoice.exe");
  for (const empty of [undefined, "", "..", ".", " ", "a/", "\u0000"]) assert.equal(cleanFileName(empty), "file");
  assert.equal(cleanFileName(`${"x".repeat(500)}.tar.gz`).length, 200);
  assert.ok(cleanFileName(`${"🙂".repeat(500)}.png`).endsWith("🙂.png"));
});

test("ATT13 whatever the name, the header is one line of visible ASCII that says it exactly", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (given) => {
      const name = cleanFileName(given);
      const header = contentDisposition("attachment", name);
      assert.match(header, /^attachment; filename="[^"\\%]+"; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/);
      assert.match(header, /^[\x20-\x7e]+$/);
      assert.equal(decodeURIComponent(defined(header.split("UTF-8''")[1])), name);
    }),
    { seed: 20261115, numRuns: 2000 },
  );
});
