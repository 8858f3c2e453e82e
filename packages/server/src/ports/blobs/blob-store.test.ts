import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { requireSwift, type SwiftPeer, startSwift } from "../../../test/support/peers/swift.ts";
import { firstBytes } from "../images/first-bytes.ts";
import { BlobNotFound, BlobRangeInvalid, type BlobStore, BlobStoreFailure, BlobTooLarge } from "./blob-store.ts";
import { fileStore } from "./file-store.ts";
import { s3Client } from "./s3-client.ts";
import { readS3Url } from "./s3-settings.ts";
import { s3Store } from "./s3-store.ts";

const mebibyte = 1024 * 1024;
const generous = { maxBytes: 100 * mebibyte };
const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

/** Uneven chunks, so that no boundary of the store coincides with ours. */
async function* chunked(data: Uint8Array, size = 65_537): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < data.byteLength; offset += size) yield data.subarray(offset, offset + size);
}

async function* failingAfter(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* chunked(data);
  throw new Error("the client went away");
}

async function keysOf(store: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const blob of store.list(prefix)) keys.push(blob.key);
  return keys.sort();
}

interface Running {
  readonly store: BlobStore;
  /** Starts an upload and leaves it unfinished, as a killed server would. */
  abandonUpload(): Promise<void>;
  stop(): Promise<void>;
}

async function runFiles(): Promise<Running> {
  const dir = await mkdtemp(join(tmpdir(), "svc-blobs-"));
  const store = fileStore(dir);
  return {
    store,
    async abandonUpload() {
      await mkdir(join(dir, ".incoming"), { recursive: true });
      await writeFile(join(dir, ".incoming", "left-over"), "half a file");
    },
    stop: () => rm(dir, { recursive: true }),
  };
}

let swift: Promise<SwiftPeer> | undefined;
/** One for all suites of this file: it takes seconds to start. */
const sharedSwift = (): Promise<SwiftPeer> => {
  swift ??= startSwift();
  return swift;
};
after(async () => (await swift)?.stop());

async function runS3(): Promise<Running> {
  const peer = await sharedSwift();
  const settings = readS3Url(blobUrl(peer));
  const client = s3Client(settings);
  await client({ method: "PUT", objectKey: "" });
  return {
    store: s3Store(settings),
    async abandonUpload() {
      await client({ method: "POST", objectKey: `${settings.prefix}ws_1/att_killed`, query: { uploads: "" } });
    },
    stop: async () => undefined,
  };
}

const blobUrl = (peer: SwiftPeer, secret = peer.secretAccessKey): string =>
  `s3://${encodeURIComponent(peer.accessKeyId)}:${secret}@svc-test/some/prefix?endpoint=${peer.endpoint}&region=${peer.region}`;

const stores = [
  { name: "files", options: {}, run: runFiles },
  { name: "S3 (OpenStack Swift)", options: requireSwift(), run: runS3 },
];

