import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Reader } from "@svc/server/db/database";
import { HitDocument } from "@svc/server/views/search/read/hit-document";
import { findBlockRows, findHitDocuments } from "@svc/server/views/search/read/hit-rows";
import { locateBlocks, locateByRow } from "@svc/server/views/search/read/located-blocks";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { chance, pick, type Random, seeded } from "../../support/random.ts";
import { onEachDatabase } from "../../support/world.ts";

const paragraph = (text: string): Loose => ({ type: "paragraph", content: [{ type: "text", text }] });
const list = (text: string): Loose => ({
  type: "bulletList",
  content: [text, `${text} too`].map((item) => ({ type: "listItem", content: [paragraph(item)] })),
});
const heading = (text: string, level: number): Loose => ({ ...paragraph(text), type: "heading", attrs: { level } });

const newBlock = (random: Random, word: string): Loose =>
  pick(random, [() => heading(word, 1 + random(3)), () => paragraph(word), () => list(word)])();

/** Other headings, other places, other texts: whatever a write can do to top-level blocks. */
function edited(random: Random, blocks: readonly Loose[], word: string): Loose[] {
  const next = [...blocks];
  const at = random(next.length);
  const block = next[at] ?? paragraph(word);
  const edits = [
    () => next.splice(at, 1),
    () => next.splice(at, 0, newBlock(random, word)),
    () => next.splice(random(next.length), 0, ...next.splice(at, 1)),
    () => next.splice(at, 1, { ...newBlock(random, word), attrs: { level: 1 + random(3), id: block.attrs?.id } }),
    () => block.type === "heading" && next.splice(at, 1, { ...block, attrs: { ...block.attrs, level: 1 + random(3) } }),
  ];
  pick(random, edits)();
  return chance(random, 30) && next.length > 2 ? edited(random, next, `${word}x`) : next;
}

async function write(client: Client, id: string, edit: (blocks: readonly Loose[]) => Loose[]): Promise<void> {
  const { data } = await client.get(`/documents/${id}/content?format=tiptap-json`);
  const document = { type: "doc", content: edit(data.document.content) };
  const body = { format: "tiptap-json", document };
  assertStatus(await client.put(`/documents/${id}/content`, body, { ifMatch: "*" }), 200);
}

/** Compares the index rows of a document's blocks with its body. */
async function shown(read: Reader, workspaceId: string, documentId: string) {
  const numbers = await read
    .selectFrom("search_documents as d")
    .innerJoin("search_blocks as b", (join) =>
      join.onRef("b.workspace_id", "=", "d.workspace_id").onRef("b.document", "=", "d.number"),
    )
    .select(["b.number", "b.document"])
    .where("d.workspace_id", "=", workspaceId)
    .where("d.document_id", "=", documentId)
    .where("b.block_id", "<>", "")
    .execute();
  const [found] = await findHitDocuments(read, workspaceId, [defined(numbers[0]).document]);
  const document = new HitDocument(defined(found));
  const rows = await findBlockRows(
    read,
    workspaceId,
    numbers.map(({ number }) => number),
  );
  const told = async (of: typeof rows) =>
    (await locateBlocks(read, workspaceId, of, () => document))
      .map(({ number, text, headingPath }) => [number, text, headingPath])
      .sort();
  assert.equal(rows.length, numbers.length);
  return {
    isStored: rows.map((row) => locateByRow(row, document) !== undefined),
    kept: await told(rows),
    body: await told(rows.map((row) => ({ ...row, text: null }))),
  };
}

onEachDatabase("what hits show", (world) => {
  test("SRCH24 the texts and headings that the index keeps are those of the body, whatever was written", async () => {
    const { client, workspaceId } = await world.person();
    const { read } = world.app.services.database;
    const random = seeded(23);
    for (let i = 0; i < 4; i++) {
      const { id } = await makeDocument(client, {
        text: "Before.\n\n# One\n\nTwo\n\n- three\n- four\n\n## Five\n\nSix\n",
      });
      for (let step = 0; step < 25; step++) {
        await write(client, id, (blocks) => edited(random, blocks, `word${i}s${step}`));
        const { isStored: stored, kept, body } = await shown(read, workspaceId, id);
        assert.deepEqual(kept, body);
        assert.ok(stored.every(Boolean) && stored.length > 0);
      }
    }
  });

  test("SRCH24 a long text is shown from the body, and so is what another version of the program wrote", async () => {
    const { client, workspaceId } = await world.person();
    const { read } = world.app.services.database;
    const { id } = await makeDocument(client, { text: `# One\n\n${"long ".repeat(2000)}pelican\n\nshort pelican\n` });
    const { isStored: stored } = await shown(read, workspaceId, id);
    assert.deepEqual(stored.toSorted(), [false, true, true]);
    const look = async () => (await client.get("/search/v2?q=pelican&mode=exhaustive")).data;
    const before = await look();
    assert.deepEqual(
      before.map((hit: Loose) => [hit.heading_path, hit.context.match]),
      [
        [["One"], "pelican"],
        [["One"], "pelican"],
      ],
    );
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("search_documents").set({ outline_version: null }).where("document_id", "=", id).execute(),
    );
    await write(client, id, (blocks) => [...blocks, heading("Two", 1), paragraph("last pelican")]);
    assert.deepEqual((await shown(read, workspaceId, id)).isStored, Array(5).fill(false));
    assert.deepEqual((await look()).at(-1).heading_path, ["Two"]);
  });
});
