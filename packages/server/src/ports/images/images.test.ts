import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { firstBytes } from "./first-bytes.ts";
import { imageSize } from "./size.ts";
import { isShownInline, sniffContentType, unknownContentType } from "./sniff.ts";

/** Pictures of 37 by 21 pixels, made by Pillow. */
const pictures = {
  png: "iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5AAAAJElEQVR4nGP8z0BXwERf60btG7Vv1L5R+0btG7Vv1L5R+ygGAPB4ASnITTvDAAAAAElFTkSuQmCC",
  gif: "R0lGODdhJQAVAIEAAP8AAAAAAAAAAAAAACwAAAAAJQAVAEAILwABCBxIsKDBgwgTKlzIsKHDhxAjSpxIsaLFixgzatzIsaPHjyBDihxJsqRJkgEBADs=",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P//8Nzc8P//////////////////////////////////////////////////////////2wBDAaq0tPDS8P//////////////////////////////////////////////////////////////////////////////wAARCAAVACUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAID/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AgBLYAAAAAAAAAB//2Q==",
  webp: "UklGRkYAAABXRUJQVlA4IDoAAAAwAwCdASolABUAP5nK3Wc5Mi0npWgDIDMJZwDMlA8KmggAAP7cUfYYTBOv/Dn2x+9kmP86ZfeQAAAA",
  "webp lossless": "UklGRhwAAABXRUJQVlA4TA8AAAAvJAAFAAcQ/Y/+ByKi/wEA",
  "webp extended":
    "UklGRowAAABXRUJQVlA4WAoAAAAYAAAAJAAAFAAAQUxQSAoAAAABB1CyiAhERP8DVlA4IDoAAAAwAwCdASolABUAP5nK3Wc5Mi0npWgDIDMJZwDMlA8KmggAAP7cUfYYTBOv/Dn2x+9kmP86ZfeQAAAARVhJRhoAAABNTQAqAAAACAABARIAAwAAAAEABgAAAAAAAA==",
};
/** The head of the same as a JPEG that is to be shown turned by a quarter (Exif orientation 6). */
const turned = "/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/wAARCAAVACUDASIAAhEBAxEB";
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

for (const [name, base64] of Object.entries(pictures)) {
  test(`${name}: type, size, shown inline, and nothing from too few bytes`, async () => {
    const bytes = bytesOf(base64);
    const type = await sniffContentType(bytes);
    assert.equal(type, `image/${name.split(" ")[0]}`);
    assert.ok(isShownInline(type));
    assert.deepEqual(imageSize(bytes), { width: 37, height: 21 });
    for (let length = 0; length < 10; length++) assert.equal(imageSize(bytes.subarray(0, length)), undefined);
  });
}

test("a turned photograph has the size it is shown with", () => {
  assert.deepEqual(imageSize(bytesOf(turned)), { width: 21, height: 37 });
});

test("a JPEG's size is found behind large blocks, and fill bytes are skipped", () => {
  const jpeg = Buffer.from(pictures.jpeg, "base64");
  const block = Buffer.alloc(65_537, 7);
  block.writeUInt16BE(0xffe2, 0);
  block.writeUInt16BE(65_535, 2);
  const large = Buffer.concat([jpeg.subarray(0, 2), block, block, Buffer.from([0xff]), jpeg.subarray(2)]);
  assert.deepEqual(imageSize(large), { width: 37, height: 21 });
});

const scripts = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  "svg with a declaration": '<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>',
  html: "<!doctype html><script>alert(1)</script>",
  text: "plain words",
  nothing: "",
};
for (const [name, text] of Object.entries(scripts)) {
  test(`${name} is never shown inline`, async () => {
    const bytes = new TextEncoder().encode(text);
    const type = await sniffContentType(bytes);
    assert.ok(!isShownInline(type));
    assert.equal(type === "image/svg+xml", name.startsWith("svg"));
    assert.equal(imageSize(bytes), undefined);
  });
}

test("PDF is shown inline, ZIP is not, the unknown is octets", async () => {
  const type = (text: string) => sniffContentType(Buffer.from(text, "latin1"));
  assert.ok(isShownInline(await type("%PDF-1.7\n")));
  assert.equal(await type("PK\x05\x06".padEnd(30, "\0")), "application/zip");
  assert.equal(await type("hello"), unknownContentType);
});

test("no bytes make it throw, however they begin", async () => {
  const heads = Object.values({ ...pictures, turned }).map(bytesOf);
  const hostile = fc.tuple(fc.constantFrom(...heads), fc.nat(60), fc.uint8Array({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(hostile, async ([head, length, tail]) => {
      const bytes = new Uint8Array(Buffer.concat([head.subarray(0, length), tail]));
      const size = imageSize(bytes);
      assert.ok(size === undefined || (size.width > 0 && size.height > 0));
      assert.match(await sniffContentType(bytes), /^[\w.+-]+\/[\w.+-]+/);
    }),
    { seed: 20261115, numRuns: 500 },
  );
});

test("the first bytes are copied, whatever happens to the chunks later", () => {
  const first = firstBytes(5);
  const chunk = Buffer.from("abc");
  first.add(chunk);
  chunk.fill("x");
  first.add(Buffer.from("defg"));
  first.add(Buffer.from("h"));
  assert.equal(Buffer.from(first.bytes()).toString(), "abcde");
});