for (const { name, options, run } of stores) {
  describe(`blob store on ${name}`, options, () => {
    let running: Running;
    let store: BlobStore;
    before(async () => {
      running = await run();
      store = running.store;
    });
    after(() => running.stop());

    for (const size of [0, 1, 70_000, 5 * mebibyte, 5 * mebibyte + 1, 16 * mebibyte + 12_345]) {
      test(`stores and gives back ${size} bytes`, async () => {
        const data = randomBytes(size);
        const stored = await store.put(`ws_1/att_${size}`, chunked(data), generous);
        assert.deepEqual(stored, { size, sha256: sha256(data) });
        const { stream, size: told, length } = await store.get(`ws_1/att_${size}`);
        assert.deepEqual([told, length], [size, size]);
        assert.equal(sha256(await buffer(stream)), sha256(data));
        assert.equal((await store.head(`ws_1/att_${size}`))?.size, size);
      });
    }

    test("takes a Readable and replaces an earlier blob whole", async () => {
      await store.put("ws_1/att_again", chunked(randomBytes(9 * mebibyte)), generous);
      await store.put("ws_1/att_again", Readable.from([Buffer.from("short")]), generous);
      const { stream } = await store.get("ws_1/att_again");
      assert.equal((await buffer(stream)).toString(), "short");
    });

    test("may take chunks over, and otherwise leaves them as they were", async () => {
      const data = randomBytes(3 * mebibyte);
      for (const takesChunks of [true, false]) {
        const chunks = Array.from({ length: 48 }, (_, i) => Uint8Array.from(data.subarray(i << 16, (i + 1) << 16)));
        await store.put("ws_1/att_taken", Readable.from(chunks), { ...generous, takesChunks });
        assert.equal(sha256(await buffer((await store.get("ws_1/att_taken")).stream)), sha256(data));
        if (!takesChunks) assert.equal(sha256(Buffer.concat(chunks)), sha256(data));
      }
    });

    test("shows every chunk to whoever looks at the upload", async () => {
      const data = randomBytes(9 * mebibyte);
      const seen = firstBytes(300_000);
      await store.put("ws_1/att_seen", chunked(data), { ...generous, onChunk: seen.add });
      assert.ok(data.subarray(0, 300_000).equals(seen.bytes()));
    });

    test("gives ranges, cut to the end, and refuses those behind it", async () => {
      const data = randomBytes(300_000);
      await store.put("ws_1/att_range", chunked(data), generous);
      for (const [start, end] of [
        [0, 0],
        [10, 99_999],
        [299_999, undefined],
        [0, 10 ** 9],
        [undefined, 5],
      ] as const) {
        const { stream, size, length } = await store.get("ws_1/att_range", { start, end });
        const expected = data.subarray(start ?? 0, (end ?? data.length) + 1);
        assert.deepEqual([size, length], [300_000, expected.length]);
        assert.ok((await buffer(stream)).equals(expected));
      }
      const behind = store.get("ws_1/att_range", { start: 300_000 });
      await assert.rejects(behind, (error) => error instanceof BlobRangeInvalid && error.size === 300_000);
    });

    test("an empty blob has no range", async () => {
      await store.put("ws_1/att_empty", chunked(new Uint8Array(0)), generous);
      await assert.rejects(store.get("ws_1/att_empty", { start: 0, end: 0 }), BlobRangeInvalid);
    });

    test("an exact limit passes, one byte more leaves nothing", async () => {
      await store.put("ws_1/att_limit", chunked(randomBytes(100_000)), { maxBytes: 100_000 });
      for (const size of [100_001, 9 * mebibyte]) {
        const put = store.put("ws_1/att_over", chunked(randomBytes(size)), { maxBytes: size - 1 });
        await assert.rejects(put, (error) => error instanceof BlobTooLarge && error.limit === size - 1);
      }
      assert.equal(await store.head("ws_1/att_over"), undefined);
    });

    test("a source that fails leaves nothing and keeps the earlier blob", async () => {
      await store.put("ws_1/att_kept", chunked(Buffer.from("first")), generous);
      for (const size of [10, 6 * mebibyte, 11 * mebibyte]) {
        await assert.rejects(store.put("ws_1/att_kept", failingAfter(randomBytes(size)), generous), /client went away/);
      }
      assert.equal((await store.head("ws_1/att_kept"))?.size, 5);
    });

    test("an abort ends a silent upload at once, closes its source and leaves nothing", async () => {
      const source = new PassThrough();
      const abort = new AbortController();
      source.write(randomBytes(1000));
      const put = store.put("ws_1/att_aborted", source, { ...generous, signal: abort.signal });
      setTimeout(() => abort.abort(new Error("stop now")), 50);
      await assert.rejects(put, /stop now/);
      if (!source.destroyed) await once(source, "close");
      assert.equal(await store.head("ws_1/att_aborted"), undefined);
      await assert.rejects(
        store.put("ws_1/att_aborted", chunked(randomBytes(5)), { ...generous, signal: abort.signal }),
      );
      assert.equal(await store.head("ws_1/att_aborted"), undefined);
    });

    test("what is missing is told, deleting it is fine", async () => {
      await assert.rejects(store.get("ws_1/att_nowhere"), BlobNotFound);
      assert.equal(await store.head("ws_nowhere/att_1"), undefined);
      await store.delete("ws_1/att_nowhere");
      await store.put("ws_1/att_gone", chunked(Buffer.from("x")), generous);
      await store.delete("ws_1/att_gone");
      await assert.rejects(store.get("ws_1/att_gone"), BlobNotFound);
    });

    test("lists by prefix, with sizes and times, and nothing unfinished", async () => {
      const keys = ["ws_2/att_a", "ws_2/att_ab", "ws_2/b", "ws_22/att_a", "top"];
      for (const key of keys) await store.put(key, chunked(Buffer.from(key)), generous);
      await running.abandonUpload();
      assert.deepEqual(await keysOf(store, "ws_2/"), ["ws_2/att_a", "ws_2/att_ab", "ws_2/b"]);
      assert.deepEqual(await keysOf(store, "ws_2"), ["ws_2/att_a", "ws_2/att_ab", "ws_2/b", "ws_22/att_a"]);
      assert.deepEqual(await keysOf(store, "ws_2/att_a"), ["ws_2/att_a", "ws_2/att_ab"]);
      assert.deepEqual(await keysOf(store, "ws_3/"), []);
      const all = await keysOf(store, "");
      assert.ok(keys.every((key) => all.includes(key)) && !all.includes("ws_1/att_killed"));
      for await (const blob of store.list("ws_22/")) {
        assert.equal(blob.size, 11);
        assert.ok(Math.abs(Date.now() - blob.modified.getTime()) < 60_000);
      }
    });

    test("removes uploads that never finished, once they are old", async () => {
      assert.equal(await store.removeAbandoned(new Date(Date.now() - 3_600_000)), 0);
      assert.equal(await store.removeAbandoned(new Date(Date.now() + 60_000)), 1);
      assert.equal(await store.removeAbandoned(new Date(Date.now() + 60_000)), 0);
    });

    test("refuses every key that is not made of plain names", async () => {
      for (const key of [
        "",
        "/",
        "../x",
        "a/../b",
        "a//b",
        "/a",
        "a/",
        ".incoming/x",
        "a\0b",
        "a b",
        "é",
        "x".repeat(65),
        "a/b/c/d/e",
      ]) {
        await assert.rejects(async () => store.put(key, chunked(randomBytes(1)), generous), TypeError);
        await assert.rejects(async () => store.get(key), TypeError);
        await assert.rejects(async () => store.head(key), TypeError);
        await assert.rejects(async () => store.delete(key), TypeError);
      }
      await assert.rejects(() => keysOf(store, "../"), TypeError);
    });
  });
}

describe("S3 alone (OpenStack Swift)", requireSwift(), () => {
  let peer: SwiftPeer;
  before(async () => {
    peer = await sharedSwift();
    await s3Client(readS3Url(blobUrl(peer)))({ method: "PUT", objectKey: "", expected: [409] });
  });

  test("a listing follows its continuations", async () => {
    const store = s3Store(readS3Url(blobUrl(peer)), { listPageSize: 2 });
    const keys = ["pages/a", "pages/b", "pages/c", "pages/d", "pages/e"];
    for (const key of keys) await store.put(key, chunked(Buffer.from(key)), generous);
    assert.deepEqual(await keysOf(store, "pages/"), keys);
  });

  test("a wrong secret is refused by the store and told by no error", async () => {
    const put = s3Store(readS3Url(blobUrl(peer, "hush"))).put("ws_1/x", chunked(randomBytes(1)), generous);
    await assert.rejects(put, (error) => {
      assert.ok(error instanceof BlobStoreFailure);
      assert.deepEqual([error.status, error.reason], [403, "SignatureDoesNotMatch"]);
      assert.ok(!JSON.stringify([error.message, error.stack, error]).includes("hush"));
      return true;
    });
  });
});
