import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import {
  ConnectionError,
  downloadAttachment,
  exportKnowledgeBase,
  importKnowledgeBase,
  isApiError,
  JobError,
  type Source,
  uploadAttachment,
} from "@svc/sdk";
import { faultyFetch } from "./support/faulty-fetch.ts";
import { onStage } from "./support/stage.ts";

const bytes = new Uint8Array(300_000).map((_, n) => (n * 31) % 251);
const blob = new Blob([bytes]);
const read = async (stream: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(stream).arrayBuffer());

onStage("files", (stage) => {
  const sources: Record<string, () => Source> = {
    "a blob": () => blob,
    bytes: () => bytes,
    "a stream": () => blob.stream(),
    "a function that opens a stream": () => () => blob.stream(),
  };
  for (const [kind, source] of Object.entries(sources))
    test(`SDK9 ${kind} is uploaded and comes back byte for byte`, async () => {
      const { id: documentId } = await stage.document();
      const fileName = 'a "quoted" näme.bin';
      const attachment = await uploadAttachment(stage.client(), { documentId, fileName, content: source() });
      assert.deepEqual([attachment.size, attachment.file_name], [bytes.length, fileName]);
      const download = await downloadAttachment(stage.client(), attachment.id);
      assert.deepEqual([download.size, download.fileName], [bytes.length, fileName]);
      assert.deepEqual(await read(download.stream), bytes);
    });

  test("SDK9 both ways tell their progress", async () => {
    const { id: documentId } = await stage.document();
    const progress: number[] = [];
    const onProgress = (count: number) => void progress.push(count);
    const file = { documentId, fileName: "a.bin", content: blob };
    const { id } = await uploadAttachment(stage.client(), file, { onProgress });
    assert.equal(progress.at(-1), bytes.length);
    progress.length = 0;
    await read((await downloadAttachment(stage.client(), id, { onProgress })).stream);
    assert.equal(progress.at(-1), bytes.length);
  });

  test("SDK9 an upload whose answer was lost is repeated and stored once; a spent stream is not repeated", async () => {
    const { id } = await stage.document();
    const file = { documentId: id, fileName: "a.bin", content: () => blob.stream() };
    const { fetch, requests } = faultyFetch("unanswered");
    await uploadAttachment(stage.client({ fetch }), file);
    assert.equal(requests.length, 2);
    const once = faultyFetch("unsent");
    const spent = uploadAttachment(stage.client({ fetch: once.fetch }), { ...file, content: blob.stream() });
    await assert.rejects(spent, ConnectionError);
    assert.equal(once.requests.length, 1);
    const { data } = await stage.client().get("/documents/{id}/attachments", { path: { id } });
    assert.equal(data.length, 1);
  });

  test("SDK9 a download that breaks off goes on where it broke", async () => {
    const { id: documentId } = await stage.document();
    const { id } = await uploadAttachment(stage.client(), { documentId, fileName: "a.bin", content: blob });
    const ranges: (string | null)[] = [];
    const breaking: typeof fetch = async (input, init) => {
      ranges.push(new Headers(init?.headers).get("range"));
      const response = await fetch(input, init);
      return ranges.length > 2 ? response : brokenAfter(response, 100_000);
    };
    const { stream } = await downloadAttachment(stage.client({ fetch: breaking }), id);
    assert.deepEqual(await read(stream), bytes);
    assert.deepEqual(ranges, [null, "bytes=100000-", "bytes=200000-"]);
  });

  test("SDK9 a knowledge base is exported and imported, which ends when it is there", async () => {
    const { id } = await stage.document("Carried over.");
    const { data } = await stage.client().get("/documents/{id}", { path: { id } });
    const archive = await exportKnowledgeBase(stage.client(), data.knowledge_base_id);
    assert.equal(archive.contentType, "application/zip");
    const seen: string[] = [];
    const job = await importKnowledgeBase(
      stage.client(),
      { content: archive.stream, name: "Copy" },
      { wait: { onProgress: ({ status }) => void seen.push(status), pollMs: 50 } },
    );
    assert.equal(job.documents, 1);
    assert.equal(seen.at(-1), "succeeded");
    const copy = await stage.client().get("/knowledge-bases/{id}", { path: { id: defined(job.knowledge_base_id) } });
    assert.equal(copy.data.name, "Copy");
  });

  test("SDK9 what cannot be imported is told", async () => {
    const nonsense = importKnowledgeBase(
      stage.client(),
      { content: new Blob(["not a ZIP"]) },
      { wait: { pollMs: 50 } },
    );
    await assert.rejects(nonsense, (error) => error instanceof JobError || isApiError(error));
  });

  test("SDK9 an export that breaks off is an error, never a short file", async () => {
    const kb = await stage.knowledgeBase();
    const breaking: typeof fetch = async (input, init) => brokenAfter(await fetch(input, init), 10);
    const { stream } = await exportKnowledgeBase(stage.client({ fetch: breaking }), kb);
    await assert.rejects(read(stream), (error) => error instanceof ConnectionError && error.code === "connection_lost");
  });

  test("SDK12 an aborted download stops", async () => {
    const { id: documentId } = await stage.document();
    const { id } = await uploadAttachment(stage.client(), { documentId, fileName: "a.bin", content: blob });
    const stop = new AbortController();
    const { stream } = await downloadAttachment(stage.client(), id, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await assert.rejects(read(stream), /enough/);
  });
});

function brokenAfter(response: Response, count: number): Response {
  let left = count;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, out) => {
      out.enqueue(chunk.subarray(0, left));
      left -= chunk.byteLength;
      // Earlier data must reach the reader first: an error discards whatever is queued.
      if (left <= 0)
        return new Promise((resolve) => setTimeout(() => resolve(out.error(new TypeError("terminated"))), 30));
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}
