import assert from "node:assert/strict";
import { before, test } from "node:test";
import { id, idFor, p } from "@svc/document/testing/builders";
import { makeBody, readNodes, textsOf, tiptap, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "versions",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });
    const make = (...texts: string[]) =>
      makeBody(
        ada.client,
        texts.map((value, i) => id(i + 1, p(value))),
      );
    const put = async (document: Loose, ...texts: string[]): Promise<string> => {
      const body = tiptap(...texts.map((value, i) => id(i + 1, p(value))));
      return assertStatus(await ada.client.put(`/documents/${document.id}/content`, body, { ifMatch: "*" }), 200).data
        .version;
    };
    const list = async (document: Loose, query = "") =>
      (await ada.client.get(`/documents/${document.id}/versions${query}`)).data;

    test("VER1 each change first keeps the exact prior state, newest first, with its maker", async () => {
      const document = await make("a");
      const second = await put(document, "a", "b");
      await ada.client.patch(`/documents/${document.id}/blocks/${idFor(1)}`, { node: p("A") });
      const rows = await list(document);
      assert.deepEqual(
        rows.map((row: Loose) => [row.seq, row.version, row.reason]),
        [
          [2, second, "blocks"],
          [1, document.version, "content"],
        ],
      );
      assert.deepEqual(rows[0].creator, { id: ada.userId, name: "Ada" });
      assert.ok(rows[0].created_at >= rows[1].created_at);
      const { data } = await ada.client.get(`/documents/${document.id}/versions/2`);
      assert.equal(rows[0].byte_size, Buffer.byteLength(JSON.stringify(data.document.content)));
    });

    test("VER11 a version names the program that made the change", async () => {
      const document = await make("a");
      const path = `/documents/${document.id}/content`;
      const headers = { "user-agent": "proofreader-agent/1.2.0 (Proofreader)" };
      assertStatus(await ada.client.put(path, tiptap(p("b")), { ifMatch: "*", headers }), 200);
      const [{ client }] = await list(document);
      assert.deepEqual(client, { token_id: ada.tokenId, name: "Proofreader", version: "1.2.0", agent: true });
    });

    test("VER2 the list comes in pages", async () => {
      const document = await make("a");
      for (const value of ["b", "c", "d"]) await put(document, value);
      const page = await ada.client.get(`/documents/${document.id}/versions?limit=2`);
      assert.deepEqual(
        page.data.map((row: Loose) => row.seq),
        [3, 2],
      );
      const rest = await list(document, `?limit=2&cursor=${page.body.page.next_cursor}`);
      assert.deepEqual(
        rest.map((row: Loose) => row.seq),
        [1],
      );
      const other = await make("x");
      assertError(
        await ada.client.get(`/documents/${other.id}/versions?cursor=${page.body.page.next_cursor}`),
        "cursor_mismatch",
      );
    });

    test("VER3 the last few are kept (SVC_VERSION_RETENTION), seq goes on, and each is readable", async () => {
      const document = await make("v0");
      for (let i = 1; i <= 9; i++) await put(document, `v${i}`);
      assert.deepEqual(
        (await list(document)).map((row: Loose) => row.seq),
        [9, 8, 7, 6, 5],
      );
      for (let seq = 5; seq <= 9; seq++) {
        const { text } = await ada.client.get(`/documents/${document.id}/versions/${seq}?format=markdown`);
        assert.equal(text, `v${seq - 1}\n`);
      }
      assertError(await ada.client.get(`/documents/${document.id}/versions/4`), "not_found");
    });

    test("VER4 a snapshot is read in the three formats, with its own version as ETag", async () => {
      const document = await make("old <text>");
      const { nodes } = await readNodes(ada.client, document.id);
      await put(document, "new");
      const path = `/documents/${document.id}/versions/1`;
      const json = assertStatus(await ada.client.get(path), 200);
      assert.deepEqual(
        [json.data.document.content, json.data.version, json.etag],
        [nodes, document.version, document.version],
      );
      assert.match((await ada.client.get(`${path}?format=html`)).text, /<p>old &lt;text&gt;<\/p>/);
      assert.match((await ada.client.get(`${path}?format=markdown&annotate=anchors`)).text, /^<!--@block=/);
      assertStatus(await ada.client.get(path, { headers: { "if-none-match": `"${document.version}"` } }), 304);
      for (const seq of ["0", "99", "x", "-1", "1.5"])
        assertError(await ada.client.get(`/documents/${document.id}/versions/${seq}`), "not_found");
    });

    test("VER5 a difference names added, removed, modified and moved blocks", async () => {
      const document = await make("a", "b", "c");
      const body = tiptap(id(3, p("c")), id(1, p("A")), id(4, p("d")));
      await ada.client.put(`/documents/${document.id}/content`, body, { ifMatch: "*" });
      const path = `/documents/${document.id}/versions/1/diff`;
      const { data } = assertStatus(await ada.client.get(path), 200);
      assert.equal(data.from_version, document.version);
      assert.deepEqual(
        data.changes.map((change: Loose) => [
          change.change_type,
          change.block_id,
          change.old_position,
          change.new_position,
        ]),
        [
          ["removed", idFor(2), 1, null],
          ["modified", idFor(1), 0, 1],
          ["added", idFor(4), null, 2],
        ],
      );
      assert.deepEqual((await ada.client.get(`${path}?to=current`)).data, data);
      assert.deepEqual((await ada.client.get(`${path}?to=1`)).data.changes, []);
      assertError(await ada.client.get(`${path}?to=7`), "not_found");
      assertError(await ada.client.get(`${path}?to=next`), "invalid_request");
    });

    test("VER6 a rollback keeps the current state first, then restores the chosen one", async () => {
      const document = await make("a", "b");
      const second = await put(document, "x");
      const path = `/documents/${document.id}/versions/1/rollback`;
      const reply = assertStatus(await ada.client.post(path, undefined, { ifMatch: second }), 200);
      assert.equal(reply.etag, reply.data.version);
      assert.equal(reply.data.version, document.version);
      assert.deepEqual(await textsOf(ada.client, document.id), ["a", "b"]);
      const rows = await list(document);
      assert.deepEqual([rows[0].seq, rows[0].version, rows[0].reason], [2, second, "rollback"]);
      assertStatus(
        await ada.client.post(`/documents/${document.id}/versions/2/rollback`, undefined, { ifMatch: "*" }),
        200,
      );
      assert.deepEqual(await textsOf(ada.client, document.id), ["x"]);
    });

    test("VER7 a rollback: 404 for document or seq, then 428, then 409; to the same state it is no change", async () => {
      const document = await make("a");
      const second = await put(document, "b");
      const rollback = (seq: number, ifMatch?: string) =>
        ada.client.post(`/documents/${document.id}/versions/${seq}/rollback`, undefined, ifMatch ? { ifMatch } : {});
      assertError(await ada.client.post("/documents/doc_none/versions/1/rollback"), "not_found");
      assertError(await rollback(9), "not_found");
      assertError(await rollback(1), "precondition_required");
      assert.equal(assertError(await rollback(1, document.version), "version_conflict").current_version, second);
      await put(document, "a");
      const before = await traces(ada.client, document.id);
      assert.deepEqual((await rollback(1, "*")).data, { version: document.version, changed_block_ids: [] });
      assert.deepEqual(await traces(ada.client, document.id), before);
      const dry = await ada.client.post(`/documents/${document.id}/versions/2/rollback?dry_run=true`, undefined, {
        ifMatch: "*",
      });
      assert.equal(assertStatus(dry, 200).data.version, second);
      assert.deepEqual(await traces(ada.client, document.id), before);
    });

    test("VER8 rollbacks go on working when the retention runs over segments that come back", async () => {
      const document = await make("a");
      const versions = new Map<string, string>([["a", document.version]]);
      for (const value of ["b", "a", "c", "a", "b", "b2", "c", "a", "d", "b"]) {
        const version = await put(document, value);
        assert.equal(versions.get(value) ?? version, version);
        versions.set(value, version);
        for (const { seq, version: kept } of await list(document))
          assert.equal((await ada.client.get(`/documents/${document.id}/versions/${seq}`)).data.version, kept);
      }
    });
  },
  { SVC_VERSION_RETENTION: "5" },
);
