import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { zipOf } from "../test/support/fixtures.ts";
import { onEachDatabase } from "../test/support/world.ts";
import { ThreadImporter } from "./import-in-thread.ts";

onEachDatabase("the thread that reads archives", (world) => {
  test("IMP8 an archive that takes more memory than the thread has is refused, and the process lives", async () => {
    const { userId, workspaceId } = await world.person();
    const { blobs, config } = world.app.services;
    const paragraphs = "*word* `code` ".repeat(12).concat("\n\n").repeat(10_000);
    const archive = await zipOf({ "long.md": paragraphs });
    await blobs.put("imports/long", Readable.from([archive]), { maxBytes: archive.length });
    const importer = new ThreadImporter(config, 48);
    const task = { jobId: "ijob_1", workspaceId, userId, mark: "kb_mark", blobKey: "imports/long" };
    const whole = { ...task, fileName: "long.zip", name: undefined, withConcepts: false };
    const control = { signal: new AbortController().signal, report: async () => undefined };
    await assert.rejects(importer.run(whole, control), { code: "archive_too_large", message: /48 MB of memory/ });
    await importer.close();
  });
});
