import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { request } from "node:http";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { exportOf, imported, unzipped } from "../../support/archives.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import {
  makeComment,
  makeConcept,
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  makeRelation,
  makeSuggestion,
  markdown,
  upload,
} from "../../support/fixtures.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** The files of an export, its manifest and the headers of the answer. */
async function unpacked(world: World, person: Person, id: number) {
  const reply = await exportOf(world, person, id);
  const contents = unzipped(Buffer.from(await reply.arrayBuffer()));
  const read = (path: string) => defined(contents.get(path));
  const manifest: Loose = JSON.parse(read("manifest.json").toString());
  return { files: [...contents.keys()], read, manifest, headers: reply.headers };
}

/** Reads the first bytes of an answer, then drops the connection. */
function leaveHalfWay(url: string, token: string): Promise<void> {
  return new Promise((resolve) => {
    const asking = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (reply) => {
      reply.on("error", () => undefined);
      reply.once("data", () => asking.destroy());
      reply.once("close", () => setTimeout(resolve, 50));
    });
    asking.on("error", () => undefined).end();
  });
}

onEachDatabase("export", (world) => {
  test("EXP9 comments and suggestions are in a file that the document's line names", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client);
    const document = await makeDocument(client, { knowledge_base_id: base.id, title: "Discussed" });
    await makeDocument(client, { knowledge_base_id: base.id, title: "Quiet" });
    const comment = await makeComment(client, { document_id: document.id });
    const suggestion = await makeSuggestion(client, { document_id: document.id });
    const { files, read, manifest } = await unpacked(world, person, base.id);
    const path = `discussions/${document.id}.json`;
    assert.deepEqual(manifest.documents.map((one: Loose) => [one.title, one.discussion_path]).sort(), [
      ["Discussed", path],
      ["Quiet", undefined],
    ]);
    assert.deepEqual(
      files.filter((file) => file.startsWith("discussions/")),
      [path],
    );
    const { comments, suggestions } = JSON.parse(read(path).toString());
    assert.deepEqual([comments[0].id, suggestions[0].id], [comment.id, suggestion.id]);
  });

  test("EXP1 every document is there as Markdown and as its exact body, with its attachments and a manifest", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client, "Team handbook");
    const guides = await makeFolder(client, { knowledge_base_id: base.id, name: "Guides" });
    const inner = await makeFolder(client, { knowledge_base_id: base.id, name: "Inner", parent_id: guides.id });
    const first = await makeDocument(client, {
      knowledge_base_id: base.id,
      title: "First steps",
      text: "# One\n\nTwo",
    });
    const second = await makeDocument(client, {
      knowledge_base_id: base.id,
      folder_id: inner.id,
      title: "Second (part)",
      text: `See [the first](svc://doc/${first.id}) and [nowhere](svc://doc/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ).`,
    });
    const file = await upload(client, second.id, "file content", "notes & more.txt");
    const content = (await client.get(`/documents/${second.id}/content?format=markdown&annotate=anchors`)).text;
    const withImage = `${content}\n![pic](${file.url})\n`;
    assertStatus(await client.put(`/documents/${second.id}/content`, markdown(withImage), { ifMatch: "*" }), 200);
    const { files, read, manifest, headers } = await unpacked(world, person, base.id);
    assert.deepEqual(files, [
      "First steps.json",
      "First steps.md",
      "Guides/Inner/Second (part).json",
      "Guides/Inner/Second (part).md",
      "Guides/Inner/index.md",
      "Guides/index.md",
      `attachments/${file.id}/notes & more.txt`,
      "index.md",
      "manifest.json",
      `styles/${first.id}.txt`,
    ]);
    assert.match(defined(headers.get("content-disposition")), /filename="Team handbook\.zip"/);
    assert.equal(headers.get("content-type"), "application/zip");
    const stored = (await client.get(`/documents/${second.id}/content`)).data;
    assert.deepEqual(JSON.parse(read("Guides/Inner/Second (part).json").toString()), stored.document);
    const text = read("Guides/Inner/Second (part).md").toString();
    const metadata = (await client.get(`/documents/${second.id}`)).data;
    const iso = new Date(metadata.updated_at).toISOString();
    for (const line of [
      "type: Document",
      'title: "Second (part)"',
      `id: ${second.id}`,
      `resource: svc://doc/${second.id}`,
      `version: "${metadata.version}"`,
      "locale: null",
      `updated_at: "${iso}"`,
      `generated: {by: svc, at: "${iso}"}`,
      `<!--@block=${stored.document.content[0].attrs.id}`,
      "[the first](/First%20steps.md)",
      "[nowhere](svc://doc/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ)",
      `![pic](/attachments/${file.id}/notes%20%26%20more.txt)`,
    ])
      assert.ok(text.includes(line), `${line}\n${text}`);
    assert.equal(read(`attachments/${file.id}/notes & more.txt`).toString(), "file content");
    assert.match(read("index.md").toString(), /^---\nokf_version: "0\.2"\n---\n\n# Team handbook\n/);
    assert.match(read("index.md").toString(), /\* \[Guides\]\(\/Guides\/index\.md\)/);
    assert.match(
      read("Guides/Inner/index.md").toString(),
      /\* \[Second \(part\)\]\(\/Guides\/Inner\/Second%20%28part%29\.md\)/,
    );
    assert.equal(manifest.knowledge_base.name, "Team handbook");
    assert.deepEqual(
      manifest.folders.map((folder: Loose) => [folder.id, folder.parent_id, folder.path]),
      [
        [guides.id, null, "Guides"],
        [inner.id, guides.id, "Guides/Inner"],
      ],
    );
    const line = manifest.documents.find((document: Loose) => document.id === second.id);
    assert.deepEqual(
      [line.path, line.body_path, line.folder_id],
      ["Guides/Inner/Second (part).md", "Guides/Inner/Second (part).json", inner.id],
    );
    assert.equal(line.attachments[0].path, `attachments/${file.id}/notes & more.txt`);
    assert.deepEqual([manifest.relations, manifest.concepts], [[], []]);
    assert.deepEqual(
      manifest.checksums,
      Object.fromEntries(
        files
          .filter((path) => path !== "manifest.json")
          .map((path) => [path, createHash("sha256").update(read(path)).digest("hex")]),
      ),
    );
  });

  test("EXP7 the manifest lists stated relations and living concepts, page after page", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client);
    const document = await makeDocument(client, { knowledge_base_id: base.id });
    const [block] = (await client.get(`/documents/${document.id}/blocks`)).data;
    const from = { source_document_id: document.id, source_block_id: block.id };
    const stated = await makeRelation(client, { ...from, target_uri: document.uri, anchor_text: "itself" });
    await makeRelation(client);
    const { version } = (await client.get(`/documents/${document.id}`)).data;
    const concepts: Loose[] = [];
    for (let i = 0; i < 103; i++)
      concepts.push(await makeConcept(client, { knowledge_base_id: base.id, name: `Concept ${i}` }));
    const foreign = await makeConcept(client);
    const add = async (from: number, what: string, body: Loose) =>
      assertStatus(await client.post(`/concepts/${defined(concepts[from]).id}/${what}`, body, { ifMatch: "*" }), 201);
    for (const i of [0, 50, 102])
      await add(i, "sources", { document_id: document.id, block_id: block.id, source_version: version });
    await add(102, "relations", { predicate: "broader_than", target_concept_id: defined(concepts[0]).id, valid_to: 9 });
    await add(1, "relations", { predicate: "related_to", target_concept_id: foreign.id });
    const { manifest } = await unpacked(world, person, base.id);
    assert.deepEqual(manifest.relations, [
      {
        ...{ id: stated.id, origin: "manual", predicate: "supports", ...from, source_version: version },
        ...{ target_uri: document.uri, target_document_id: document.id, target_block_id: null },
        ...{ anchor_text: "itself", created_at: stated.created_at },
      },
    ]);
    assert.deepEqual(
      manifest.concepts.map((concept: Loose) => concept.id),
      concepts.map((concept) => concept.id).sort(),
    );
    const line = (index: number) =>
      manifest.concepts.find((concept: Loose) => concept.id === defined(concepts[index]).id);
    const source = { document_id: document.id, block_id: block.id, source_version: version };
    for (const i of [0, 50, 102]) assert.deepEqual(line(i).sources, [source]);
    assert.deepEqual([line(1).sources, line(1).relations, line(0).relations], [[], [], []]);
    const [{ id: _, ...relation }] = line(102).relations;
    const target_concept_id = defined(concepts[0]).id;
    assert.deepEqual(relation, { predicate: "broader_than", target_concept_id, valid_from: null, valid_to: 9 });
  });

  test("EXP2 nothing of another workspace or knowledge base is in it", async () => {
    const person = await world.person();
    const base = await makeKnowledgeBase(person.client, "Mine");
    await makeDocument(person.client, { title: "Elsewhere" });
    const { files } = await unpacked(world, person, base.id);
    assert.deepEqual(files, ["index.md", "manifest.json"]);
    const stranger = await world.person();
    assertError(await stranger.client.get(`/knowledge-bases/${base.id}/export`), "not_found");
  });

  test("EXP3 hostile titles unpack to safe paths below the target, none over another", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client, "../base");
    const titles = [
      "..",
      "../../../../tmp/evil",
      "/etc/passwd",
      "C:\\Windows\\win.ini",
      "CON",
      "index",
      "Index",
      "log",
      "manifest",
      "attachments",
      "a/b",
      "a-b",
      "A/B",
      "\u202egnp.exe",
      "🙂".repeat(120),
      "x".repeat(500),
      "x".repeat(499),
      "trailing. . .",
      "'; rm -rf ~; '",
      "$(touch evil)",
    ];
    for (const title of titles) {
      await makeDocument(client, { knowledge_base_id: base.id, title });
      await makeFolder(client, { knowledge_base_id: base.id, name: title });
    }
    const { files, manifest } = await unpacked(world, person, base.id);
    assert.equal(files.length, titles.length * 3 + 2);
    assert.equal(new Set(files.map((path) => path.toLowerCase())).size, files.length);
    for (const path of files)
      for (const step of path.split("/")) {
        assert.ok(step !== "" && step !== "." && step !== "..", path);
        assert.ok(Buffer.byteLength(step) <= 200, path);
      }
    assert.deepEqual(
      manifest.documents.map((document: Loose) => document.title).sort(),
      titles.map((title) => title.trim()).sort(),
    );
  });

  test("EXP5 the archive is of one moment, whatever is written meanwhile", async () => {
    const person = await world.person();
    const { client } = person;
    const base = await makeKnowledgeBase(client);
    const documents = [];
    for (let i = 0; i < 30; i++)
      documents.push(
        await makeDocument(client, { knowledge_base_id: base.id, title: `D${i}`, text: "word ".repeat(3000) }),
      );
    let writing = true;
    const writer = (async () => {
      for (let round = 0; writing; round++)
        for (const { id } of documents)
          if (writing) await client.put(`/documents/${id}/content`, markdown(`round ${round}`), { ifMatch: "*" });
    })();
    const { manifest, read } = await unpacked(world, person, base.id);
    writing = false;
    await writer;
    assert.equal(manifest.documents.length, 30);
    for (const document of manifest.documents) {
      const body = JSON.parse(read(document.body_path).toString());
      const text = read(document.path).toString();
      assert.ok(text.includes(`version: "${document.version}"`), "the manifest and the file tell one version");
      assert.ok(text.includes(`@block=${body.content[0].attrs.id}`), "the Markdown and the body are one state");
    }
  });

  test("EXP10 a folder is the top of its archive, and comes back as a knowledge base", async () => {
    const person = await world.person();
    const { client } = person;
    const knowledge_base_id = (await makeKnowledgeBase(client, "Handbook")).id;
    const folder = await makeFolder(client, { knowledge_base_id, name: "Guides" });
    const inner = await makeFolder(client, { knowledge_base_id, name: "Inner", parent_id: folder.id });
    const outside = await makeDocument(client, { knowledge_base_id, title: "Outside" });
    const one = await makeDocument(client, { knowledge_base_id, folder_id: folder.id, title: "One" });
    const two = await makeDocument(client, { knowledge_base_id, folder_id: inner.id, title: "Two" });
    for (const { id } of [outside, one]) await makeRelation(client, { source_document_id: id, target_uri: two.uri });
    const archive = Buffer.from(await (await exportOf(world, person, folder.id, "folders")).arrayBuffer());
    const manifest: Loose = JSON.parse(defined(unzipped(archive).get("manifest.json")).toString());
    assert.deepEqual([...unzipped(archive).keys()].filter((path) => path.endsWith(".json")).sort(), [
      "Inner/Two.json",
      "One.json",
      "manifest.json",
    ]);
    assert.equal(manifest.relations.length, 1);
    const job = await imported(client, archive);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    const made = (await client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    assert.equal(made.knowledge_base.name, "Guides");
    assert.deepEqual(
      made.children.map((item: Loose) => [item.name ?? item.title, item.children?.[0]?.title]),
      [
        ["Inner", "Two"],
        ["One", undefined],
      ],
    );
    assertError(await client.get("/folders/999999999/export"), "not_found");
  });

  test("EXP6 a reader that leaves half way costs nothing afterwards", async () => {
    const person = await world.person();
    const { client, token } = person;
    const base = await makeKnowledgeBase(client);
    const { id } = await makeDocument(client, { knowledge_base_id: base.id });
    for (let i = 0; i < 3; i++)
      await upload(
        client,
        id,
        new Uint8Array(3_000_000).map(() => Math.random() * 256),
        `${i}.bin`,
      );
    for (let i = 0; i < 6; i++) await leaveHalfWay(`${world.url}/api/v1/knowledge-bases/${base.id}/export`, token);
    const { files } = await unpacked(world, person, base.id);
    assert.equal(files.length, 7);
  });
});
