import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { exported, imported, unzipped, withManifest } from "../../support/archives.ts";
import { png } from "../../support/attachments.ts";
import { assertError, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, startImport, upload, zipOf } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const filesIn = async (world: World): Promise<string[]> =>
  (await Array.fromAsync(world.app.services.blobs.list(""))).map(({ key }) => key).sort();

/** The archive with the name of its last document's body changed, so that the manifest names a file that is not there. */
async function withoutLastBody(archive: Buffer): Promise<Buffer> {
  const changed = Buffer.from(archive);
  for (let at = changed.indexOf("ZZZ last.json"); at >= 0; at = changed.indexOf("ZZZ last.json"))
    changed.write("ZZZ lost", at);
  return changed;
}

/** The archive with the CRC-32 of a file changed in its directory, which is what readers go by. */
function withOtherSum(archive: Buffer, path: string): Buffer {
  const changed = Buffer.from(archive);
  const line = changed.lastIndexOf(path) - DIRECTORY_LINE_BYTES;
  changed.writeUInt32LE((changed.readUInt32LE(line + 16) ^ 1) >>> 0, line + 16);
  return changed;
}
/** Length of a directory entry up to its path. */
const DIRECTORY_LINE_BYTES = 46;

function withOtherByte(archive: Buffer, content: string): Buffer {
  const changed = Buffer.from(archive);
  const at = changed.indexOf(content);
  assert.ok(at >= 0, "it is stored as it is");
  changed[at] = changed.readUInt8(at) ^ 1;
  return changed;
}

onEachDatabase("refused imports", (world) => {
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
    await until("no file is left", async () => isDeepStrictEqual(await filesIn(world), files));
  });

  test("IMP3 a file whose bytes are not those of its checksum is refused by name, and nothing is left", async () => {
    const { client } = await world.person();
    const files = await filesIn(world);
    const archive = await zipOf({
      "stored.md": "Short [file](stored.txt) ![picture](deflated.png)",
      "deflated.md": "Many words. ".repeat(200),
      "stored.txt": "Short file",
      "deflated.png": Buffer.concat([png, Buffer.alloc(5000, "tail ")]),
    });
    const damaged: [string, Buffer][] = [
      ["stored.md", withOtherByte(archive, "Short [")],
      ["deflated.md", withOtherSum(archive, "deflated.md")],
      ["stored.txt", withOtherByte(archive, "Short file")],
      ["deflated.png", withOtherSum(archive, "deflated.png")],
    ];
    for (const [path, wrong] of damaged) {
      const job = await imported(client, wrong);
      assert.deepEqual([path, job.status, job.error?.code], [path, "failed", "invalid_archive"]);
      assert.match(job.error.message, new RegExp(`"${path}" is damaged`));
    }
    assert.deepEqual((await client.get("/knowledge-bases")).data, []);
    const { documents, attachments } = (await client.get("/me/quota")).data;
    assert.deepEqual([documents.used, attachments.used_bytes], [0, 0]);
    await until("no file is left", async () => isDeepStrictEqual(await filesIn(world), files));
    const whole = await imported(client, archive);
    assert.deepEqual([whole.status, whole.error], ["succeeded", null]);
  });

  test("IMP3 what the API refuses of a document is refused in a manifest, and so is any file with a wrong checksum", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client);
    await makeDocument(ada.client, { knowledge_base_id: base.id });
    const archive = await exported(world, ada, base.id);
    const bob = await world.person();
    const cases: [Loose, string][] = [
      [{ background_color: "javascript:1" }, "background_color must be a hex colour"],
      [{ background_color: "" }, "background_color must be a hex colour"],
      [{ title: "x".repeat(501) }, "title must be 1 to 500 characters"],
      [{ title: " " }, "title must be 1 to 500 characters"],
      [{ title: "a\u0007" }, "title must be 1 to 500 characters"],
      [{ document_type: "page" }, "document_type must be one of document, spreadsheet"],
      [{ heading_numbered: "yes" }, "heading_numbered must be boolean"],
      [{ collapsed_block_ids: ["nonsense"] }, "collapsed_block_ids/0 must match pattern"],
    ];
    for (const [fields, message] of cases) {
      const changed = await withManifest(archive, ({ documents }) => Object.assign(documents[0], fields));
      const { status, error } = await imported(bob.client, changed);
      assert.deepEqual([status, error?.code], ["failed", "invalid_archive"], JSON.stringify(fields));
      assert.ok(error.message.includes(`manifest.json/documents/0/${message}`), error.message);
    }
    const files = Object.fromEntries(unzipped(archive));
    const { status, error } = await imported(bob.client, await zipOf({ ...files, "index.md": "Another" }));
    assert.deepEqual([status, error?.code], ["failed", "checksum_mismatch"]);
    assert.match(error.message, /"index\.md"/);
    assert.deepEqual((await bob.client.get("/knowledge-bases")).data, []);
  });

  test("IMP7 folders and files that a manifest names and that are not there are told in warnings", async () => {
    const ada = await world.person();
    const base = await makeKnowledgeBase(ada.client);
    const place = { knowledge_base_id: base.id };
    const folder = await makeFolder(ada.client, { ...place, name: "Outer" });
    await makeFolder(ada.client, { ...place, name: "Inner", parent_id: folder.id });
    const { id } = await makeDocument(ada.client, { ...place, folder_id: folder.id, title: "Page" });
    await upload(ada.client, id, "file", "f.txt");
    const archive = await withManifest(await exported(world, ada, base.id), (manifest) => {
      for (const line of [...manifest.folders, ...manifest.documents])
        if ("folder_id" in line) line.folder_id = 77;
        else if (line.parent_id !== null) line.parent_id = 78;
    });
    const files = [...unzipped(archive)].filter(([path]) => !/f\.txt$|(?:^|\/)index\.md$|Page\.md$/.test(path));
    const { status, warnings } = await imported(ada.client, await zipOf(Object.fromEntries(files)));
    assert.equal(status, "succeeded");
    const told = (pattern: RegExp) => warnings.filter((warning: string) => pattern.test(warning)).length;
    assert.equal(told(/^(?:Inner|Page): its folder is not in the archive, so it is at the top\.$/), 2);
    for (const path of [/\/f\.txt: /, /\bindex\.md: /, /\bPage\.md: /])
      assert.ok(told(new RegExp(`${path.source}the manifest names this file`)) > 0, JSON.stringify(warnings));
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
    assert.equal((await jobEnded(client, "import-jobs", id)).status, "succeeded");
  });
});

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
