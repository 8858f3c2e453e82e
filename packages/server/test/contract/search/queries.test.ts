import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../support/fixtures.ts";
import { find } from "../../support/search.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const texts = (reply: Loose): string[] =>
  reply.data.map(({ context }: Loose) => context.before + context.match + context.after);

onEachDatabase("what can be asked", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("SRCH4 filters by place, kind, date and language; an unknown place is 404", async () => {
    const { client } = await world.person();
    const one = await makeKnowledgeBase(client);
    const two = await makeKnowledgeBase(client);
    const outer = await makeFolder(client, { knowledge_base_id: one.id });
    const inner = await makeFolder(client, { knowledge_base_id: one.id, parent_id: outer.id });
    const inFolder = await makeDocument(client, { knowledge_base_id: one.id, folder_id: inner.id, text: "needle one" });
    const other = await makeDocument(client, { knowledge_base_id: two.id, text: "needle two" });
    const found = async (more: string) =>
      (await find(client, "needle", more)).data.map((hit: Loose) => hit.document_id);
    assert.deepEqual(await found(`&knowledge_base_id=${two.id}`), [other.id]);
    assert.deepEqual(await found(`&folder_id=${outer.id}`), [inFolder.id]);
    assert.deepEqual(await found("&document_type=spreadsheet"), []);
    assert.equal((await found("&document_type=document")).length, 2);
    assert.equal((await found(`&updated_since=${Date.now() + 60_000}`)).length, 0);
    assert.equal((await found(`&updated_since=${inFolder.updated_at - 1}`)).length, 2);
    assert.deepEqual(await found("&locale=de"), []);
    assert.equal((await found("&locale=all")).length, 2);
    assertError(await client.get("/search/v2?q=needle&locale=not_a_tag_"), "invalid_locale");
    assertError(await client.get("/search/v2?q=needle&knowledge_base_id=999999999"), "not_found");
    assertError(await client.get("/search/v2?q=needle&folder_id=999999999"), "not_found");
    await client.patch(`/documents/${other.id}`, { knowledge_base_id: one.id });
    assert.equal((await found(`&knowledge_base_id=${one.id}`)).length, 2);
  });

  test("SRCH4 within one document, whatever its language; one that cannot be seen is 404", async () => {
    const { client } = await world.person();
    const one = await makeDocument(client, { text: "needle one\n\nneedle two" });
    await makeDocument(client, { text: "needle three" });
    const { data, hits } = await find(client, "needle", `&document_id=${one.id}&limit=1`);
    assert.deepEqual([data.length, hits.total, hits.documents], [1, 2, 1]);
    const stranger = await makeDocument(ada.client, { text: "needle" });
    assertError(await client.get(`/search/v2?q=needle&document_id=${stranger.id}`), "not_found");
  });

  test("SRCH4 filters by author, who made or changed it last, and by tag", async () => {
    const ada = await world.person();
    const bob = await world.person({ workspace: ada.workspaceId });
    const text = "---\ntags: [red, round]\n---\nneedle\n";
    const hers = await makeDocument(ada.client, { text });
    const his = await makeDocument(bob.client, { text: "needle", knowledge_base_id: hers.knowledge_base_id });
    const found = async (more: string) =>
      (await find(ada.client, "needle", more)).data.map((hit: Loose) => hit.document_id).sort();
    const byAda = `&author=${ada.userId}`;
    assert.deepEqual([await found(byAda), await found(`&author=${bob.userId}`)], [[hers.id], [his.id]]);
    await ada.client.patch(`/documents/${his.id}`, { title: "Ours" });
    assert.deepEqual(await found(byAda), [hers.id, his.id].sort());
    assert.deepEqual([await found("&tag=round"), await found("&tag=square")], [[hers.id], []]);
    assertError(await ada.client.get("/search/v2?q=needle&author=Ada"), "invalid_request");
  });

  test("SRCH5 language versions: a tag, none, and all", async () => {
    const { client, workspaceId } = await world.person();
    const source = await makeDocument(client, { text: "polyglot" });
    const target = await makeDocument(client, { text: "polyglot" });
    const plain = await makeDocument(client, { text: "polyglot" });
    const set = (id: string, locale: string, variant_role: "source" | "target") =>
      world.app.services.database.transaction((tx) =>
        tx
          .updateTable("documents")
          .set({ locale, variant_role, document_set_id: "dset_x" })
          .where("workspace_id", "=", workspaceId)
          .where("id", "=", id)
          .execute(),
      );
    await set(source.id, "en", "source");
    await set(target.id, "de", "target");
    const found = async (more: string) =>
      (await find(client, "polyglot", more)).data.map((hit: Loose) => hit.document_id).sort();
    assert.deepEqual(await found(""), [source.id, plain.id].sort());
    assert.deepEqual(await found("&locale=de"), [target.id]);
    assert.deepEqual(await found("&locale=EN"), [source.id]);
    assert.equal((await found("&locale=all")).length, 3);
  });

  test("SRCH11 words of every script, and identifiers whole and by their parts", async () => {
    const { client } = await world.person();
    const samples: [string, string[]][] = [
      ["知识库和文档的全文搜索", ["文档", "知识库", "全文", "搜索", "库"]],
      ["東京都の検索エンジン", ["東京", "検索", "エンジン", "京都"]],
      ["한국어 검색은 어렵다", ["검색", "한국어", "검색은"]],
      ["ภาษาไทยไม่มีช่องว่าง", ["ไทย", "ภาษา", "ช่อง"]],
      ["Die Straße nach Zürich", ["strasse", "STRASSE", "zurich", "Zürich"]],
      ["ΟΔΟΣ Αθηνών", ["οδός", "αθηνων"]],
      [
        "call getUserName() and user_name of foo.bar",
        ["getUserName", "getusername", "user", "name", "user_name", "foo.bar", "bar"],
      ],
      ["Ｆｕｌｌｗｉｄｔｈ ｶﾞｲﾄﾞ", ["fullwidth", "ガイド"]],
      ["C++ and C# v1.2.3", ["C++", "C#", "1.2.3", "v1.2.3"]],
      ["𠮷野家で食べる", ["𠮷野", "野家"]],
    ];
    await makeDocument(client, { text: samples.map(([text]) => text).join("\n\n") });
    for (const [text, queries] of samples)
      for (const q of queries) assert.ok(texts(await find(client, q, "&limit=100")).includes(text), `${q} in ${text}`);
    assert.equal((await find(client, '"foo bar"')).hits.total, 1);
    assert.equal((await find(client, "user -straße nam*")).hits.total, 1);
    assert.equal((await find(client, "call -bar")).hits.total, 0);
  });

  test("SRCH12 no query is a syntax error; what cannot be answered is refused with its reason", async () => {
    await makeDocument(ada.client, { text: "plain words here" });
    const hostile = [
      '"',
      'a AND "',
      "NEAR(a b)",
      "col:x",
      "a OR",
      "-a",
      "*",
      "a*b",
      "%",
      "_",
      "'; drop table x; --",
      "\\",
      "(((",
      "a\0b",
      "\u200d",
      "\ud800",
      "^a",
      "{x}",
      "a -",
      '-"',
      "é\u0301",
      "🙂 a",
      "1e999",
      "<b>",
      "a\nb",
      "\u202e",
      "constructor",
      "__proto__",
      "plain*",
    ];
    for (const q of hostile) {
      const path = `/search/v2?q=${encodeURIComponent(q.isWellFormed() ? q : "�")}`;
      for (const mode of ["", "&mode=exhaustive"])
        assert.ok([200, 400].includes((await ada.client.get(path + mode)).status), q);
    }
    const refused = async (q: string) =>
      assertError(await ada.client.get(`/search/v2?q=${encodeURIComponent(q)}`), "invalid_request").issues[0];
    for (const q of ["", "   ", "🙂", "-a", "!!!"]) assert.match((await refused(q)).message, /word/);
    assert.match((await refused("x".repeat(513))).message, /512/);
    assert.match((await refused(Array.from({ length: 33 }, (_, i) => `w${i}`).join(" "))).message, /32/);
    assert.equal((await refused("")).path, "query.q");
    await find(ada.client, Array.from({ length: 32 }, (_, i) => `w${i}*`).join(" "));
    assertError(await ada.client.get("/search/v2"), "invalid_request");
    assertError(await ada.client.get("/search/v2?q=a&mode=best"), "invalid_request");
    assertError(await ada.client.get("/search/v2?q=a&limit=0"), "invalid_request");
    assertError(await ada.client.get("/search/v2?q=a&limit=101"), "invalid_request");
  });

  test("SRCH13 a prefix that too many words begin with is refused", async () => {
    const { client } = await world.person();
    const words = Array.from({ length: 6000 }, (_, i) => `x${i}`);
    await makeDocument(client, {
      text: Array.from({ length: 60 }, (_, i) => words.slice(i * 100, i * 100 + 100).join(" ")).join("\n\n"),
    });
    assert.match(
      assertError(await client.get("/search/v2?q=x*"), "invalid_request").issues[0].message,
      /too many words/,
    );
    assert.equal((await find(client, "x599*")).hits.total, 2);
  });
});
