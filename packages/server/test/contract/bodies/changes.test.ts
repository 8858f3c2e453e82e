import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonicalJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { seeded } from "../../support/random.ts";
import { onEachDatabase } from "../../support/world.ts";

const paragraph = (text: string, id?: string) => ({
  type: "paragraph",
  ...(id && { attrs: { id } }),
  content: [{ type: "text", text }],
});

const changesOf = async (client: Client, id: string, after?: string) =>
  assertStatus(await client.get(`/documents/${id}/changes${after ? `?after=${after}` : ""}`), 200).data;

type Entry = { block_id: string; type: string; hash: string };
const plain = (manifest: Loose[]): Entry[] => manifest.map(({ block_id, type, hash }) => ({ block_id, type, hash }));

/** The rule that the description gives: per write, take out what is mentioned, put back what has a new position. */
function follow(list: Entry[], changes: Loose[]): Entry[] {
  let current = list;
  for (let i = 0; i < changes.length; ) {
    let end = i;
    while (end < changes.length && changes[end].source_version === changes[i].source_version) end++;
    const write = changes.slice(i, end);
    const mentioned = new Set(write.map((change) => change.block_id));
    current = current.filter((entry) => !mentioned.has(entry.block_id));
    for (const { block_id, type, hash, new_position } of write)
      if (new_position !== null) current.splice(new_position, 0, { block_id, type, hash });
    i = end;
  }
  return current;
}

async function edit(client: Client, id: string, below: (n: number) => number, turn: number): Promise<void> {
  const { data: blocks } = await client.get(`/documents/${id}/blocks`);
  const any = () => blocks[below(blocks.length)]?.id;
  const place = () => (below(3) === 0 || !any() ? { document_start: true } : { after_block_id: any() });
  const nodes = () => Array.from({ length: 1 + below(3) }, (_, i) => paragraph(`t${turn}.${i}`));
  const path = `/documents/${id}`;
  switch (blocks.length < 3 ? 0 : below(7)) {
    case 0:
      assertStatus(await client.post(`${path}/blocks`, { position: place(), nodes: nodes() }), 201);
      return;
    case 1:
      assertStatus(await client.patch(`${path}/blocks/${any()}`, { node: paragraph(`changed ${turn}`) }), 200);
      return;
    case 2:
      assertStatus(await client.delete(`${path}/blocks/${any()}`), 200);
      return;
    case 3: {
      const [one, two] = [any(), any()];
      const operations = [
        { op: "insert", position: place(), nodes: nodes() },
        ...(one === two ? [] : [{ op: "move", block_id: one, position: { after_block_id: two } }]),
        { op: "replace", block_id: two, node: paragraph(`batch ${turn}`) },
      ];
      assertStatus(await client.post(`${path}/batch`, { operations }, { ifMatch: "*" }), 200);
      return;
    }
    case 4: {
      const { data: versions } = await client.get(`${path}/versions`);
      if (versions.length === 0) return;
      const { seq } = versions[below(versions.length)];
      assertStatus(await client.post(`${path}/versions/${seq}/rollback`, undefined, { ifMatch: "*" }), 200);
      return;
    }
    default: {
      const kept = blocks.filter(() => below(4) > 0).map(({ node }: Loose) => node);
      kept.sort(() => below(3) - 1);
      const document = { type: "doc", content: [...kept, ...nodes()] };
      const body =
        below(4) === 0 ? markdown(`# New ${turn}\n\ntext\n\n- a\n- b\n`) : { format: "tiptap-json", document };
      assertStatus(await client.put(`${path}/content`, body, { ifMatch: "*" }), 200);
    }
  }
}

