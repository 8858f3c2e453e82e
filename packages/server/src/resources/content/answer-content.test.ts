import assert from "node:assert/strict";
import { test } from "node:test";
import { id, p } from "@svc/document/testing/builders";
import { StoredBody } from "../../bodies/body.ts";
import { versionOf } from "../../bodies/manifest.ts";
import { cut } from "../../bodies/segment.ts";
import type { RequestFacts } from "../../http/route.ts";
import { answerContent } from "./answer-content.ts";

const stored = (text: string): StoredBody => {
  const segments = cut([id(1, p(text))]);
  return new StoredBody({ version: versionOf(segments), revision: 1, document_type: "document" }, segments);
};
const request = { headers: {} } as RequestFacts;

test("HIST5 an answer has the version of the content in it, also when a write came between the two reads", async () => {
  const [before, after] = [stored("before"), stored("after")];
  for (const format of ["tiptap-json", "markdown", "html"] as const) {
    const answer = await answerContent(before.version, { format }, request, async () => after);
    assert.equal(answer.headers?.etag, `"${after.version}"`);
    assert.match(answer.dataJson ?? String(answer.raw?.body), /after/);
    const later = await answerContent(before.version, { format }, request, async () => before);
    assert.equal(later.headers?.etag, `"${before.version}"`);
    assert.match(later.dataJson ?? String(later.raw?.body), /before/, "nothing wrong was remembered");
  }
});
