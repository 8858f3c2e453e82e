import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { writeZip, type ZipEntry } from "./write-zip.ts";

async function* bytes(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function inArchive(entries: AsyncIterable<ZipEntry>, use: (file: string, folder: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "svc-zip-"));
  try {
    const file = join(folder, "archive.zip");
    await pipeline(writeZip(entries), createWriteStream(file));
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

test("EXP4 a failing source fails the archive, and what was under way is let go", async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { path: "a", modified, content: Buffer.from("a") };
    throw new Error("the source broke");
  }
  await assert.rejects(async () => {
    for await (const _ of writeZip(entries()));
  }, /the source broke/);
});
