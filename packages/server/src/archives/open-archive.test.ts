import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { zipOf } from "../../test/support/fixtures.ts";
import { openArchive } from "./open-archive.ts";
import { ImportRefused } from "./refused.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-archive-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "a.zip");

const refusedAs = (code: string) => (error: unknown) => error instanceof ImportRefused && error.code === code;

test("IMP3 too many files or too much content is known before anything is unpacked", async () => {
  writeFileSync(file, await zipOf({ a: "1234", b: "5678" }));
  await assert.rejects(openArchive(file, { maxEntries: 1, maxBytes: 100 }), refusedAs("archive_too_large"));
  await assert.rejects(openArchive(file, { maxEntries: 2, maxBytes: 7 }), refusedAs("archive_too_large"));
  const archive = await openArchive(file, { maxEntries: 2, maxBytes: 8 });
  assert.equal((await archive.read("a", 4)).toString(), "1234");
  await assert.rejects(archive.read("a", 3), refusedAs("archive_too_large"));
  archive.close();
});

test("IMP3 whatever bytes are changed, an archive is read or refused", async () => {
  const good = await zipOf({ "a.md": "text ".repeat(100), "b/c.md": "x" });
  const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      writeFileSync(file, bytes);
      try {
        const archive = await openArchive(file, { maxEntries: 10, maxBytes: 10_000 });
        for (const path of archive.paths) await archive.read(path, 10_000).catch(mustBeRefusal);
        archive.close();
      } catch (error) {
        mustBeRefusal(error);
      }
    }),
    { seed: 20261115, numRuns: 300 },
  );
});

function mustBeRefusal(error: unknown): void {
  assert.ok(error instanceof ImportRefused, String(error));
}
