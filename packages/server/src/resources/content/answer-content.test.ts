import assert from "node:assert/strict";
import { test } from "node:test";
import { id, p } from "@svc/document/testing/builders";
import { StoredBody } from "../../bodies/body.ts";
import { versionOf } from "../../bodies/manifest.ts";
import { makeRun } from "../../bodies/renderings.ts";
import { cut } from "../../bodies/segment.ts";
import type { RequestFacts } from "../../http/route.ts";
import { answerContent } from "./answer-content.ts";
import type { BodySource } from "./render.ts";

function stored(text: string): { readonly version: string; readonly source: BodySource } {
  const segments = cut([id(1, p(text))]);
  const version = versionOf(segments);
  const source: BodySource = {
    body: async () => new StoredBody({ version, revision: 1, live_revisions: 0, document_type: "document" }, segments),
    runs: async (form) => ({ version, runs: segments.map(({ blocks }) => makeRun[form](blocks)) }),
  };
  return { version, source };
}
const request = { headers: {} } as RequestFacts;

test("HIST5 an answer has the version of the content in it, also when a write came between the two reads", async () => {
  const [before, after] = [stored("before"), stored("after")];
  for (const format of ["tiptap-json", "markdown", "html"] as const) {
    const answer = await answerContent(before.version, { format }, request, after.source);
    assert.equal(answer.headers?.etag, `"${after.version}"`);
    assert.match(answer.dataJson ?? String(answer.raw?.body), /after/);
    const later = await answerContent(before.version, { format }, request, before.source);
    assert.equal(later.headers?.etag, `"${before.version}"`);
    assert.match(later.dataJson ?? String(later.raw?.body), /before/, "nothing wrong was remembered");
  }
});

test("BODY25 a repeated read is answered from memory: nothing is read, parsed or rendered for it", async () => {
  const { version, source } = stored("again");
  const nothing: BodySource = {
    body: () => assert.fail("the body was read again"),
    runs: () => assert.fail("its runs were read again"),
  };
  for (const query of [
    {},
    { format: "markdown" },
    { format: "html" },
    { format: "markdown", annotate: "anchors" },
  ] as const) {
    const first = await answerContent(version, query, request, source);
    assert.deepEqual(await answerContent(version, query, request, nothing), first);
  }
});