onEachDatabase("changes", (world) => {
  test("CHG1 the first call gives a manifest with hashes of canonical JSON, and no changes", async () => {
    const { client } = await world.person();
    const { id, version } = await makeDocument(client, { text: "# One\n\n- a\n- b\n\nTwo\n" });
    const first = await changesOf(client, id);
    assert.deepEqual(first.changes, []);
    assert.equal(first.sync_required, false);
    assert.equal(first.complete, true);
    assert.equal(first.freshness, "current");
    assert.equal(first.source_version, version);
    const { data: blocks } = await client.get(`/documents/${id}/blocks`);
    assert.deepEqual(
      first.manifest,
      blocks.map(({ id: block_id, type, node }: Loose, position: number) => ({
        block_id,
        type,
        position,
        hash: `sha256:${createHash("sha256").update(canonicalJson(node)).digest("hex")}`,
      })),
    );
    const again = await changesOf(client, id, first.cursor);
    assert.deepEqual(again.changes, []);
    assert.equal(again.manifest, undefined);
    assert.equal(again.complete, true);
  });

  test("CHG2 one item per block and write, with types, positions and version; nested changes on the top-level block", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { text: "A\n\nB\n\nC\n\n- x\n- y\n" });
    const { manifest, cursor } = await changesOf(client, id);
    const [a, b, c, list] = manifest.map((entry: Loose) => entry.block_id);
    const nested = (await client.get(`/documents/${id}/blocks?recursive=true`)).data.find(
      (block: Loose) => block.type === "paragraph" && block.text === "y",
    );
    const operations = [
      { op: "delete", block_id: a },
      { op: "move", block_id: b, position: { after_block_id: c } },
      { op: "insert", position: { document_end: true }, nodes: [paragraph("N"), paragraph("M")] },
      { op: "replace", block_id: nested.id, node: paragraph("z") },
    ];
    const batch = assertStatus(await client.post(`/documents/${id}/batch`, { operations }, { ifMatch: "*" }), 200).data;
    const { changes } = await changesOf(client, id, cursor);
    const items = changes.map((c: Loose) => [c.block_id, c.change_type, c.old_position, c.new_position, c.excerpt]);
    const moved = items.find(([, type]: Loose) => type === "moved");
    assert.ok(moved[0] === b || moved[0] === c);
    assert.deepEqual(
      items.filter((item: Loose) => item !== moved),
      [
        [a, "removed", 0, null, "A"],
        [list, "modified", 3, 2, items.find(([block]: Loose) => block === list)[4]],
        [changes.at(-2).block_id, "added", null, 3, "N"],
        [changes.at(-1).block_id, "added", null, 4, "M"],
      ],
    );
    for (const change of changes) assert.equal(change.source_version, batch.version);
  });

  test("CHG3 a write that changes nothing and a change of metadata make no change", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const { cursor } = await changesOf(client, id);
    const { data } = await client.get(`/documents/${id}/content`);
    const same = { format: "tiptap-json", document: data.document };
    assertStatus(await client.put(`/documents/${id}/content`, same, { ifMatch: "*" }), 200);
    await client.patch(`/documents/${id}`, { title: "Other" });
    assert.deepEqual((await changesOf(client, id, cursor)).changes, []);
  });

  for (const seed of [1, 2, 3]) {
    test(`CHG4 following the changes from any cursor gives the manifest (seed ${seed})`, async () => {
      const { client } = await world.person();
      const below = seeded(seed);
      const { id } = await makeDocument(client, { text: "One\n\nTwo\n\nThree\n" });
      const first = await changesOf(client, id);
      const start = { list: plain(first.manifest), cursor: first.cursor };
      const readers = [start, start, start];
      for (let turn = 0; turn < 40; turn++) {
        await edit(client, id, below, turn);
        for (const index of [0, 1]) {
          if (below(index === 0 ? 1 : 5) !== 0) continue;
          const reader = defined(readers[index]);
          const got = await changesOf(client, id, reader.cursor);
          assert.equal(got.sync_required, false);
          readers[index] = { list: follow(reader.list, got.changes), cursor: got.cursor };
        }
      }
      const { manifest } = await changesOf(client, id);
      for (const reader of readers) {
        const rest = await changesOf(client, id, reader.cursor);
        assert.equal(rest.complete, true);
        assert.equal(rest.freshness, "current");
        assert.deepEqual(follow(reader.list, rest.changes), plain(manifest));
      }
      const whole = await changesOf(client, id, start.cursor);
      for (let tries = 0; tries < 8; tries++) {
        const stop = below(whole.changes.length);
        const rest = await changesOf(client, id, whole.changes[stop].cursor);
        assert.deepEqual(rest.changes, whole.changes.slice(stop + 1));
      }
    });
  }

  test("CHG5 a cursor that was changed, is of another document or of another list is refused", async () => {
    const { client } = await world.person();
    const [one, two] = [await makeDocument(client), await makeDocument(client)];
    const { cursor } = await changesOf(client, one.id);
    const page = (await client.get("/documents?limit=1")).body.page.next_cursor;
    const tampered = Buffer.from(JSON.stringify(["changes", one.id, 0, "sha256:0000000000000000"])).toString(
      "base64url",
    );
    for (const [id, after] of [
      [two.id, cursor],
      [one.id, `${cursor}x`],
      [one.id, `x${cursor}`],
      [one.id, `${tampered}.${cursor.split(".")[1]}`],
      [one.id, page],
      [one.id, "nonsense"],
      [one.id, ""],
    ])
      assertError(await client.get(`/documents/${id}/changes?after=${after}`), "invalid_cursor");
  });

  test("CHG7 large histories come in parts that are honest about what is missing", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const first = await changesOf(client, id);
    for (let i = 0; i < 4; i++) {
      const nodes = Array.from({ length: 400 }, (_, n) => paragraph(`${i}.${n}`));
      assertStatus(await client.post(`/documents/${id}/blocks`, { position: { document_start: true }, nodes }), 201);
    }
    const part = await changesOf(client, id, first.cursor);
    assert.equal(part.complete, false);
    assert.equal(part.freshness, "stale");
    assert.equal(part.changes.length, 1200);
    const rest = await changesOf(client, id, part.cursor);
    assert.equal(rest.complete, true);
    assert.equal(rest.freshness, "current");
    const list = follow(follow(plain(first.manifest), part.changes), rest.changes);
    assert.deepEqual(list, plain((await changesOf(client, id)).manifest));
  });

  test("CHG8 cursors survive the trash, and are gone with another store's history", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const { cursor } = await changesOf(client, id);
    await client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes: [paragraph("x")] });
    await client.delete(`/documents/${id}`);
    assertError(await client.get(`/documents/${id}/changes?after=${cursor}`), "not_found");
    const { data: trash } = await client.get("/trash");
    assertStatus(await client.post(`/trash/${trash[0].id}/restore`), 200);
    const back = await changesOf(client, id, cursor);
    assert.equal(back.sync_required, false);
    assert.deepEqual(
      back.changes.map((change: Loose) => change.change_type),
      ["added"],
    );
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("changes").set({ before_version: "sha256:ffff" }).where("document_id", "=", id).execute(),
    );
    const other = await changesOf(client, id, cursor);
    assert.equal(other.sync_required, true);
    assert.equal(other.manifest.length, 3);
  });
});

onEachDatabase(
  "changes with a short memory",
  (world) => {
    test("CHG6 a cursor older than the watermarks kept gives sync_required with a manifest", async () => {
      const { client } = await world.person();
      const { id } = await makeDocument(client);
      const cursors = [(await changesOf(client, id)).cursor];
      for (let i = 0; i < 6; i++) {
        await client.post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes: [paragraph(`${i}`)] });
        cursors.push((await changesOf(client, id, cursors.at(-1))).cursor);
      }
      const answers = await Promise.all(cursors.map((cursor) => changesOf(client, id, cursor)));
      assert.deepEqual(
        answers.map((answer) => answer.sync_required),
        [true, true, true, false, false, false, false],
      );
      assert.deepEqual(
        answers.map((answer) => answer.changes.length),
        [0, 0, 0, 3, 2, 1, 0],
      );
      assert.equal(answers[0].manifest.length, 8);
      assert.equal(answers[0].complete, true);
      const resumed = await changesOf(client, id, answers[0].cursor);
      assert.deepEqual([resumed.sync_required, resumed.changes], [false, []]);
    });
  },
  { SVC_CHANGE_RETENTION: "3" },
);
