import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { assertError, assertStatus, type Client, type Loose } from "../support/client.ts";
import {
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  markdown,
  startImport,
  upload,
  zipOf,
} from "../support/fixtures.ts";
import { onEachDatabase, type Person, type World } from "../support/world.ts";

async function ended(client: Client, id: string): Promise<Loose> {
  for (let i = 0; i < 1200; i++) {
    const { data } = await client.get(`/import-jobs/${id}`);
    if (data.finished_at !== null) return data;
    await sleep(25);
  }
  throw new Error("The import did not end.");
}

const imported = async (client: Client, archive: Uint8Array, name?: string) =>
  ended(client, (await startImport(client, archive, name)).id);

async function exported(world: World, { token }: Person, id: number): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` };
  return Buffer.from(
    await (await fetch(`${world.url}/api/v1/knowledge-bases/${id}/export`, { headers })).arrayBuffer(),
  );
}

/** A tree with the bodies in it, and ids replaced by the order in which they come. */
async function pictureOf(client: Client, id: number): Promise<string> {
  const { children } = (await client.get(`/knowledge-bases/${id}/tree`)).data;
  const filled = async (items: Loose[]): Promise<Loose[]> =>
    Promise.all(
      items.map(async (item) => {
        if (item.type === "folder") return { name: item.name, children: await filled(item.children) };
        const { document } = (await client.get(`/documents/${item.id}/content`)).data;
        const { heading_numbered, background_color, collapsed_block_ids } = (await client.get(`/documents/${item.id}`))
          .data;
        const settings = { heading_numbered, background_color, collapsed_block_ids };
        return { id: item.id, title: item.title, type: item.document_type, settings, document };
      }),
    );
  const names = new Map<string, string>();
  return JSON.stringify(await filled(children), null, 1).replace(/(doc|block|att)_[0-9A-Z]{26}/g, (id) => {
    if (!names.has(id)) names.set(id, `${id.split("_")[0]}#${names.size}`);
    return names.get(id)!;
  });
}

const filesIn = async (world: World): Promise<string[]> =>
  (await Array.fromAsync(world.app.services.blobs.list(""))).map(({ key }) => key).sort();

