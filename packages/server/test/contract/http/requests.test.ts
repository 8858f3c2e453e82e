import assert from "node:assert/strict";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { routes } from "@svc/server/routes";
import { assertError, assertStatus, jsonOf } from "../../support/client.ts";
import { testRoutes } from "../../support/test-routes.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase(
  "requests and answers",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });

    test("ENV6 wrong type, too large, not UTF-8, not JSON, deep, wrong fields: refused, all problems at once", async () => {
      const send = (body: string | Uint8Array, type = "application/json") =>
        fetch(`${world.url}/api/v1/test-writes`, {
          method: "POST",
          headers: { authorization: `Bearer ${ada.token}`, "content-type": type },
          body,
        });
      assert.equal((await send("value=1", "application/x-www-form-urlencoded")).status, 415);
      assert.equal((await send("{}", "application/jsonx")).status, 415);
      assert.equal((await send(new Uint8Array([0x22, 0xff, 0x22]))).status, 400);
      assert.equal((await send("")).status, 400);
      assert.equal((await send("[".repeat(200_000))).status, 400);
      assert.equal((await send(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).status, 400);
      assert.equal((await send(JSON.stringify({ value: "x".repeat(1_100_000) }))).status, 413);
      const wrong = await ada.client.post("/test-writes", { value: "", count: -1, extra: 1 });
      const { issues } = assertError(wrong, "invalid_request");
      assert.deepEqual(issues.map((issue: { path: string }) => issue.path).sort(), [
        "body.count",
        "body.extra",
        "body.value",
      ]);
    });

    test("ENV6 a body that was compressed on its way is 415, not called wrong JSON", async () => {
      const send = (path: string, encoding: string, type = "application/json") =>
        fetch(`${world.url}/api/v1${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${ada.token}`, "content-type": type, "content-encoding": encoding },
          body: encoding === "gzip" ? gzipSync('{"name":"Packed"}') : '{"name":"Plain"}',
        });
      for (const path of ["/knowledge-bases", "/attachments"]) {
        const type = path === "/attachments" ? "multipart/form-data; boundary=x" : "application/json";
        const reply = await send(path, "gzip", type);
        assert.equal(reply.status, 415);
        assert.equal(reply.headers.get("accept-encoding"), "identity");
        assert.match((await jsonOf(reply)).error.details.hint, /without the header Content-Encoding/);
      }
      assert.equal((await send("/knowledge-bases", "identity")).status, 201);
    });

    test("ENV6 of a body that may have several forms, the nearest one's problems are told", async () => {
      const { id } = (await ada.client.post("/knowledge-bases", { name: "Forms" })).body.data;
      const issuesOf = async (content: unknown) => {
        const reply = await ada.client.post("/documents", { title: "Form", knowledge_base_id: id, content });
        const { issues } = assertError(reply, "invalid_request");
        return issues.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
      };
      assert.deepEqual(await issuesOf({ format: "markdown", text: "x" }), [
        "body.content.content is required",
        "body.content.text is not a known field",
      ]);
      assert.deepEqual(await issuesOf({ format: "tiptap-json", document: [], more: 1 }), [
        "body.content.more is not a known field",
        "body.content.document must be object",
      ]);
      assert.deepEqual(await issuesOf({ format: "html", content: "x" }), [
        "body.content.format must be one of markdown, tiptap-json",
      ]);
      assert.deepEqual(await issuesOf({ content: "x" }), ["body.content.format is required"]);
      const wrong = await ada.client.post("/documents", { title: "Form", knowledge_base_id: id, folder_id: "7" });
      assert.match(assertError(wrong, "invalid_request").issues[0].message, /^must be integer or null$/);
    });

    test("ENV10 what is refused says which fields there are, and which page describes the call", async () => {
      const base = async () => (await ada.client.post("/knowledge-bases", { name: "Fields" })).body.data;
      const wrong = await ada.client.post("/knowledge-bases", { title: "A", label: "B" });
      const { hint, issues } = assertError(wrong, "invalid_request");
      assert.deepEqual(issues, [
        { path: "body.name", message: "is required" },
        { path: "body.title", message: "is not a known field", known: ["name"] },
        { path: "body.label", message: "is not a known field" },
      ]);
      const page = /\/api-docs\/[a-z-]+\.md/.exec(hint)?.[0];
      assert.match(await (await fetch(world.url + page)).text(), /^### POST \/api\/v1\/knowledge-bases$/m);
      const { id } = (await ada.client.post("/documents", { title: "A", knowledge_base_id: (await base()).id })).body
        .data;
      const operation = { op: "edit_markdown", find: "a", new: "b" };
      const batch = await ada.client.post(`/documents/${id}/batch`, { base_version: "*", operations: [operation] });
      const edit = assertError(batch, "invalid_request");
      assert.deepEqual(edit.issues[0].known, ["op", "old", "new", "section", "occurrence"]);
      assert.match(edit.hint, /\/api-docs\/shapes\.md/);
      const query = assertError(await ada.client.get("/knowledge-bases?limt=1"), "invalid_request");
      assert.ok(query.issues[0].known.includes("limit"));
      const missing = assertError(await ada.client.get("/knowledge-bases/999"), "not_found");
      assert.match(missing.hint, /^GET \/knowledge-bases /);
    });

    test("ENV2 a number in the query is written in one way", async () => {
      for (const limit of ["0x5", "5e0", "%205", "5.0", "05", "%2B5", "", "true"])
        assertError(await ada.client.get(`/knowledge-bases?limit=${limit}`), "invalid_request");
      assertStatus(await ada.client.get("/knowledge-bases?limit=5"), 200);
    });

    test("ENV7 NUL in path or query names nothing and breaks nothing", async () => {
      assertError(await ada.client.get("/test-reads/a%00b"), "not_found");
      assertError(await ada.client.get("/test-reads/a?q=%00"), "invalid_request");
      assertError(await ada.client.get("/test-reads/a?n=1&n=2"), "invalid_request");
      assertStatus(await ada.client.get("/test-reads/a?q=%F0%9F%98%80"), 200);
    });

    test("ENV8 a large answer is compressed when asked for, and says what it varies by", async () => {
      const path = `${world.url}/api/v1/test-reads/a`;
      const headers = { authorization: `Bearer ${ada.token}` };
      for (const encoding of ["zstd", "br", "gzip"]) {
        const reply = await fetch(path, { headers: { ...headers, "accept-encoding": encoding } });
        assert.equal(reply.headers.get("content-encoding"), encoding);
        assert.match(reply.headers.get("vary") ?? "", /accept-encoding/);
        assert.equal((await jsonOf(reply)).data.text.length, 5000);
      }
      const plain = await fetch(path, { headers: { ...headers, "accept-encoding": "identity, br;q=0" } });
      assert.equal(plain.headers.get("content-encoding"), null);
      const head = await fetch(path, { method: "HEAD", headers });
      assert.equal(head.status, 200);
      assert.equal(await head.text(), "");
    });

    test("OPS4 an unforeseen failure tells nothing of the inside", async () => {
      const reply = await ada.client.post("/test-writes", { value: "broken" });
      assertError(reply, "internal_error");
      assert.doesNotMatch(reply.text, /secret/);
    });
  },
  { SVC_MAX_REQUEST_BYTES: "1048576" },
  [...routes, ...testRoutes],
);
