import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { makeBody, textsOf } from "../support/bodies.ts";
import { addBlock, isSaved, openEditor, shownTexts, signIn } from "../support/live-editor.ts";
import { OwnPostgres } from "../support/postgres.ts";
import { noSmallDisk, SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";

const MEGABYTES = 192;

/** Somebody types while the store cannot be written, and after it can be again. */
async function typeOnFullDisk(disk: SmallDisk, settings: Record<string, string>, mend: () => Promise<void>) {
  const world = new World("sqlite", { SVC_DATA_DIR: disk.directory, ...settings });
  await world.start();
  try {
    const ada = await world.person();
    const { id } = await makeBody(ada.client, [p("One.")]);
    const seat = { url: world.directUrl, cookie: await signIn(world, ada), documentId: id };
    let saved = 0;
    const [writer, reader] = [
      await openEditor(seat, { onStatus: ({ kind }) => void (kind === "saved" && saved++) }),
      await openEditor(seat),
    ];
    const add = (text: string) => addBlock(writer, text);
    add("Before.");
    await isSaved(writer);
    disk.fill();
    saved = 0;
    let words = 0;
    // Space that the store reserved before may still be used.
    await until("nothing can be stored any more", () => {
      if (writer.isStored) add(`w${words++}w ${"x".repeat(20_000)}`);
      return writer.status.kind === "offline";
    });
    const last = `w${words - 1}w`;
    assert.equal(writer.isStored, false);
    assert.ok(!shownTexts(reader).some((text) => text.startsWith(last)), "nobody sees what is not durable");
    const savedBefore = saved;
    add("While the disk is full.");
    assert.equal(writer.status.kind, "offline");
    assert.equal(saved, savedBefore, "nothing is called saved that is not");
    disk.empty();
    await mend();
    await isSaved(writer);
    const texts = await textsOf(ada.client, id);
    for (let i = 0; i < words; i++)
      assert.equal(texts.filter((text) => text.startsWith(`w${i}w `)).length, 1, `w${i}w`);
    assert.deepEqual([texts[0], texts[1], texts.at(-1)], ["One.", "Before.", "While the disk is full."]);
    await until("everybody sees it", () => shownTexts(reader).length === texts.length);
    assert.equal(defined(shownTexts(reader).at(-1)), "While the disk is full.");
    for (const editor of [writer, reader]) editor.close();
  } finally {
    await world.stop();
  }
}

describe("the disk is full under open editors", { skip: noSmallDisk() }, () => {
  test("LIVE5 LIVE19 on SQLite: nothing is called stored or saved that is not, and with room again all of it is there once", async () => {
    using disk = new SmallDisk(MEGABYTES);
    await typeOnFullDisk(disk, {}, async () => undefined);
  });

  test("LIVE5 LIVE19 the same on PostgreSQL", async () => {
    using disk = new SmallDisk(2 * MEGABYTES);
    const postgres = await OwnPostgres.start({ parent: disk.directory });
    try {
      await typeOnFullDisk(disk, { SVC_DATABASE_URL: postgres.url }, async () => {
        if (postgres.hasEnded) await postgres.startAgain();
      });
    } finally {
      await postgres.stop();
    }
  });
});
