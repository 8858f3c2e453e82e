import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { isForThread, tasksEnded } from "@svc/server/bodies/parsing/parse-in-worker";
import { readNodes } from "../../support/bodies.ts";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase } from "../../support/world.ts";

/** Long enough for the thread; with lists, a table, a link and a style of its own that a source keeps. */
const page = (word: string): string =>
  [
    `# ${word}`,
    `Some *words* about __${word}__ and [a page](https://example.com/${word}).`,
    ...Array.from({ length: 40 }, (_, i) => `* item ${i} of ${word}\n    1. nested ${i}\n    2. and more\n`),
    `| a | ${word} |\n|---|:--|\n| 1 | 2 |`,
    `\`\`\`ts\nconst ${word} = 1;\n\`\`\``,
    "",
  ].join("\n\n");

onEachDatabase("bodies that another thread makes", (world) => {
  /** Address of the server in this process, whose threads are observed. */
  let client: Client;
  before(async () => {
    client = new Client(world.directUrl, (await world.person()).token);
  });
  const put = (document: Loose, text: string, ifMatch = "*", query = "") =>
    client.put(`/documents/${document.id}/content${query}`, markdown(text), { ifMatch });
  const read = async (document: Loose, format: string): Promise<string> =>
    (await client.get(`/documents/${document.id}/content?format=${format}`)).text;
  const untilFree = () => until("the thread is free", () => isForThread({ format: "markdown", content: page("x") }, 0));
  /** Ids of blocks are different each time. */
  const htmlOf = async (document: Loose) => (await read(document, "html")).replaceAll(/block_\w+/g, "id");

  test("BODY29 a body is read as it was sent, whichever thread has made it", async () => {
    const here = await makeDocument(client, { text: "short" });
    await untilFree();
    const before = tasksEnded();
    const made = await makeDocument(client, { text: page("made") });
    assert.equal(await read(made, "markdown"), page("made"));
    const document = { type: "doc", content: (await readNodes(client, made.id)).nodes };
    const blocks = { format: "tiptap-json", document };
    assertStatus(await client.put(`/documents/${here.id}/content`, blocks, { ifMatch: "*" }), 200);
    assert.equal(await htmlOf(made), await htmlOf(here));
    assertStatus(await put(made, page("again"), made.version), 200);
    assert.equal(tasksEnded() - before, 2);
    assert.equal(await read(made, "markdown"), page("again"));
    const { data: versions } = await client.get(`/documents/${made.id}/versions`);
    assert.equal(versions.length, 1);
    const found = await client.get("/search/v2?q=again");
    assert.equal(found.data[0].document_id, made.id);
  });

  test("BODY29 versions, front matter, trial runs and suggestions are as ever", async () => {
    await untilFree();
    const document = await makeDocument(client, { text: page("first") });
    assertStatus(await put(document, page("second"), document.version), 200);
    assertError(await put(document, page("late"), document.version), "version_conflict");
    assertError(await put({ id: "doc_01M7NCSECPVWFBKQ7EFJ16WNXC" }, page("nowhere")), "not_found");
    assertStatus(await put(document, page("trial"), "*", "?dry_run=true"), 200);
    assert.equal(await read(document, "markdown"), page("second"));
    assertStatus(await put(document, `---\nstatus: done\n---\n${page("third")}`), 200);
    const { data } = await client.get(`/documents/${document.id}/properties`);
    assert.equal(data.properties.status, "done");
    assertError(await put(document, `---\nstatus: [\n---\n${page("broken")}`), "invalid_properties");
    const { etag } = await client.get(`/documents/${document.id}/content`);
    assertStatus(await put(document, page("proposed"), defined(etag), "?mode=suggest"), 202);
    assert.equal(await read(document, "markdown"), page("third"));
  });

  test("BODY29 who is late is told so first, and anchors are anchors however they are written", async () => {
    await untilFree();
    const document = await makeDocument(client, { text: page("first") });
    const broken = `---\nstatus: [\n---\n${page("broken")}`;
    assertStatus(await put(document, page("second"), document.version), 200);
    assertError(await put(document, broken, document.version), "version_conflict");
    const path = `/documents/${document.id}/content`;
    assertError(await client.put(path, markdown(broken)), "precondition_required");
    assertError(await put({ id: "doc_01M7NCSECPVWFBKQ7EFJ16WNXC" }, broken), "not_found");
    const { text: anchored } = await client.get(`${path}?format=markdown&annotate=anchors`);
    const spaced = anchored.replaceAll("<!--@block=", "<!-- @block=").replaceAll("-->", " -->");
    assert.deepEqual(assertStatus(await put(document, spaced), 200).data.changed_block_ids, []);
    const { knowledge_base_id } = document;
    const sheet = { title: "Sheet", knowledge_base_id, document_type: "spreadsheet" };
    const { data } = assertStatus(await client.post("/documents", sheet), 201);
    assertError(await put(data, page("sheet")), "invalid_document");
  });

  test("BODY29 a merge takes what others wrote since", async () => {
    await untilFree();
    const document = await makeDocument(client, { text: "one" });
    const merge = (text: string) => put(document, text, document.version, "?on_conflict=merge");
    assertStatus(await merge(page("merged")), 200);
    assert.equal(await read(document, "markdown"), page("merged"));
    const [heading] = (await readNodes(client, document.id)).nodes;
    assertStatus(await merge(page("late")), 200);
    const texts = await read(document, "markdown");
    assert.ok(texts.includes("# merged") && texts.includes("# late"), texts);
    const { nodes } = await readNodes(client, document.id);
    assert.ok(nodes.some((node) => node.attrs.id === heading.attrs.id));
  });

  test("BODY29 many at once, of several documents and of one, each find their own", async () => {
    await untilFree();
    const documents = await Promise.all(["a", "b", "c"].map((word) => makeDocument(client, { text: page(word) })));
    const words = Array.from({ length: 24 }, (_, i) => `word${i}`);
    const replies = await Promise.all(words.map((word, i) => put(documents[i % 3], page(word))));
    for (const reply of replies) assertStatus(reply, 200);
    for (const document of documents) {
      const { version } = (await client.get(`/documents/${document.id}`)).data;
      const last = words[replies.findIndex((reply) => reply.data.version === version)];
      assert.equal(await read(document, "markdown"), page(defined(last)));
    }
  });
});
