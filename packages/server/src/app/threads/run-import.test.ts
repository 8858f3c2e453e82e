import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { zipOf } from "../../../test/support/fixtures.ts";
import { onEachDatabase } from "../../../test/support/world.ts";
import { ThreadImporter } from "./run-import.ts";

onEachDatabase("the thread that reads archives", (world) => {
  const paragraphs = "*word* `code` ".repeat(12).concat("\n\n").repeat(10_000);
  for (const documents of [1, 120])
    test(`IMP8 an archive of ${documents} that takes more memory than a thread has is refused, and the process lives`, async () => {
      const short = Array.from({ length: documents - 1 }, (_, n) => [`${n}.md`, "x"]);
      const { userId, workspaceId } = await world.person();
      const { blobs, config } = world.app.services;
      const archive = await zipOf({ ...Object.fromEntries(short), "long.md": paragraphs });
      const importer = new ThreadImporter(config, 48);
      const blobKey = `imports/${documents}`;
      const task = { jobId: `ijob_${documents}`, workspaceId, userId, mark: `kb_${documents}`, blobKey };
      await blobs.put(blobKey, Readable.from([archive]), { maxBytes: archive.length });
      const whole = { ...task, fileName: "long.zip", name: undefined, withConcepts: false };
      const control = { signal: new AbortController().signal, report: async () => undefined };
      await assert.rejects(importer.run(whole, control), { code: "archive_too_large", message: /48 MB of memory/ });
      await importer.close();
    });
});
