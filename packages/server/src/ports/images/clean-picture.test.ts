import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { defined } from "@svc/document/defined";
import { cleanPicture } from "./clean-picture.ts";

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const head = chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 2, 8, 0, 0, 0, 0]));
const pixels = chunk("IDAT", deflateSync(Buffer.from([0, 128, 0, 128])));
const end = chunk("IEND", Buffer.alloc(0));

test("PIC2 of a PNG only what shows it is kept; a broken one is none", () => {
  const noisy = Buffer.concat([
    PNG,
    head,
    chunk("tEXt", Buffer.from("where\0home")),
    pixels,
    end,
    Buffer.from("PK<script>"),
  ]);
  const clean = defined(cleanPicture(noisy));
  assert.deepEqual(clean.bytes, Buffer.concat([PNG, head, pixels, end]));
  assert.deepEqual([clean.contentType, clean.width, clean.height], ["image/png", 1, 2]);
  assert.equal(cleanPicture(Buffer.concat([PNG, head, pixels])), undefined, "without an end");
  const wrong = Buffer.from(noisy);
  wrong.writeUInt8(99, 20);
  assert.equal(cleanPicture(wrong), undefined, "with a wrong checksum");
});

const part = (marker: number, data: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
};

test("PIC2 of a JPEG camera data, comments and what stands behind its end go", () => {
  const frame = part(0xc0, Buffer.from([8, 0, 3, 0, 4, 1, 1, 17, 0]));
  const scan = Buffer.concat([
    part(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
  ]);
  const [begin, finish] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
  const notes = [part(0xe1, Buffer.from("Exif\0\0 where it was taken")), part(0xfe, Buffer.from("a comment"))];
  const clean = defined(cleanPicture(Buffer.concat([begin, ...notes, frame, scan, finish, Buffer.from("<html>")])));
  assert.deepEqual(clean.bytes, Buffer.concat([begin, frame, scan, finish]));
  assert.deepEqual([clean.contentType, clean.width, clean.height], ["image/jpeg", 4, 3]);
  assert.equal(cleanPicture(Buffer.concat([begin, frame, scan])), undefined, "without an end");
});

const riff = (chunks: readonly [string, Buffer][]): Buffer => {
  const body = Buffer.concat(
    chunks.map(([type, data]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(data.length);
      return Buffer.concat([Buffer.from(type, "latin1"), length, data, Buffer.alloc(data.length % 2)]);
    }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length + 4);
  return Buffer.concat([Buffer.from("RIFF"), size, Buffer.from("WEBP"), body]);
};

test("PIC2 of a WebP notes go with their flags; an animation is refused", () => {
  const extended = (flags: number) => Buffer.from([flags, 0, 0, 0, 7, 0, 0, 5, 0, 0]);
  const image = Buffer.from([0x2f, 7, 0x40, 1, 0, 0]);
  const notes: [string, Buffer][] = [["EXIF", Buffer.from("where")]];
  const clean = defined(cleanPicture(riff([["VP8X", extended(0x18)], ["VP8L", image], ...notes])));
  assert.deepEqual(
    clean.bytes,
    riff([
      ["VP8X", extended(0x10)],
      ["VP8L", image],
    ]),
  );
  assert.deepEqual([clean.contentType, clean.width, clean.height], ["image/webp", 8, 6]);
  assert.equal(
    cleanPicture(
      riff([
        ["VP8X", extended(0x02)],
        ["VP8L", image],
      ]),
    ),
    undefined,
  );
});

test("PIC2 anything else is no picture, however it is cut", () => {
  for (const text of ["", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "GIF89a…", "RIFF", "\u00ff\u00d8"])
    assert.equal(cleanPicture(Buffer.from(text, "latin1")), undefined, text);
  const whole = Buffer.concat([PNG, head, pixels, end]);
  for (let length = 0; length < whole.length; length++) cleanPicture(whole.subarray(0, length));
});
