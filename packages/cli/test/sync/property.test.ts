import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createClient } from "@svc/sdk";
import { World } from "../../../server/test/support/world.ts";
import { FolderDisk } from "../../src/sync/disk.ts";
import { FolderStateFiles } from "../../src/sync/store.ts";
import { type SyncResult, syncFolder } from "../../src/sync/sync-folder.ts";
import { FileEditor, RemoteEditor, Words, wordsIn } from "./editors.ts";
import { type Cut, cuttingDisk, cuttingFetch, cuttingState, Interrupted } from "./interruptions.ts";
import { Random } from "./random.ts";

/** More seeds for a longer hunt. */
const SEEDS = Array.from({ length: Number(process.env.SVC_SYNC_SEEDS ?? 6) }, (_, index) => index + 1);
const ROUNDS = 5;

describe("sync, at random", () => {
  const world = new World("sqlite", {});
  before(() => world.start());
  after(() => world.stop());

  for (const seed of SEEDS)
    test(`SYNC10 random edits on both sides, interrupted at random, end equal with nothing lost (seed ${seed})`, async () => {
      const random = new Random(seed);
      const { token } = await world.person();
      const client = createClient({ baseUrl: world.url, token });
      const { data: kb } = await client.post("/knowledge-bases", { body: { name: "Sync" } });
      const directory = mkdtempSync(join(tmpdir(), "svc-sync-"));
      const words = new Words();
      const files = new FileEditor(directory, random, words);
      const remote = new RemoteEditor(client, kb.id, random, words);

      const sync = (cut: Cut): Promise<SyncResult> =>
        syncFolder({
          client: createClient({ baseUrl: world.url, token, fetch: cuttingFetch(cut), retry: { attempts: 1 } }),
          directory,
          knowledgeBase: kb.id,
          allowDeletions: true,
          lookAgainMs: 0,
          disk: cuttingDisk(new FolderDisk(directory), cut),
          stateFiles: cuttingState(new FolderStateFiles(directory), cut),
        });
      const edit = async () => {
        for (let count = random.below(6); count > 0; count--) files.act();
        for (let count = random.below(6); count > 0; count--) await remote.act();
      };
      const interrupt = async () => {
        let left = random.below(120);
        await sync(() => (left-- === 0 ? random.pick(["before", "after"] as const) : undefined)).catch(expectCut);
      };

      try {
        for (let round = 0; round < ROUNDS; round++) {
          await edit();
          for (let cuts = random.below(4); cuts > 0; cuts--) {
            await interrupt();
            await edit();
          }
          const { problems } = await sync(() => undefined);
          assert.deepEqual(problems, []);
          await assertEqualAndWhole(files, remote, words);
          assert.deepEqual((await sync(() => undefined)).actions, [], "a further run finds nothing to do");
        }
      } finally {
        rmSync(directory, { recursive: true });
      }
    });
});

/** A cut reaches the caller as it is, or as the loss of a connection. */
function expectCut(error: unknown): void {
  if (error instanceof Interrupted) return;
  if (error instanceof Error && error.cause instanceof Interrupted) return;
  throw error;
}

async function assertEqualAndWhole(files: FileEditor, remote: RemoteEditor, words: Words): Promise<void> {
  const documents = await remote.documents();
  const texts = await Promise.all(documents.map(({ id }) => remote.markdown(id)));
  assert.deepEqual(files.documents.map(files.read).sort(), texts.sort(), "files and documents say the same");
  assert.equal(files.directories.length, (await remote.folders()).length, "as many directories as folders");
  const kept = texts.flatMap(wordsIn);
  assert.equal(new Set(kept).size, kept.length, "nothing was made twice");
  const everywhere = new Set([...kept, ...files.files.flatMap((path) => wordsIn(files.read(path)))]);
  assert.deepEqual(
    [...words.expected].filter((word) => !everywhere.has(word)),
    [],
    "no word is lost",
  );
}
