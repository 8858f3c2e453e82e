import assert from "node:assert/strict";
import { before, test } from "node:test";
import { finishedTasks } from "@svc/server/threads/pool";
import { readNodes, textsOf } from "../../support/bodies.ts";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

/** Long enough for a thread, in few blocks. */
const long = (word: string): string => `# ${word}\n\n${`${word} and *more* `.repeat(9_000)}\n\nend of ${word}`;

onEachDatabase("batches that another thread applies", (world) => {
  /** Address of the server in this process, whose threads are counted. */
  let client: Client;
  before(async () => {
    client = new Client(world.directUrl, (await world.person()).token);
  });
  const batch = (document: Loose, operations: Loose[], fields: Loose = { base_version: "*" }, query = "") =>
    client.post(`/documents/${document.id}/batch${query}`, { operations, ...fields });
  const append = (markdown: string) => ({ op: "append_markdown", markdown });
  const edit = (old: string, to: string) => ({ op: "edit_markdown", old, new: to });
  const make = () => makeDocument(client, { text: "First\n\nSecond\n" });
  const idsOf = async ({ id }: Loose) => (await readNodes(client, id)).nodes.map((node) => node.attrs.id);
  async function tasksDuring(work: () => Promise<unknown>): Promise<number> {
    const before = finishedTasks();
    await work();
    return finishedTasks() - before;
  }

  test("BLK27 long Markdown is read in a thread, and the page is the same as if it were read here", async () => {
    const [document, other] = [await make(), await make()];
    const ids = await idsOf(document);
    const operations = [edit("Second", "2nd"), append(long("word")), edit("end of word", "the end")];
    const tasks = await tasksDuring(async () => {
      const { data } = assertStatus(await batch(document, operations), 200);
      assert.deepEqual(
        data.results.map(({ op, count, block_ids }: Loose) => [op, count ?? block_ids.length]),
        [
          ["edit_markdown", 1],
          ["append_markdown", 3],
          ["edit_markdown", 1],
        ],
      );
      assert.equal(data.blocks.length, 3);
      assert.equal(data.changed_block_ids.length, 4);
    });
    assert.equal(tasks, 1);
    assert.deepEqual((await idsOf(document)).slice(0, 2), ids);
    for (const operation of [edit("Second", "2nd"), append("# word"), append(long("word").slice(8, -13))])
      assertStatus(await batch(other, [operation]), 200);
    assertStatus(await batch(other, [append("the end")]), 200);
    assert.deepEqual(await textsOf(client, document.id), await textsOf(client, other.id));
  });

  test("BLK27 refusals name the operation, versions are checked, and older ones are merged", async () => {
    const document = await make();
    const details = assertError(await batch(document, [append(long("a")), edit("nowhere", "x")]), "text_not_found");
    assert.equal(details.operation_index, 1);
    assertStatus(await batch(document, [edit("Second", "2nd")], { base_version: document.version }), 200);
    const stale = { base_version: document.version };
    assertError(await batch(document, [append(long("b"))], stale), "version_conflict");
    assertError(await batch({ id: "doc_01M7NCSECPVWFBKQ7EFJ16WNXC" }, [append(long("b"))]), "not_found");
    const operations = [append(long("c")), edit("First", "1st")];
    assert.equal(
      await tasksDuring(async () => assertStatus(await batch(document, operations, stale, "?on_conflict=merge"), 200)),
      1,
    );
    assert.deepEqual((await textsOf(client, document.id)).slice(0, 3), ["1st", "2nd", "c"]);
  });

  test("BLK27 an edit everywhere on a long page is made in a thread, however short it is", async () => {
    const document = await make();
    assertStatus(await batch(document, [append(long("word"))]), 200);
    const everywhere = { ...edit("word", "term"), occurrence: "all" };
    assert.equal(await tasksDuring(async () => assertStatus(await batch(document, [everywhere]), 200)), 1);
    assert.equal((await textsOf(client, document.id))[2], "term");
  });

  test("BLK27 suggestions of long Markdown are read in a thread", async () => {
    const document = await make();
    const base_version = document.version;
    const path = `/documents/${document.id}/suggestions`;
    const { id } = document;
    assert.equal(
      await tasksDuring(async () => {
        assertStatus(await batch(document, [append(long("a"))], { base_version }, "?mode=suggest"), 202);
        assertStatus(await client.post(path, { base_version, operations: [append(long("b"))] }), 201);
      }),
      2,
    );
    const content = { format: "markdown", content: `First\n\nSecond\n\n${long("c")}\n` };
    const { data } = assertStatus(await client.post(path, { base_version, content }), 201);
    assert.equal(data.changes.length, 3);
    assert.deepEqual(await textsOf(client, id), ["First", "Second"]);
  });

  test("BLK26 many long texts in one batch fit as long as their document may have them", async () => {
    const document = await make();
    const operations = Array.from({ length: 10 }, (_, i) => append(`${i}${" word".repeat(4_200)}`));
    assertStatus(await batch(document, operations), 200);
    assert.equal((await textsOf(client, document.id)).length, 12);
    const tooMany = Array.from({ length: 11 }, () => append("word ".repeat(40_000)));
    assertError(await batch(document, tooMany), "document_too_large");
  });

  test("BLK28 a batch that suggests nothing is answered like one that changes nothing", async () => {
    const document = await make();
    const operations = [edit("First", "First"), edit("Second", "Second")];
    const suggested = assertStatus(await batch(document, operations, undefined, "?mode=suggest"), 200);
    const made = assertStatus(await batch(document, operations), 200);
    assert.deepEqual(suggested.data, made.data);
    assert.deepEqual(suggested.data.positions, [null, null]);
  });
});
