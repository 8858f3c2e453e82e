import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeZip, type ZipEntry } from "./write-zip.ts";

async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

/** Not written but left out of the file, where a hole reads the same. */
const zeros = new Uint8Array(2 ** 25);

async function writeTo(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = openSync(path, "w");
  let at = 0;
  for await (const chunk of chunks) {
    if (chunk !== zeros) writeSync(file, chunk, 0, chunk.length, at);
    at += chunk.length;
  }
  closeSync(file);
}

async function inArchive(entries: AsyncIterable<ZipEntry>, use: (file: string, folder: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "svc-zip-"));
  try {
    const file = join(folder, "archive.zip");
    await writeTo(file, writeZip(entries));
    use(file, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const modified = new Date("2026-01-31T12:34:56Z");

test("EXP4 the archive unpacks to the same bytes, streamed or not, compressed or not", async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { path: "Grüße/α 🙂.md", modified, content: Buffer.from("text ".repeat(1000)) };
    yield { path: "tiny", modified, content: Buffer.from("x") };
    yield { path: "empty", modified, content: Buffer.alloc(0) };
    yield { path: "stored.bin", modified, content: bytes("one", "two") };
    yield { path: "packed.json", modified, content: bytes("[", "1,".repeat(50_000), "2]"), compress: true };
    yield { path: "none", modified, content: bytes() };
  }
  await inArchive(entries(), (file, folder) => {
    execFileSync("unzip", ["-qq", file, "-d", folder], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
    const read = (path: string) => readFileSync(join(folder, path), "utf8");
    assert.equal(read("Grüße/α 🙂.md"), "text ".repeat(1000));
    assert.deepEqual([read("tiny"), read("empty"), read("stored.bin"), read("none")], ["x", "", "onetwo", ""]);
    assert.equal(JSON.parse(read("packed.json")).length, 50_001);
    execFileSync("unzip", ["-tqq", file]);
  });
});

test("EXP4 more than 65,535 files are all found", async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (let i = 0; i < 66_000; i++) yield { path: `f/${i}`, modified, content: Buffer.from("x") };
  }
  await inArchive(entries(), (file) => {
    const list = execFileSync("unzip", ["-l", file], { maxBuffer: 2 ** 28 }).toString();
    assert.match(list, /66000 files/);
  });
});

test("EXP4 beyond 4 GB sizes and places are right", async () => {
  async function* large() {
    for (let i = 0; i < 130; i++) yield zeros;
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { path: "large", modified, content: large() };
    yield { path: "behind", modified, content: Buffer.from("found") };
  }
  await inArchive(entries(), (file) => {
    assert.equal(execFileSync("unzip", ["-p", file, "behind"]).toString(), "found");
    assert.match(execFileSync("unzip", ["-l", file]).toString(), new RegExp(`${130 * zeros.length} .* large`));
  });
});

test("EXP4 a failing source fails the archive, and what was under way is let go", async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { path: "a", modified, content: Buffer.from("a") };
    throw new Error("the source broke");
  }
  await assert.rejects(async () => {
    for await (const _ of writeZip(entries()));
  }, /the source broke/);
});
