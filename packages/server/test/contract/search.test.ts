import assert from "node:assert/strict";
import { before, test } from "node:test";
import { assertError, assertStatus, type Loose } from "../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../support/fixtures.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

const texts = (reply: Loose): string[] =>
  reply.data.map(({ context }: Loose) => context.before + context.match + context.after);

onEachDatabase("search", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });
  const find = async (q: string, more = "", client = ada.client): Promise<Loose> =>
    assertStatus(await client.get(`/search/v2?q=${encodeURIComponent(q)}${more}`), 200).body;

  test("SRCH1 a body hit has every field, and a title hit is told apart", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client, "Zoo");
    const folder = await makeFolder(client, { name: "Big", knowledge_base_id: base.id });
    const text = "# Cats\n\n## Wild\n\nThe quick lynx jumps.\n\n## Tame\n\nA lynx, a lynx.\n";
    const made = await makeDocument(client, {
      title: "About lynx",
      knowledge_base_id: base.id,
      folder_id: folder.id,
      text,
    });
    const { data, hits, projection, page } = await find("lynx", "", client);
    assert.deepEqual(hits, { total: 3, documents: 1, content: 2, title: 1 });
    assert.deepEqual(projection, { complete: true, stale_count: 0, stale_document_ids: [] });
    assert.deepEqual(page, { cursor: null, next_cursor: null, has_more: false });
    const title = data.find((hit: Loose) => hit.matched_in === "title");
    assert.deepEqual([title.block_id, title.heading_path, title.context.match], [null, [], "lynx"]);
    const hit = data.find((hit: Loose) => hit.context.before === "The quick ");
    const blocks = (await client.get(`/documents/${made.id}/blocks`)).data;
    const { score, explanation, ...rest } = hit;
    assert.deepEqual(rest, {
      document_id: made.id,
      title: "About lynx",
      knowledge_base_id: base.id,
      folder_id: folder.id,
      document_type: "document",
      block_id: blocks.find((block: Loose) => block.text.startsWith("The quick")).id,
      document_uri: `svc://doc/${made.id}`,
      path_text: "Zoo / Big / About lynx",
      heading_path: ["Cats", "Wild"],
      matched_in: "content",
      context: { before: "The quick ", match: "lynx", after: " jumps." },
      source_version: made.version,
      indexed_version: made.version,
      freshness: "current",
      updated_at: made.updated_at,
    });
    assert.equal(explanation.n, 6);
    for (const one of data) {
      const sum = one.explanation.terms.reduce((total: number, term: Loose) => total + term.contribution, 0);
      assert.ok(Math.abs(sum - one.score) < 1e-9);
    }
    assert.ok(score > 0);
  });

  test("SRCH2 changed and deleted text is gone with the write's answer", async () => {
    const made = await makeDocument(ada.client, { title: "Plain", text: "Ephemeral one.\n\nSteady two.\n" });
    assert.equal((await find("ephemeral")).hits.total, 1);
    await ada.client.put(`/documents/${made.id}/content`, markdown("Lasting one.\n\nSteady two.\n"), { ifMatch: "*" });
    assert.equal((await find("ephemeral")).hits.total, 0);
    const [hit] = (await find("lasting")).data;
    assert.notEqual(hit.source_version, made.version);
    assert.equal((await find("steady")).data[0].source_version, hit.source_version);
    await ada.client.patch(`/documents/${made.id}`, { title: "Renamed thing" });
    assert.deepEqual([(await find("plain")).hits.total, (await find("renamed")).hits.title], [0, 1]);
    await ada.client.delete(`/documents/${made.id}`);
    assert.equal((await find("lasting")).hits.total, 0);
    assert.equal((await find("renamed")).hits.total, 0);
    const [trash] = (await ada.client.get("/trash")).data;
    assertStatus(await ada.client.post(`/trash/${trash.id}/restore`), 200);
    assert.deepEqual([(await find("lasting")).hits.total, (await find("renamed")).hits.title], [1, 1]);
  });

  test("SRCH1 SRCH2 a search that is asked again tells of everything as it is now", async () => {
    const { client } = await world.person();
    const [base, other] = [await makeKnowledgeBase(client, "Zoo"), await makeKnowledgeBase(client, "Farm")];
    const folder = await makeFolder(client, { name: "Big", knowledge_base_id: base.id });
    const place = { knowledge_base_id: base.id, folder_id: folder.id };
    const made = await makeDocument(client, { ...place, title: "One", text: "# Cats\n\nA heron stands.\n" });
    await makeDocument(client, { ...place, title: "Two", text: "No heron stands.\n" });
    const look = async (more = "") => {
      const { data, hits } = await find("heron stands", `&mode=exhaustive${more}`, client);
      return [hits.total, hits.documents, ...data.map((hit: Loose) => hit.path_text)];
    };
    const inBase = `&knowledge_base_id=${base.id}`;
    const both = [2, 2, "Zoo / Big / One", "Zoo / Big / Two"];
    for (const more of ["", inBase, "", inBase]) assert.deepEqual(await look(more), both);
    await client.patch(`/knowledge-bases/${base.id}`, { name: "Park" });
    assert.deepEqual(await look(), [2, 2, "Park / Big / One", "Park / Big / Two"]);
    await client.patch(`/folders/${folder.id}`, { name: "Small" });
    assert.deepEqual(await look(), [2, 2, "Park / Small / One", "Park / Small / Two"]);
    const above = await makeFolder(client, { name: "Above", knowledge_base_id: base.id });
    await client.patch(`/folders/${folder.id}`, { parent_id: above.id });
    assert.deepEqual(await look(), [2, 2, "Park / Above / Small / One", "Park / Above / Small / Two"]);
    await client.patch(`/folders/${folder.id}`, { parent_id: null });
    for (const more of ["", inBase]) assert.equal((await look(more))[2], "Park / Small / One");
    for (const typed of ["heron", "Heron", "heron"]) {
      const [{ explanation }] = (await find(typed, "", client)).data;
      assert.equal(explanation.terms[0].term, typed);
    }
    await client.patch(`/documents/${made.id}`, { title: "Three" });
    assert.deepEqual(await look(), [2, 2, "Park / Small / Three", "Park / Small / Two"]);
    const [before] = (await find("heron stands", "&mode=exhaustive", client)).data;
    await client.patch(`/documents/${made.id}`, { knowledge_base_id: other.id, folder_id: null });
    assert.deepEqual(await look(), [2, 2, "Farm / Three", "Park / Small / Two"]);
    assert.deepEqual(await look(inBase), [1, 1, "Park / Small / Two"]);
    const [after] = (await find("heron stands", "&mode=exhaustive", client)).data;
    assert.deepEqual([after.knowledge_base_id, after.folder_id], [other.id, null]);
    assert.ok(after.updated_at > before.updated_at);
    const heading = (await client.get(`/documents/${made.id}/blocks`)).data[0];
    await client.patch(`/documents/${made.id}/blocks/${heading.id}`, { content: [{ type: "text", text: "Birds" }] });
    const [moved] = (await find("heron stands", "&mode=exhaustive", client)).data;
    assert.deepEqual(moved.heading_path, ["Birds"]);
    assert.notEqual(moved.source_version, after.source_version);
    await client.delete(`/documents/${made.id}`);
    assert.deepEqual(await look(), [1, 1, "Park / Small / Two"]);
  });

  test("SRCH3 an exact title, or a document's id, comes first", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    await makeDocument(client, { title: "Alpha alpha alpha beta", knowledge_base_id: base.id, text: "x" });
    const exact = await makeDocument(client, {
      title: "Älpha   is not a common title at all whatsoever",
      knowledge_base_id: base.id,
      text: "alpha alpha",
    });
    const { data } = await find("alpha   IS not a common title at all whatsoever", "", client);
    assert.deepEqual([data[0].document_id, data[0].matched_in], [exact.id, "title"]);
    const byId = await find(exact.id, "", client);
    assert.deepEqual([byId.data[0].document_id, byId.data[0].block_id, byId.hits.total], [exact.id, null, 1]);
    assert.equal((await find(exact.id, "&mode=exhaustive", client)).data[0].document_id, exact.id);
    assert.equal((await find(exact.id)).hits.total, 0);
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
      (await find("needle", more, client)).data.map((hit: Loose) => hit.document_id);
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
      (await find("polyglot", more, client)).data.map((hit: Loose) => hit.document_id).sort();
    assert.deepEqual(await found(""), [source.id, plain.id].sort());
    assert.deepEqual(await found("&locale=de"), [target.id]);
    assert.deepEqual(await found("&locale=EN"), [source.id]);
    assert.equal((await found("&locale=all")).length, 3);
  });

  test("SRCH6 a summary is given when asked for: the stored one, or the first paragraph", async () => {
    const { client } = await world.person();
    const made = await makeDocument(client, { text: "# Head\n\nThe first paragraph.\n\nSecond unicorn.\n" });
    assert.equal((await find("unicorn", "", client)).data[0].summary, undefined);
    const summary = async () => (await find("unicorn", "&include_summary=true", client)).data[0].summary;
    assert.deepEqual(await summary(), {
      text: "The first paragraph.",
      generator: "deterministic",
      freshness: "current",
    });
    const path = `/documents/${made.id}/summary`;
    const { etag } = await client.get(path);
    assertStatus(await client.put(path, { text: "Mine.", base_source_version: made.version }, { ifMatch: etag! }), 200);
    assert.deepEqual(await summary(), { text: "Mine.", generator: "manual", freshness: "current" });
    await client.put(`/documents/${made.id}/content`, markdown("A unicorn.\n"), { ifMatch: "*" });
    assert.deepEqual(await summary(), { text: "Mine.", generator: "manual", freshness: "stale" });
  });

  test("SRCH7 the finest block is found once, with the headings as they are now", async () => {
    const { client } = await world.person();
    const text =
      "# Top\n\n- item pelican\n  - deeper pelican\n\n| a | b |\n| - | - |\n| pelican cell | y |\n\n> quoted pelican\n";
    const made = await makeDocument(client, { text });
    const { data, hits } = await find("pelican", "&mode=exhaustive", client);
    assert.deepEqual([hits.total, hits.documents], [4, 1]);
    assert.equal(new Set(data.map((hit: Loose) => hit.block_id)).size, 4);
    for (const hit of data) {
      const block = (await client.get(`/documents/${made.id}/blocks/${hit.block_id}`)).data;
      assert.equal(block.text, hit.context.before + hit.context.match + hit.context.after);
      assert.deepEqual(hit.heading_path, ["Top"]);
    }
    const heading = (await client.get(`/documents/${made.id}/blocks`)).data[0];
    await client.patch(`/documents/${made.id}/blocks/${heading.id}`, { content: [{ type: "text", text: "New top" }] });
    assert.deepEqual((await find("pelican", "", client)).data[0].heading_path, ["New top"]);
  });

  test("SRCH8 topk pages neither overlap nor skip, whatever is written between them", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const body = Array.from({ length: 60 }, (_, i) => `otter ${"filler ".repeat(i % 7)}n${i}`).join("\n\n");
    const made = await makeDocument(client, { knowledge_base_id: base.id, text: body });
    const all = (await find("otter", "&limit=100", client)).data.map((hit: Loose) => hit.block_id);
    const seen: string[] = [];
    for (let next = ""; ; ) {
      const { data, page } = await find("otter", `&limit=7${next}`, client);
      seen.push(...data.filter((hit: Loose) => hit.document_id === made.id).map((hit: Loose) => hit.block_id));
      if (!page.has_more) break;
      next = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      await makeDocument(client, { knowledge_base_id: base.id, text: "otter otter otter\n\nother" });
    }
    assert.deepEqual(seen, all);
  });

  test("SRCH9 an exhaustive walk returns an unchanged block once and every other in its last version", async () => {
    const { client } = await world.person();
    const base = await makeKnowledgeBase(client);
    const makeText = (d: number) => Array.from({ length: 10 }, (_, i) => `marmot d${d} b${i}`).join("\n\n");
    const documents: Loose[] = [];
    for (let d = 0; d < 4; d++)
      documents.push(await makeDocument(client, { knowledge_base_id: base.id, text: makeText(d) }));
    const blocksOf = async (id: string) => (await client.get(`/documents/${id}/blocks`)).data;
    const first = await blocksOf(documents[0].id);
    const seen = new Map<string, string[]>();
    for (let next = "", page = 0; ; page++) {
      const reply = await find("marmot", `&mode=exhaustive&limit=6${next}`, client);
      for (const hit of reply.data)
        seen.set(hit.block_id, [...(seen.get(hit.block_id) ?? []), hit.context.match + hit.context.after]);
      if (!reply.page.has_more) break;
      next = `&cursor=${encodeURIComponent(reply.page.next_cursor)}`;
      if (page === 2)
        await client.patch(`/documents/${documents[0].id}/blocks/${first[0].id}`, {
          content: [{ type: "text", text: "marmot edited" }],
        });
      if (page === 3) await client.delete(`/documents/${documents[3].id}`);
      if (page === 4) await makeDocument(client, { knowledge_base_id: base.id, text: "marmot late" });
      if (page === 1) await client.patch(`/documents/${documents[1].id}`, { title: "Moved" });
    }
    assert.deepEqual(seen.get(first[0].id), ["marmot d0 b0", "marmot edited"]);
    const now = (await find("marmot", "&mode=exhaustive&limit=100", client)).data;
    assert.equal(now.length, 31);
    for (const hit of now) assert.equal(seen.get(hit.block_id)?.at(-1), hit.context.match + hit.context.after);
    for (const [id, versions] of seen) if (id !== first[0].id) assert.equal(versions.length, 1);
  });

  test("SRCH10 a cursor belongs to its query, filter and mode", async () => {
    await makeDocument(ada.client, { text: "badger one\n\nbadger two\n\nbadger three" });
    const { page } = await find("badger", "&limit=1");
    const cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    await find("BADGER", `&limit=2${cursor}`);
    for (const path of [
      `/search/v2?q=badge${cursor}`,
      `/search/v2?q=badger&mode=exhaustive${cursor}`,
      `/search/v2?q=badger&locale=all${cursor}`,
    ])
      assertError(await ada.client.get(path), "cursor_mismatch");
    assertError(await ada.client.get("/search/v2?q=badger&cursor=nonsense"), "invalid_cursor");
    assertError(await (await world.person()).client.get(`/search/v2?q=badger${cursor}`), "cursor_mismatch");
    const other = (await ada.client.get("/documents?limit=1")).body.page.next_cursor;
    assertError(await ada.client.get(`/search/v2?q=badger&cursor=${encodeURIComponent(other)}`), "invalid_cursor");
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
      for (const q of queries) assert.ok(texts(await find(q, "&limit=100", client)).includes(text), `${q} in ${text}`);
    assert.equal((await find('"foo bar"', "", client)).hits.total, 1);
    assert.equal((await find("user -straße nam*", "", client)).hits.total, 1);
    assert.equal((await find("call -bar", "", client)).hits.total, 0);
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
    await find(Array.from({ length: 32 }, (_, i) => `w${i}*`).join(" "));
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
    assert.equal((await find("x599*", "", client)).hits.total, 2);
  });

  test("SRCH14 the compatibility search gives block ids and excerpts", async () => {
    const { client } = await world.person();
    const made = await makeDocument(client, { title: "Ibex", text: "The ibex climbs.\n\nNothing." });
    const { data } = assertStatus(await client.get("/search?q=ibex"), 200);
    const [block] = (await client.get(`/documents/${made.id}/blocks`)).data;
    assert.deepEqual(
      data.find((hit: Loose) => hit.block_id !== null),
      { document_id: made.id, block_id: block.id, excerpt: "The ibex climbs." },
    );
    assert.deepEqual(
      data.find((hit: Loose) => hit.block_id === null),
      { document_id: made.id, block_id: null, excerpt: "Ibex" },
    );
    assertError(await client.get("/search?q="), "invalid_request");
  });

  test("SRCH15 workspaces know nothing of each other: hits, counts, statistics", async () => {
    const [one, two] = [await world.person(), await world.person()];
    const base = await makeKnowledgeBase(one.client);
    await makeDocument(one.client, { title: "T", knowledge_base_id: base.id, text: "secret word\n\nother" });
    const before = await find("word", "", one.client);
    for (let i = 0; i < 3; i++) await makeDocument(two.client, { text: "secret word word\n\nword" });
    assert.deepEqual(await find("secret", "", two.client).then(({ hits }) => hits.total), 3);
    const { data, hits } = await find("word", "", one.client);
    assert.deepEqual([data, hits], [before.data, before.hits]);
    assert.deepEqual([data[0].explanation.n, data[0].explanation.terms[0].df], [3, 1]);
    assertError(await two.client.get(`/search/v2?q=word&knowledge_base_id=${base.id}`), "not_found");
  });
});
