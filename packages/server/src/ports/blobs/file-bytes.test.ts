import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../../test/support/until.ts";
import { FileBytes } from "./file-bytes.ts";

const directory = mkdtempSync(join(tmpdir(), "svc-file-bytes-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, "file");
const content = randomBytes(1_000_003);
writeFileSync(path, content);

const isClosed = (file: FileHandle) => file.fd === -1;
const ranges: readonly (readonly [number, number])[] = [
  [0, content.length],
  [0, 1],
  [777, 262_144 + 778],
  [content.length - 1, content.length],
  [5, 5],
];

for (const [start, end] of ranges)
  test(`ATT4 bytes ${start} to ${end} are the same read and written, whatever time the writes take`, async () => {
    const read = await open(path);
    assert.deepEqual(await buffer(new FileBytes(read, start, end)), content.subarray(start, end));
    const file = await open(path);
    const pieces: Buffer[] = [];
    // Reads the bytes only when the write ends, as a socket may do.
    const slow = new Writable({
      write: async (piece, _encoding, done) => {
        await sleep(2);
        pieces.push(Buffer.from(piece));
        done();
      },
    });
    await new FileBytes(file, start, end).writeTo(slow);
    assert.deepEqual(Buffer.concat(pieces), content.subarray(start, end));
    await until("both are closed", () => isClosed(file) && isClosed(read));
  });

test("ATT2 a file is closed when the other side goes", async () => {
  const file = await open(path);
  const failing = new Writable({ write: (_piece, _encoding, done) => done(new Error("gone")) });
  failing.on("error", () => undefined);
  await assert.rejects(new FileBytes(file, 0, content.length).writeTo(failing), /gone/);
  await until("it is closed", () => isClosed(file));
});

test("ATT2 a file that has become shorter is an error, never a short answer", async () => {
  const ended = new FileBytes(await open(path), 0, content.length + 1);
  await assert.rejects(ended.writeTo(new Writable({ write: (_piece, _encoding, done) => done() })), /shorter/);
});