onEachDatabase("import", (world) => {
  test("IMP1 export and import into another workspace give the same tree, bodies and files", async () => {
    const ada = await world.person();
    const { client } = ada;
    const base = await makeKnowledgeBase(client, "Handbook");
    const outer = await makeFolder(client, { knowledge_base_id: base.id, name: "Outer" });
    const inner = await makeFolder(client, { knowledge_base_id: base.id, name: "../Inner", parent_id: outer.id });
    await makeFolder(client, { knowledge_base_id: base.id, name: "Empty" });
    const first = await makeDocument(client, { knowledge_base_id: base.id, title: "First", text: "# A\n\n- b\n- c\n" });
    const block = (await client.get(`/documents/${first.id}/blocks`)).data[0].id;
    await client.patch(`/documents/${first.id}`, { heading_numbered: true, collapsed_block_ids: [block] });
    const second = await makeDocument(client, { knowledge_base_id: base.id, folder_id: inner.id, title: "Second" });
    const file = await upload(client, second.id, "content of the file", "a file.txt");
    const body = `[first](svc://doc/${first.id}#${block}) ![pic](${file.url})\n\n[a file.txt](${file.url} "attachment")\n`;
    assertStatus(await client.put(`/documents/${second.id}/content`, markdown(body), { ifMatch: "*" }), 200);
    const table = {
      type: "table",
      content: [{ type: "tableRow", content: [{ type: "tableCell", content: [{ type: "paragraph" }] }] }],
    };
    const sheet = { format: "tiptap-json", document: { type: "doc", content: [table] } };
    await makeDocument(client, {
      knowledge_base_id: base.id,
      title: "Sheet",
      document_type: "spreadsheet",
      content: sheet,
    });

    const bob = await world.person();
    const job = await imported(bob.client, await exported(world, ada, base.id));
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual([job.folders, job.documents, job.attachments, job.warnings], [3, 3, 1, []]);
    assert.deepEqual(job.progress, { documents_total: 3, documents_done: 3 });
    const copy = (await bob.client.get(`/knowledge-bases/${job.knowledge_base_id}`)).data;
    assert.deepEqual([copy.name, copy.document_count, copy.folder_count], ["Handbook", 3, 3]);
    assert.equal(await pictureOf(bob.client, copy.id), await pictureOf(client, base.id));
    const text = (await bob.client.get(`/documents?knowledge_base_id=${copy.id}&q=Second`)).data[0];
    const [attachment] = (await bob.client.get(`/documents/${text.id}/attachments`)).data;
    assert.deepEqual(
      [attachment.file_name, attachment.sha256, attachment.reference_count],
      ["a file.txt", file.sha256, 2],
    );
    assert.equal((await bob.client.get("/me/quota")).data.attachments.used_bytes, file.size);
    const again = await imported(client, await exported(world, ada, base.id), "Copy");
    assert.equal((await client.get(`/knowledge-bases/${again.knowledge_base_id}`)).data.name, "Copy");
  });

  test("IMP2 a folder of plain Markdown becomes documents whose links and pictures work", async () => {
    const { client } = await world.person();
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5", "base64");
    const job = await imported(
      client,
      await zipOf({
        "notes/index.md":
          '---\ntitle: "The \\"start\\""\n---\n\nSee [guide](sub/guide.md) and [web](https://example.com).\n',
        "notes/sub/guide.md": "# A guide\n\n![pic](../img/p.png) back to [start](../index.md#x) and [gone](nope.md)\n",
        "notes/img/p.png": png,
        "__MACOSX/notes/._index.md": "junk",
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    const { knowledge_base, children } = (await client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    assert.equal(knowledge_base.name, "notes");
    const [folder, start] = children;
    assert.deepEqual([folder.name, start.title, folder.children[0].title], ["sub", 'The "start"', "A guide"]);
    const guide = folder.children[0].id;
    const read = async (id: string) => (await client.get(`/documents/${id}/content?format=markdown`)).text;
    assert.equal(await read(start.id), `See [guide](svc://doc/${guide}) and [web](https://example.com).\n`);
    const [attachment] = (await client.get(`/documents/${guide}/attachments`)).data;
    assert.deepEqual([attachment.content_type, attachment.reference_count], ["image/png", 1]);
    assert.match(await read(guide), new RegExp(`svc://doc/${start.id}`));
    assert.match(await read(guide), /\[gone\]\(nope\.md\)/);
  });

  test("IMP3 hostile and damaged archives are refused with a reason, and leave nothing", async () => {
    const ada = await world.person();
    const { client } = ada;
    const base = await makeKnowledgeBase(client);
    const { id } = await makeDocument(client, { knowledge_base_id: base.id });
    await upload(client, id, "file", "f.txt");
    const good = await exported(world, ada, base.id);
    const files = await filesIn(world);
    const bob = await world.person();
    const symlink = await zipOf({ "link.md": "/etc/passwd" });
    symlink.writeUInt32LE(0o120777 * 0x10000, symlink.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 38);
    const badName = await zipOf({ "nam\u00e9.md": "x" });
    for (let at = badName.indexOf(0xc3); at >= 0; at = badName.indexOf(0xc3)) badName[at] = 0xff;
    const twice = await zipOf({ "aa.md": "x", "ab.md": "y" });
    for (let i = twice.indexOf("ab.md"); i >= 0; i = twice.indexOf("ab.md")) twice.write("aa.md", i);
    const bomb = await zipOf({ "a.md": "x", "bomb.bin": new Uint8Array(40_000_000) });
    const hostile: [string, Uint8Array, string][] = [
      ["not a zip", Buffer.from("hello"), "invalid_archive"],
      ["empty", Buffer.alloc(0), "invalid_archive"],
      ["gzip", gzipSync("x"), "invalid_archive"],
      ["cut off", good.subarray(0, good.length - 30), "invalid_archive"],
      ["traversal", await zipOf({ "../../evil.md": "x" }), "unsafe_archive"],
      ["absolute", await zipOf({ "/etc/cron.d/evil.md": "x" }), "unsafe_archive"],
      ["drive", await zipOf({ "C:/evil.md": "x" }), "unsafe_archive"],
      ["backslash", await zipOf({ "a\\..\\..\\evil.md": "x" }), "unsafe_archive"],
      ["symlink", symlink, "unsafe_archive"],
      ["bad encoding", badName, "unsafe_archive"],
      ["twice", twice, "unsafe_archive"],
      ["bomb", bomb, "unsafe_archive"],
      ["no documents", await zipOf({ "a.txt": "x" }), "invalid_archive"],
      ["not UTF-8", await zipOf({ "a.md": Buffer.from([0xff, 0xfe, 0x00]) }), "invalid_archive"],
      ["bad manifest", await zipOf({ "manifest.json": '{"format":"svc-knowledge-base"}' }), "invalid_archive"],
      ["broken manifest", await zipOf({ "manifest.json": "{" }), "invalid_archive"],
    ];
    for (const [what, archive, code] of hostile) {
      const job = await imported(bob.client, archive);
      assert.deepEqual([what, job.status, job.error?.code], [what, "failed", code], JSON.stringify(job.error));
    }
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
    const { documents, folders, attachments } = (await bob.client.get("/me/quota")).data;
    assert.deepEqual([documents.used, folders.used, attachments.used_bytes], [0, 0, 0]);
    await sleep(100);
    assert.deepEqual(await filesIn(world), files);
  });

  test("IMP3 an archive whose last document is wrong leaves nothing of the first ones", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client);
    for (let i = 0; i < 60; i++) await makeDocument(ada.client, { knowledge_base_id: base.id, title: `D ${i}` });
    const { id } = await makeDocument(ada.client, { knowledge_base_id: base.id, title: "ZZZ last", text: "needle" });
    await upload(ada.client, id, "a file", "f.bin");
    const archive = await exported(world, ada, base.id);
    const bob = await world.person();
    const wrong = await withoutLastBody(archive);
    const job = await imported(bob.client, wrong);
    assert.deepEqual([job.status, job.error.code], ["failed", "invalid_archive"]);
    assert.ok(job.progress.documents_done >= 50, "some were built before");
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
    assert.equal((await bob.client.get("/me/quota")).data.documents.used, 0);
  });

  test("IMP4 a quota refuses the import whole; the request's own faults are told at once", async () => {
    const { client } = await world.person();
    const form = new FormData();
    form.set("name", "x");
    assertError(await client.post("/knowledge-bases/import", form), "invalid_request");
    assertError(await client.post("/knowledge-bases/import", { file: "x" }), "unsupported_media_type");
    const stranger = await world.person();
    const { id } = await startImport(client, await zipOf({ "a.md": "x" }));
    assertError(await stranger.client.get(`/import-jobs/${id}`), "not_found");
    assert.equal((await ended(client, id)).status, "succeeded");
  });
});

/** The archive with the name of its last document's body changed, so that the manifest names a file that is not there. */
async function withoutLastBody(archive: Buffer): Promise<Buffer> {
  const changed = Buffer.from(archive);
  for (let at = changed.indexOf("ZZZ last.json"); at >= 0; at = changed.indexOf("ZZZ last.json"))
    changed.write("ZZZ lost", at);
  return changed;
}

onEachDatabase(
  "import quotas",
  (world) => {
    test("IMP4 too many documents for the workspace: nothing is imported", async () => {
      const { client } = await world.person();
      const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}.md`, "x"]));
      const job = await imported(client, await zipOf(files));
      assert.deepEqual([job.status, job.error.code], ["failed", "quota_exceeded"]);
      assert.deepEqual((await client.get("/knowledge-bases")).data, []);
      assert.equal((await client.get("/me/quota")).data.documents.used, 0);
    });
  },
  { SVC_MAX_DOCUMENTS: "30" },
);
