import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { sql } from "kysely";
import { makeBody, textsOf } from "../support/bodies.ts";
import { isSaved, openEditor, signIn } from "../support/live-editor.ts";
import { SECOND_SERVER, startServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

onEachDatabase("live documents whose rows cannot be read for a while", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  const rename = (from: string, to: string) =>
    world.app.services.database.transaction((tx) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx),
    );

  /** Rows of keys that were ever stored: the last one's number. */
  const storedKeys = async (documentId: string): Promise<number> =>
    (
      await world.app.services.database.read
        .selectFrom("live_documents")
        .select("last_seq")
        .where("document_id", "=", documentId)
        .executeTakeFirstOrThrow()
    ).last_seq;

  test("when stored keystrokes cannot be read back, the process continues and sends them later", async () => {
    await using server = await startServer(world.settings, SECOND_SERVER);
    const { id } = await makeBody(ada.client, [p("Typed ")]);
    const editor = await openEditor({ url: server.url, cookie: await signIn(world, ada), documentId: id });
    const block = defined(editor.live.blocks[0]);
    const type = (text: string) => editor.live.patch({ ...block, content: [{ type: "text", text }] });
    type("Typed once");
    await isSaved(editor);
    const before = await storedKeys(id);

    await rename("live_people", "away");
    type("Typed twice");
    await until("the key is stored", async () => (await storedKeys(id)) > before);
    await until("it could not be read", () => server.stdout.includes("a live document could not be read"));
    assert.equal(server.child.exitCode, null, "the process has ended");

    await rename("away", "live_people");
    await isSaved(editor);
    assert.deepEqual(await textsOf(ada.client, id), ["Typed twice"]);
    editor.close();
  });
});
