import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { importJob } from "@svc/server/domain/exchange/import/import-job";
import { exported, imported } from "../../support/archives.ts";
import { assertStatus, type Client, type Loose } from "../../support/client.ts";
import {
  makeComment,
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  makeSuggestion,
  markdown,
  sendArchive,
  upload,
  zipOf,
} from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { onEachDatabase } from "../../support/world.ts";

/** A tree with the bodies in it, and ids replaced by the order in which they come. */
async function pictureOf(client: Client, id: number): Promise<string> {
  const { children } = (await client.get(`/knowledge-bases/${id}/tree`)).data;
  const filled = async (items: Loose[]): Promise<Loose[]> =>
    Promise.all(
      items.map(async (item) => {
        if (item.type === "folder") return { name: item.name, children: await filled(item.children) };
        const { document } = (await client.get(`/documents/${item.id}/content`)).data;
        const { heading_numbered, background_color, collapsed_block_ids, is_template } = (
          await client.get(`/documents/${item.id}`)
        ).data;
        const settings = { heading_numbered, background_color, collapsed_block_ids, is_template };
        return { id: item.id, title: item.title, type: item.document_type, settings, document };
      }),
    );
  const names = new Map<string, string>();
  return JSON.stringify(await filled(children), null, 1).replace(/(doc|block|att)_[0-9A-Z]{26}/g, (id) => {
    if (!names.has(id)) names.set(id, `${id.split("_")[0]}#${names.size}`);
    return defined(names.get(id));
  });
}

