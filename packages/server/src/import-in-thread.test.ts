import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { zipOf } from "../test/support/fixtures.ts";
import { onEachDatabase } from "../test/support/world.ts";
import { ThreadImporter } from "./import-in-thread.ts";

onEachDatabase("the thread that reads archives", (world) => {
  const paragraphs = "*word* `code` ".repeat(12).concat("\n\n").repeat(10_000);
  const few = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`${n}.md`, "x"]));
  for (const [what, files] of [
    ["an_archive", { "long.md": paragraphs }],
    ["one_of_many_documents", { ...few, "long.md": paragraphs }],
  ] as const)
    test(`IMP8 ${what.replaceAll("_", " ")} that takes more memory than its threads have is refused, and the process lives`, async () => {
      const { userId, workspaceId } = await world.person();
      const { blobs, config } = world.app.services;
      const archive = await zipOf(files);
      const importer = new ThreadImporter(config, 48);
      const task = { jobId: `ijob_${what}`, workspaceId, userId, mark: `kb_${what}`, blobKey: `imports/${what}` };
      await blobs.put(task.blobKey, Readable.from([archive]), { maxBytes: archive.length });
      const whole = { ...task, fileName: "long.zip", name: undefined, withConcepts: false };
      const control = { signal: new AbortController().signal, report: async () => undefined };
      await assert.rejects(importer.run(whole, control), { code: "archive_too_large", message: /48 MB of memory/ });
      await importer.close();
    });
});
