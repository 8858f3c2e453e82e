import assert from "node:assert/strict";
import { before, test } from "node:test";
import { h, id, idFor, img, li, p, quote, table, td, text, tr, ul } from "@svc/document/testing/builders";
import { makeBody, readNodes, textsOf, tiptap, traces } from "../../support/bodies.ts";
import { assertError, assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, markdown } from "../../support/fixtures.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("content", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const put = (document: Loose, body: unknown, ifMatch = "*", query = "") =>
    ada.client.put(`/documents/${document.id}/content${query}`, body, { ifMatch });
  const read = (document: Loose, query = "", headers: Record<string, string> = {}) =>
    ada.client.get(`/documents/${document.id}/content${query}`, { headers });

  test("BODY1 a body is read as Tiptap JSON by default, with its version as ETag", async () => {
    const document = await makeDocument(ada.client);
    const reply = assertStatus(await read(document), 200);
    assert.deepEqual(reply.data, (await read(document, "?format=tiptap-json")).data);
    assert.equal(reply.etag, document.version);
    assert.deepEqual(
      [reply.data.format, reply.data.version, reply.data.warnings],
      ["tiptap-json", document.version, []],
    );
    assert.equal(reply.data.document.type, "doc");
    assert.deepEqual(
      reply.data.document.content.map((node: Loose) => node.type),
      ["heading", "paragraph"],
    );
    assertError(await read(document, "?format=pdf"), "invalid_request");
  });

  test("BODY2 Markdown and HTML come as text, or as JSON when that is accepted", async () => {
    const document = await makeDocument(ada.client, { text: "# Ünë\n\nTwo \\<b>\n" });
    for (const [format, type, pattern] of [
      ["markdown", "text/markdown; charset=utf-8", /^# Ünë\n\nTwo/],
      ["html", "text/html; charset=utf-8", /<h1 id="ünë">Ünë<\/h1>/],
    ] as const) {
      const bare = assertStatus(await read(document, `?format=${format}`), 200);
      assert.equal(bare.headers.get("content-type"), type);
      assert.equal(bare.etag, document.version);
      assert.match(bare.text, pattern);
      const wrapped = await read(document, `?format=${format}`, { accept: "application/json" });
      assert.deepEqual(wrapped.data, { format, content: bare.text, version: document.version, warnings: [] });
    }
  });

  test("BODY3 what Markdown cannot say is told in a header, and in JSON as warnings", async () => {
    const coloured = p(text("red — ü", { type: "textStyle", attrs: { color: "#ff0000" } }));
    const document = await makeBody(ada.client, [coloured]);
    const bare = await read(document, "?format=markdown");
    const [warning] = JSON.parse(bare.headers.get("x-content-warnings") ?? "[]");
    const [block] = (await readNodes(ada.client, document.id)).nodes;
    assert.equal(warning.block_id, block.attrs.id);
    assert.deepEqual(Object.keys(warning).sort(), ["block_id", "code", "message", "node_type"]);
    const wrapped = await read(document, "?format=markdown", { accept: "application/json" });
    assert.deepEqual(wrapped.data.warnings, [warning]);
    assert.equal((await read(document, "?format=html")).headers.get("x-content-warnings"), null);
  });

  test("BODY4 If-None-Match answers 304 for every format, and not after a change", async () => {
    const document = await makeDocument(ada.client);
    const version = document.version;
    for (const tag of [`"${version}"`, version, `W/"${version}"`, `"other", "${version}"`, "*"])
      for (const format of ["tiptap-json", "markdown", "html"]) {
        const reply = await read(document, `?format=${format}`, { "if-none-match": tag });
        assert.deepEqual([reply.status, reply.text, reply.etag], [304, "", version]);
      }
    assertStatus(await read(document, "", { "if-none-match": '"sha256:0"' }), 200);
    await put(document, markdown("New"));
    assertStatus(await read(document, "", { "if-none-match": `"${version}"` }), 200);
  });

  test("BODY5 replacing needs the current version: 404, then 428, then 409 with both versions", async () => {
    const document = await makeDocument(ada.client);
    const path = `/documents/${document.id}/content`;
    assertError(await ada.client.put("/documents/doc_none/content", markdown("a")), "not_found");
    assert.equal(assertError(await ada.client.put(path, markdown("a")), "precondition_required").header, "If-Match");
    const details = assertError(await put(document, markdown("a"), "sha256:1"), "version_conflict");
    assert.deepEqual([details.current_version, details.expected_version], [document.version, "sha256:1"]);
    assertError(await put(document, tiptap({ type: "nothing" }), "sha256:1"), "version_conflict");
    assert.deepEqual((await traces(ada.client, document.id)).versions, []);
  });

  test("BODY6 If-Match is read quoted, unquoted, weak and as *", async () => {
    const document = await makeDocument(ada.client);
    const path = `/documents/${document.id}/content`;
    let { version } = document;
    const forms = [
      (v: string) => `"${v}"`,
      (v: string) => v,
      (v: string) => `W/"${v}"`,
      (v: string) => ` "${v}" `,
      () => "*",
    ];
    for (const [index, form] of forms.entries()) {
      const headers = { "if-match": form(version) };
      const reply = assertStatus(await ada.client.put(path, markdown(`Text ${index}`), { headers }), 200);
      assert.notEqual(reply.data.version, version);
      assert.equal(reply.etag, reply.data.version);
      version = reply.data.version;
    }
  });

  test("BODY7 a write tells the added, changed and removed blocks; equal content has the equal version", async () => {
    const document = await makeBody(ada.client, [id(1, p("a")), id(2, p("b")), id(3, ul(id(4, li(id(5, p("c"))))))]);
    const next = [id(1, p("a")), id(3, ul(id(4, li(id(5, p("changed")))))), id(6, p("d"))];
    const reply = assertStatus(await put(document, tiptap(...next), document.version), 200);
    assert.deepEqual([...reply.data.changed_block_ids].sort(), [2, 3, 4, 5, 6].map(idFor));
    const twin = await makeBody(ada.client, next);
    assert.equal(twin.version, reply.data.version);
    assert.deepEqual((await readNodes(ada.client, document.id)).nodes, (await readNodes(ada.client, twin.id)).nodes);
    const meta = (await ada.client.get(`/documents/${document.id}`)).data;
    assert.deepEqual([meta.version, meta.block_count, meta.character_count], [twin.version, 3, 9]);
  });

  test("BODY8 a write that changes nothing keeps the version and leaves no trace", async () => {
    const document = await makeBody(ada.client, [id(1, p("a")), id(2, ul(id(3, li(id(4, p("b"))))))]);
    const { nodes } = await readNodes(ada.client, document.id);
    const before = await traces(ada.client, document.id);
    const reordered = nodes.map((node: Loose) => ({ content: node.content, attrs: node.attrs, type: node.type }));
    for (const body of [tiptap(...nodes), tiptap(...reordered)]) {
      const reply = assertStatus(await put(document, body, document.version), 200);
      assert.deepEqual(reply.data, { version: document.version, changed_block_ids: [] });
    }
    assert.deepEqual(await traces(ada.client, document.id), before);
  });

  test("BODY9 every block gets an id and keeps one that was sent; a wrong or a double one is 422", async () => {
    const document = await makeBody(ada.client, [id(7, p("a")), ul(li(p("b")))]);
    const { nodes } = await readNodes(ada.client, document.id);
    assert.equal(nodes[0].attrs.id, idFor(7));
    const nested = [nodes[1], nodes[1].content[0], nodes[1].content[0].content[0]];
    for (const node of nested) assert.match(node.attrs.id, /^block_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(nested[2].content[0].attrs, undefined);
    assertError(await put(document, tiptap(id(1, p("a")), quote(id(1, p("b"))))), "duplicate_block_id");
    for (const wrong of ["x", "block_1", "block_01arz3ndektsv4rrffq69g5fav", 5]) {
      const details = assertError(
        await put(document, tiptap(p("a"), { ...p("b"), attrs: { id: wrong } })),
        "invalid_document",
      );
      assert.equal(details.path, "content[1].attrs.id");
    }
  });

  test("BODY10 what the schema does not know: attributes stay, node and mark types are refused with their path", async () => {
    const odd = {
      type: "paragraph",
      attrs: { id: idFor(1), "data-x": { deep: [1, null, "ü\u0000\ud800"] }, width: 1.5 },
      content: [{ type: "text", text: "a\u0000b\ud800" }],
    };
    const document = await makeBody(ada.client, [odd as never]);
    assert.deepEqual((await readNodes(ada.client, document.id)).nodes, [odd]);
    const wrong: [Loose, string][] = [
      [{ type: "nothing" }, "content[0]"],
      [quote(p("a"), { type: "video" } as never), "content[0].content[1]"],
      [p(text("a", { type: "blink" })), "content[0].content[0].marks[0]"],
      [{ type: "text", text: "a" }, "content[0]"],
      [{ type: "listItem", content: [p("a")] }, "content[0]"],
      [{ type: "heading", attrs: { level: 7 } }, "content[0].attrs.level"],
      ["x", "content[0]"],
    ];
    for (const [node, path] of wrong) {
      const details = assertError(await put(document, tiptap(node)), "invalid_document");
      assert.equal(details.path, path);
      assert.match(details.hint, /\/api-docs\/nodes\.md/);
    }
    const deep = '{"type":"blockquote","content":['.repeat(20_000);
    const sent = `{"format":"tiptap-json","document":{"type":"doc","content":[${deep}${"]}".repeat(20_000)}]}}`;
    assertError(await put(document, sent), "invalid_document");
  });

  test("BODY11 a picture's src follows its attachmentId", async () => {
    const document = await makeDocument(ada.client);
    const foreign = img({ src: "https://a.example/x.png", alt: "x" });
    assertStatus(await put(document, tiptap(foreign)), 200);
    const [node] = (await readNodes(ada.client, document.id)).nodes;
    assert.equal(node.attrs.src, "https://a.example/x.png");
    const reply = await put(
      document,
      tiptap(img({ attachmentId: "att_01ARZ3NDEKTSV4RRFFQ69G5FAV", src: "x" })),
      "*",
      "?dry_run=true",
    );
    assert.ok(reply.status === 200 || reply.body.error.code === "attachment_not_found", reply.text);
  });

  test("BODY12 a spreadsheet holds tables only, and works like any body", async () => {
    const sheet = await makeBody(ada.client, [], { document_type: "spreadsheet", content: undefined });
    const grid = table(tr(td(p("1")), td(p("2"))));
    assertStatus(await put(sheet, tiptap(grid)), 200);
    for (const body of [tiptap(p("text")), markdown("text"), tiptap(grid, h(1, "x"))])
      assertError(await put(sheet, body), "invalid_document");
    const cells = (await ada.client.get(`/documents/${sheet.id}/blocks?recursive=true`)).data;
    const cell = cells.find((block: Loose) => block.type === "tableCell");
    const change = { content: [p("changed")] };
    assertStatus(await ada.client.patch(`/documents/${sheet.id}/blocks/${cell.id}`, change), 200);
    assert.deepEqual(await textsOf(ada.client, sheet.id), ["changed\t2"]);
    const insert = { position: { document_end: true }, nodes: [p("no")] };
    assertError(await ada.client.post(`/documents/${sheet.id}/blocks`, insert), "invalid_document");
    assertStatus(await put(sheet, tiptap()), 200);
  });

  test("BODY16 dry_run answers the new version and changed blocks, and stores nothing", async () => {
    const document = await makeDocument(ada.client);
    const before = await traces(ada.client, document.id);
    const tried = assertStatus(await put(document, tiptap(id(1, p("tried"))), document.version, "?dry_run=true"), 200);
    assert.ok(tried.data.changed_block_ids.includes(idFor(1)));
    assert.deepEqual(await traces(ada.client, document.id), before);
    const real = assertStatus(await put(document, tiptap(id(1, p("tried"))), document.version), 200);
    assert.equal(real.data.version, tried.data.version);
    assertError(await put(document, markdown("x"), "sha256:0", "?dry_run=true"), "version_conflict");
  });

  test("BODY17 shapes of the body that are not clear are 400", async () => {
    const document = await makeDocument(ada.client);
    for (const body of [
      {},
      [],
      "x",
      5,
      null,
      { format: "markdown" },
      { format: "markdown", content: 5 },
      { format: "tiptap-json", content: "x" },
      { format: "tiptap-json", document: [] },
      { ...markdown("a"), extra: 1 },
    ]) {
      const reply = await ada.client.call("PUT", `/documents/${document.id}/content`, JSON.stringify(body), {
        ifMatch: "*",
      });
      assert.equal(reply.status, 400, JSON.stringify(body));
    }
    assertError(await put(document, { format: "tiptap-json", document: { type: "paragraph" } }), "invalid_document");
    assertError(await ada.client.put(`/documents/${document.id}/content`, "{", { ifMatch: "*" }), "invalid_json");
    const headers = { "content-type": "text/markdown" };
    assertError(
      await ada.client.put(`/documents/${document.id}/content`, "# x", { ifMatch: "*", headers }),
      "unsupported_media_type",
    );
  });

  test("BODY18 HTML never carries an unsafe address or markup out of the text", async () => {
    const document = await makeBody(ada.client, [
      p(text("click", { type: "link", attrs: { href: "javascript:alert(1)" } })),
      img({ src: "data:text/html,<script>", alt: '"><script>alert(1)</script>' }),
      p("<script>alert(1)</script>"),
    ]);
    const { text: html, headers } = await read(document, "?format=html");
    assert.doesNotMatch(html, /<script|javascript:|data:text/);
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(JSON.stringify((await readNodes(ada.client, document.id)).nodes), /javascript:alert/);
  });
});

onEachDatabase(
  "caps of a body",
  (world) => {
    test("BODY19 too many characters are 422, a request too large is 413 before it is parsed", async () => {
      const { client } = await world.person();
      const document = await makeDocument(client);
      const put = (content: string) =>
        client.put(`/documents/${document.id}/content`, markdown(content), { ifMatch: "*" });
      assertStatus(await put("😀".repeat(1000)), 200);
      assertError(await put("x".repeat(1001)), "document_too_large");
      const insert = { position: { document_end: true }, nodes: [p("y")] };
      assertError(await client.post(`/documents/${document.id}/blocks`, insert), "document_too_large");
      const base = document.knowledge_base_id;
      assertError(
        await client.post("/documents", { title: "a", knowledge_base_id: base, content: markdown("x".repeat(1001)) }),
        "document_too_large",
      );
      const tooLong = `{"broken": ${"x".repeat(40_000)}`;
      assertError(
        await client.put(`/documents/${document.id}/content`, tooLong, { ifMatch: "*" }),
        "payload_too_large",
      );
    });
  },
  { SVC_MAX_DOCUMENT_CHARACTERS: "1000", SVC_MAX_REQUEST_BYTES: "32768" },
);