onEachDatabase("import", (world) => {
  test("IMP4 the progress of an import that has succeeded is complete, also where reports came too late", async () => {
    const { client, workspaceId, userId } = await world.person();
    const { services } = world.app;
    const archive = await zipOf({ "a.md": "a", "b.md": "b", "c.md": "c" });
    const { id } = await imported(client, archive);
    const { database } = services;
    const job = await database.read
      .selectFrom("jobs")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const blobKey = `imports/${id}-again`;
    await services.blobs.put(blobKey, Readable.from([archive]), { maxBytes: archive.length });
    const payload = JSON.stringify({ ...JSON.parse(job.payload), blobKey });
    const control = { signal: new AbortController().signal, report: async () => undefined };
    const again = { ...job, id: `${id}2`, payload, progress: "{}", created_by: userId };
    await database.transaction((tx) => tx.insertInto("jobs").values(again).execute());
    const commit = await importJob.run(again, services, control);
    assert.equal((await database.transaction(commit)).status, "succeeded");
    const { progress } = assertStatus(await client.get(`/import-jobs/${again.id}`), 200).data;
    assert.deepEqual(progress, { documents_total: 3, documents_done: 3 });
  });

  test("IMP1 export and import into another workspace give the same tree, bodies and files", async () => {
    const ada = await world.person();
    const { client } = ada;
    const base = await makeKnowledgeBase(client, "Handbook");
    const outer = await makeFolder(client, { knowledge_base_id: base.id, name: "Outer" });
    const inner = await makeFolder(client, { knowledge_base_id: base.id, name: "../Inner", parent_id: outer.id });
    await makeFolder(client, { knowledge_base_id: base.id, name: "Empty" });
    const first = await makeDocument(client, { knowledge_base_id: base.id, title: "First", text: "# A\n\n- b\n- c\n" });
    const block = (await client.get(`/documents/${first.id}/blocks`)).data[0].id;
    await client.patch(`/documents/${first.id}`, {
      heading_numbered: true,
      is_template: true,
      collapsed_block_ids: [block],
    });
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
    assert.deepEqual([job.relations, job.concepts], [0, 0]);
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
    assert.equal(await read(start.id), `\nSee [guide](svc://doc/${guide}) and [web](https://example.com).\n`);
    const [attachment] = (await client.get(`/documents/${guide}/attachments`)).data;
    assert.deepEqual([attachment.content_type, attachment.reference_count], ["image/png", 1]);
    assert.match(await read(guide), new RegExp(`svc://doc/${start.id}`));
    assert.match(await read(guide), /\[gone\]\(nope\.md\)/);
  });

  test("IMP2 one Markdown file by itself is a knowledge base of one page; another kind of file is refused", async () => {
    const { client } = await world.person();
    const sent = async (text: string | Uint8Array, fileName: string) => {
      const { data } = assertStatus(await sendArchive(client, Buffer.from(text), undefined, fileName), 202);
      return jobEnded(client, "import-jobs", data.id);
    };
    const job = await sent("# How to begin\n\nBy *reading*.\n", "Handbook.MD");
    assert.deepEqual([job.status, job.format, job.documents], ["succeeded", "markdown", 1]);
    const { knowledge_base, children } = (await client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    assert.deepEqual([knowledge_base.name, children[0].title], ["Handbook", "How to begin"]);
    const { text } = await client.get(`/documents/${children[0].id}/content?format=markdown`);
    assert.equal(text, "# How to begin\n\nBy *reading*.\n");
    for (const [content, fileName] of [
      ["plain words", "words.txt"],
      [Uint8Array.of(0x89, 0x50, 0x00, 0xff), "no-text.md"],
    ] as const)
      assert.equal((await sent(content, fileName)).error?.code, "invalid_archive", fileName);
  });

  test("IMP2 Markdown files with hidden names are left out and named", async () => {
    const { client } = await world.person();
    const files = { "a.md": "seen", ".draft.md": "not", "._a.md": "a Mac's", ".git/b.md": "Git's", "in/.c.md": "not" };
    const job = await imported(client, await zipOf(files));
    assert.equal(job.documents, 1);
    assert.deepEqual(job.warnings, [
      ".draft.md: left out, as its name begins with a dot.",
      "in/.c.md: left out, as its name begins with a dot.",
    ]);
  });

  test("IMP7 links to headings of other files become links to blocks; what leads nowhere is named", async () => {
    const { client } = await world.person();
    const job = await imported(
      client,
      await zipOf({
        "a.md":
          "[one](b.md#second-part) [two](b.md#Second%20part) [again](./b.md#second-part-1) [no](b.md#third) [none](c.md)\n",
        "b.md": "# Title\n\n## Second part\n\ntext\n\n> ## Second part\n",
      }),
    );
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    const { children } = (await client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    const [a, b] = children;
    const [, second, , quote] = (await client.get(`/documents/${b.id}/content`)).data.document.content;
    const [third] = quote.content;
    const { text } = await client.get(`/documents/${a.id}/content?format=markdown`);
    const uri = `svc://doc/${b.id}`;
    assert.equal(
      text,
      `[one](${uri}#block=${second.attrs.id}) [two](${uri}#block=${second.attrs.id}) [again](${uri}#block=${third.attrs.id}) [no](${uri}) [none](c.md)\n`,
    );
    assert.deepEqual(job.warnings, [
      "a.md: the link to b.md#third leads nowhere, there is no such heading.",
      "a.md: the link to c.md leads nowhere, there is no such file.",
    ]);
    const relations = (await client.get(`/documents/${a.id}/relations?direction=outgoing`)).data;
    assert.ok(relations.every((relation: Loose) => relation.state === "ok"));
  });

  test("IMP10 comments and suggestions go along: threads, passages, authors by name, and what can be accepted", async () => {
    const ada = await world.person();
    const { client } = ada;
    const { id: document_id, knowledge_base_id } = await makeDocument(client, { text: "# Plan\n\nEvery Friday.\n" });
    const block = (await client.get(`/documents/${document_id}/blocks`)).data[1];
    const anchor = { block_id: block.id, quote: "Friday" };
    const opened = { body: markdown("Really?"), anchor };
    const comment = assertStatus(await client.post(`/documents/${document_id}/comments`, opened), 201).data;
    await client.post(`/comments/${comment.id}/replies`, { body: markdown("Yes.") });
    await client.post(`/comments/${(await makeComment(client, { document_id })).id}/resolve`);
    const content = markdown("# Plan\n\nEvery Monday.\n\nNew.\n");
    await makeSuggestion(client, { document_id, operations: undefined, content, note: "Moved" });

    const bob = await world.person();
    const job = await imported(bob.client, await exported(world, ada, knowledge_base_id));
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    const { children } = (await bob.client.get(`/knowledge-bases/${job.knowledge_base_id}/tree`)).data;
    const id = children[0].id;
    const threads = (await bob.client.get(`/documents/${id}/comments?state=all`)).data;
    assert.deepEqual(
      threads.map(({ body, replies, anchor, resolved_at }: Loose) => [
        body.markdown,
        replies.map((reply: Loose) => reply.body.markdown),
        anchor && [anchor.quote, anchor.state],
        resolved_at !== null,
      ]),
      [
        ["Really?", ["Yes."], ["Friday", "ok"], false],
        [threads[1].body.markdown, [], null, true],
      ],
    );
    assert.deepEqual([threads[0].author.name, threads[0].author.user_id], ["test", bob.userId]);
    const [suggestion] = (await bob.client.get(`/documents/${id}/suggestions`)).data;
    assert.deepEqual([suggestion.status, suggestion.note], ["open", "Moved"]);
    const path = `/suggestions/${suggestion.id}/accept`;
    assertStatus(await bob.client.post(path, {}, { ifMatch: suggestion.version }), 200);
    const { text } = await bob.client.get(`/documents/${id}/content?format=markdown`);
    assert.match(text, /Every Monday\.\n\nNew\./);
  });
});
