import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { ENCODINGS, finish, MAX_TAIL_BYTES, pack } from "./packed.ts";

const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

const texts = ["a", "Grüße 日本 ".repeat(2000), Array.from({ length: 50_000 }, (_, i) => i * 7919).join(",")];
const tails = ["", "}", `,"request_id":"req_1"}`, "ü".repeat(300), "x".repeat(MAX_TAIL_BYTES)];

for (const encoding of ENCODINGS)
  test(`ENV8 ${encoding}: a packed text and the tail that follows it are read as one text`, async () => {
    for (const text of texts) {
      const packed = await pack(text, encoding);
      assert.equal(packed.bytes.buffer.byteLength, packed.bytes.length, "nothing is kept beside it");
      for (const tail of tails)
        assert.equal(
          decoders[encoding](finish(packed, tail)).toString(),
          text + tail,
          `${text.length}, ${tail.length}`,
        );
      assert.throws(() => finish(packed, "x".repeat(MAX_TAIL_BYTES + 1)));
    }
  });
