import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { id, p } from "@svc/document/testing/builders";
import { StoredBody } from "../../../bodies/body.ts";
import { versionOf } from "../../../bodies/manifest.ts";
import { makeRun } from "../../../bodies/renderings.ts";
import { cut } from "../../../bodies/segment.ts";
import { styleOf } from "../../../bodies/source-texts.ts";
import { type Answer, write } from "../../../http/answer.ts";
import { answerContent } from "./answer-content.ts";
import type { BodySource } from "./render.ts";

function stored(text: string): { readonly version: string; readonly source: BodySource } {
  const segments = cut([id(1, p(text))]);
  const version = versionOf(segments);
  const body = new StoredBody({ version, revision: 1, live_revisions: 0, document_type: "document" }, segments);
  const source: BodySource = {
    body: async () => body,
    json: async () => body,
    runs: async (form) => ({ version, runs: segments.map(({ blocks }) => makeRun[form](blocks)) }),
  };
  return { version, source };
}
/** A response's text as it is sent. */
function sent(answer: Answer): string {
  const { body } = write(answer, "req_1");
  return Array.isArray(body) ? Buffer.concat(body).toString() : String(body);
}
const requestWith = (headers: Record<string, string>) => ({ headers });
const request = requestWith({});

test("a response's version matches its content even when a write comes between the two reads", async () => {
  const [before, after] = [stored("before"), stored("after")];
  for (const format of ["tiptap-json", "markdown", "html"] as const) {
    const answer = await answerContent(before.version, { format }, request, after.source);
    assert.equal(answer.headers?.etag, `"${after.version}"`);
    assert.match(sent(answer), /after/);
    const later = await answerContent(before.version, { format }, request, before.source);
    assert.equal(later.headers?.etag, `"${before.version}"`);
    assert.match(sent(later), /before/, "nothing wrong was remembered");
  }
});

test("BODY25 a repeated read is answered from memory: nothing is read, parsed or rendered for it", async () => {
  const { version, source } = stored("again");
  const nothing: BodySource = {
    body: () => assert.fail("the body was read again"),
    json: () => assert.fail("its JSON was read again"),
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

test("ENV8 a body that is wanted compressed again is neither read nor compressed for it, and is what it was", async () => {
  const { version, source } = stored("packed ".repeat(1000));
  const nothing: BodySource = {
    body: () => assert.fail("the body was read again"),
    json: () => assert.fail("its JSON was read again"),
    runs: () => assert.fail("its runs were read again"),
  };
  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  for (const [encoding, decode] of Object.entries(decoders))
    for (const format of ["tiptap-json", "markdown", "html"] as const) {
      const wanting = requestWith({ "accept-encoding": encoding });
      const plain = await answerContent(version, { format }, request, source);
      const first = await answerContent(version, { format }, wanting, source);
      const again = await answerContent(version, { format }, wanting, nothing);
      assert.equal(again, first);
      const packed = write(again, "req_1");
      assert.equal(decode(packed.body as Buffer).toString(), sent(plain));
      assert.deepEqual(packed.headers, {
        ...write(plain, "req_1").headers,
        vary: "accept, accept-encoding",
        "content-encoding": encoding,
      });
    }
});

test("ENV8 the same holds of Markdown that is sent as it was written, also when it was read before without compression", async () => {
  const text = `packed\n======\n\n${"as it was written ".repeat(500)}\n`;
  const { version, source } = stored("packed as it was written");
  const kept = { version, source: text, style: styleOf(text), warnings: undefined };
  const style = { hash: kept.style, read: async () => kept };
  const wanting = requestWith({ "accept-encoding": "gzip" });
  const query = { format: "markdown" } as const;
  await answerContent(version, query, request, { ...source, style });
  const first = await answerContent(version, query, wanting, { ...source, style });
  const unread = { hash: style.hash, read: () => assert.fail("the source was read again") };
  assert.equal(await answerContent(version, query, wanting, { ...source, style: unread }), first);
  const { body } = write(first, "req_1");
  assert.ok(Buffer.isBuffer(body));
  assert.equal(gunzipSync(body).toString(), text);
  const canonical = write(await answerContent(version, query, wanting, source), "req_1").body;
  assert.equal(String(canonical), "packed as it was written\n", "without that source the body is written by our rules");
});

test("BODY25 Markdown that is sent as it was written needs nothing of the body once its warnings are known", async () => {
  const { version, source } = stored("as it was written");
  const text = "as it was *written* 😀\n";
  const warnings = [{ code: "raw_html", block_id: null, node_type: "rawHtml", message: "Kept." }] as const;
  const keptOf = (of: string) => ({ version: of, source: Buffer.from(text), style: styleOf(of), warnings });
  const styled = (of: string) => ({ hash: styleOf(of), read: async () => keptOf(of) });
  const nothing: BodySource = {
    style: styled(version),
    body: () => assert.fail("the body was read"),
    json: () => assert.fail("its JSON was read"),
    runs: () => assert.fail("its runs were read"),
  };
  const answer = await answerContent(version, { format: "markdown" }, request, nothing);
  assert.equal(String(answer.raw?.body), text);
  assert.equal(answer.headers?.["x-content-warnings-total"], "1");
  const json = requestWith({ accept: "application/json" });
  const { dataJson } = await answerContent(version, { format: "markdown" }, json, nothing);
  assert.deepEqual(JSON.parse(dataJson ?? ""), { format: "markdown", content: text, version, warnings });
  const other = await answerContent(version, { format: "markdown" }, request, { ...source, style: styled("other") });
  assert.equal(String(other.raw?.body), "as it was written\n", "the source of another version says something else");
});
