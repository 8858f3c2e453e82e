import assert from "node:assert/strict";
import { before, test } from "node:test";
import { p } from "@svc/document/testing/builders";
import { makeBody, textsOf } from "../../support/bodies.ts";
import { editorsIn, isSaved, type } from "../../support/live-editor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const DOCUMENTS = 24;

onEachDatabase("folds of many documents", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const { open } = editorsIn(world);

  /** Each commit that changes bodies of a workspace writes one segment of its search index; merges add a few. */
  const segmentsWritten = async (): Promise<number> => {
    const { read } = world.app.services.database;
    const row = await read
      .selectFrom("search_segments")
      .select((eb) => eb.fn.max("id").as("last"))
      .executeTakeFirst();
    return Number(row?.last ?? 0);
  };

  test("LIVE33 documents that are typed in at the same time share commits, and each keeps its text", async () => {
    const ids: string[] = [];
    for (let n = 0; n < DOCUMENTS; n++) ids.push((await makeBody(ada.client, [p(`Page ${n}.`)])).id);
    const editors = await Promise.all(ids.map((id) => open(ada, id)));
    const before = await segmentsWritten();
    for (const editor of editors) type(editor, 0, " Typed.");
    await Promise.all(editors.map(isSaved));
    const commits = (await segmentsWritten()) - before;
    // On SQLite all writers wait for each other, so groups are short there.
    if (world.kind === "postgres") assert.ok(commits <= DOCUMENTS * 0.75, `${commits} commits for ${DOCUMENTS} folds`);
    for (const [n, id] of ids.entries()) assert.deepEqual(await textsOf(ada.client, id), [`Page ${n}. Typed.`]);
  });
});
