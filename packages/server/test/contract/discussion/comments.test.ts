import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { defined } from "@svc/document/defined";
import { sweepSome } from "@svc/server/operation/sweep";
import { DAY_MS } from "@svc/server/time";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { makeComment, makeDocument, markdown } from "../../support/fixtures.ts";
import { makePrivate } from "../../support/make-private.ts";
import { onEachDatabase } from "../../support/world.ts";

const text = (content: string) => ({ body: markdown(content) });
const blocksOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/documents/${id}/blocks`)).data;
const threads = async (client: Client, id: string, query = ""): Promise<Loose[]> =>
  assertStatus(await client.get(`/documents/${id}/comments${query}`), 200).data;

onEachDatabase("comments", (world) => {
  test("COM1 a comment is Markdown by a token, and is read back with its HTML and version", async () => {
    const { client, userId, tokenId } = await world.person();
    const { id } = await makeDocument(client);
    const reply = assertStatus(await client.post(`/documents/${id}/comments`, text("**Really?**")), 201);
    const { data } = reply;
    assert.match(data.id, /^com_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(data.thread_id, data.id);
    assert.equal(data.document_id, id);
    assert.deepEqual(data.body, { markdown: "**Really?**", html: "<p><strong>Really?</strong></p>\n" });
    assert.equal(data.author.type, "token");
    assert.equal(data.author.id, tokenId);
    assert.equal(data.author.user_id, userId);
    assert.equal(data.anchor, null);
    assert.deepEqual([data.resolved_at, data.resolved_by, data.reactions], [null, null, []]);
    const again = await client.get(`/comments/${data.id}`);
    assert.deepEqual(again.data, data);
    assert.equal(again.headers.get("etag"), `"${data.version}"`);
    assertStatus(await client.get(`/comments/${data.id}`, { headers: { "if-none-match": `"${data.version}"` } }), 304);
  });

  test("COM1 a comment says something: white space alone is refused", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const path = `/documents/${id}/comments`;
    for (const empty of ["", " \n ", "\t\u00a0\u3000"])
      assertError(await client.post(path, text(empty)), "invalid_request");
    const { data } = assertStatus(await client.post(path, text("  x \n")), 201);
    assertError(await client.patch(`/comments/${data.id}`, text("\n"), { ifMatch: data.version }), "invalid_request");
  });

  test("COM17 a comment on a passage is sent in full, as where it stands may have changed", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { text: "One.\n\nTwo.\n" });
    const [first] = await blocksOf(client, id);
    const comment = await makeComment(client, { document_id: id, anchor: { block_id: defined(first).id } });
    const again = async () =>
      assertStatus(
        await client.get(`/comments/${comment.id}`, { headers: { "if-none-match": `"${comment.version}"` } }),
        200,
      );
    assert.deepEqual((await again()).data, comment);
    await client.delete(`/documents/${id}/blocks/${defined(first).id}`);
    const { data, etag } = await again();
    assert.deepEqual([data.anchor.state, etag], ["dangling", comment.version]);
  });

  test("COM2 a script in a comment never comes out", async () => {
    const { client } = await world.person();
    const { body } = await makeComment(client, { text: '<img src=x onerror="alert(1)"> [a](javascript:alert(1))' });
    assert.doesNotMatch(body.html, /<img|javascript:/);
  });

  test("COM3 replies join the thread, also replies to replies", async () => {
    const { client } = await world.person();
    const opening = await makeComment(client);
    const first = assertStatus(await client.post(`/comments/${opening.id}/replies`, text("One")), 201).data;
    const second = assertStatus(await client.post(`/comments/${first.id}/replies`, text("Two")), 201).data;
    assert.equal(second.thread_id, opening.id);
    const [thread] = await threads(client, opening.document_id);
    assert.deepEqual(
      defined(thread).replies.map((reply: Loose) => reply.id),
      [first.id, second.id],
    );
  });

  test("COM4 resolving and reopening happen once, and the list tells the states apart", async () => {
    const { client, userId } = await world.person();
    const { id, document_id } = await makeComment(client);
    const resolved = assertStatus(await client.post(`/comments/${id}/resolve`), 200).data;
    assert.equal(resolved.resolved_by, userId);
    assert.deepEqual((await client.post(`/comments/${id}/resolve`)).data, resolved);
    assert.equal((await threads(client, document_id)).length, 0);
    assert.equal((await threads(client, document_id, "?state=resolved")).length, 1);
    assert.equal((await threads(client, document_id, "?state=all")).length, 1);
    const reopened = assertStatus(await client.post(`/comments/${id}/reopen`), 200).data;
    assert.equal(reopened.resolved_at, null);
    assert.equal((await threads(client, document_id)).length, 1);
  });

  test("COM5 only its author changes a comment, on the version they saw", async () => {
    const { client, workspaceId } = await world.person();
    const other = await world.person({ workspace: workspaceId });
    const comment = await makeComment(client);
    const path = `/comments/${comment.id}`;
    assertError(await client.patch(path, text("New")), "precondition_required");
    assertError(await other.client.patch(path, text("New"), { ifMatch: "*" }), "insufficient_role");
    const changed = assertStatus(await client.patch(path, text("New"), { ifMatch: comment.version }), 200).data;
    assert.equal(changed.body.markdown, "New");
    assertError(await client.patch(path, text("Newer"), { ifMatch: comment.version }), "version_conflict");
    const same = await client.patch(path, text("New"), { ifMatch: changed.version });
    assert.equal(same.data.version, changed.version);
  });

  test("COM6 a deleted comment with replies stays as an empty one, until its last reply goes", async () => {
    const { client } = await world.person();
    const { id, document_id } = await makeComment(client);
    const reply = (await client.post(`/comments/${id}/replies`, text("One"))).data;
    assert.deepEqual(assertStatus(await client.delete(`/comments/${id}`), 200).data, { id, deleted: true });
    const [thread] = await threads(client, document_id);
    assert.deepEqual([defined(thread).deleted, defined(thread).body, defined(thread).replies.length], [true, null, 1]);
    assertError(await client.delete(`/comments/${id}`), "not_found");
    assertStatus(await client.delete(`/comments/${reply.id}`), 200);
    assert.deepEqual(await threads(client, document_id, "?state=all"), []);
    assertError(await client.get(`/comments/${id}`), "not_found");
  });

  test("COM6 an owner of the workspace deletes any comment, an editor only their own", async () => {
    const owner = await world.person();
    const editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const mine = await makeComment(owner.client);
    assertError(await editor.client.delete(`/comments/${mine.id}`), "insufficient_role");
    const theirs = await makeComment(editor.client, { document_id: mine.document_id });
    assertStatus(await owner.client.delete(`/comments/${theirs.id}`), 200);
  });

  test("COM15 a deleted comment comes back as it was: by who deleted it, or an owner", async () => {
    const { client, workspaceId } = await world.person();
    const editor = await world.person({ workspace: workspaceId, role: "editor" });
    const { id, document_id } = await makeComment(editor.client);
    await client.put(`/comments/${id}/reactions/${encodeURIComponent("🎉")}`);
    const before = (await editor.client.get(`/comments/${id}`)).data;
    assertError(await editor.client.post(`/comments/${id}/restore`), "not_found");
    await client.delete(`/comments/${id}`);
    assertError(await editor.client.post(`/comments/${id}/restore`), "insufficient_role");
    const { version, ...back } = assertStatus(await client.post(`/comments/${id}/restore`), 200).data;
    assert.notEqual(version, before.version);
    const { version: _, reactions, ...was } = before;
    assert.deepEqual({ ...back, reactions }, { ...was, reactions });
    assert.deepEqual(back.reactions, [{ emoji: "🎉", count: 1, mine: true }]);
    assertError(await client.post(`/comments/${id}/restore`), "not_found");
    await editor.client.delete(`/comments/${id}`);
    assertStatus(await editor.client.post(`/comments/${id}/restore`), 200);
    assert.equal((await threads(client, document_id)).length, 1);
  });

  test("COM15 a thread comes back reply by reply, and an emptied comment with its text", async () => {
    const { client } = await world.person();
    const { id, document_id, body } = await makeComment(client);
    const replies: string[] = [];
    for (const said of ["One", "Two"]) replies.push((await client.post(`/comments/${id}/replies`, text(said))).data.id);
    for (const each of [id, ...replies]) assertStatus(await client.delete(`/comments/${each}`), 200);
    assert.deepEqual(await threads(client, document_id, "?state=all"), []);
    const restore = async (each: string | undefined) =>
      assertStatus(await client.post(`/comments/${each}/restore`), 200);
    await restore(replies[0]);
    const [emptied] = await threads(client, document_id);
    assert.deepEqual([defined(emptied).deleted, defined(emptied).replies.length], [true, 1]);
    await restore(id);
    await restore(replies[1]);
    const [thread] = await threads(client, document_id);
    assert.deepEqual([defined(thread).deleted, defined(thread).body], [false, body]);
    assert.deepEqual(
      defined(thread).replies.map((reply: Loose) => reply.body.markdown),
      ["One", "Two"],
    );
  });

  test("COM15 it follows its document into the trash and its block to another page, and ends with the retention", async () => {
    const { client } = await world.person();
    const { id: document_id } = await makeDocument(client, { text: "# Part\n\nText\n" });
    const { id: target_document_id } = await makeDocument(client);
    const [heading, paragraph] = await blocksOf(client, document_id);
    const anchor = { block_id: defined(paragraph).id };
    const { id } = (await client.post(`/documents/${document_id}/comments`, { ...text("Why?"), anchor })).data;
    await client.delete(`/comments/${id}`);
    await client.delete(`/documents/${document_id}`);
    assertError(await client.post(`/comments/${id}/restore`), "not_found");
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    const move = { target_document_id, position: { document_end: true } };
    assertStatus(await client.post(`/documents/${document_id}/sections/${defined(heading).id}/move`, move), 200);
    const back = assertStatus(await client.post(`/comments/${id}/restore`), 200).data;
    assert.deepEqual([back.document_id, back.anchor.state], [target_document_id, "ok"]);
    await client.delete(`/comments/${id}`);
    const { services } = world.app;
    mock.timers.enable({ apis: ["Date"], now: Date.now() + (services.config.trashRetentionDays + 1) * DAY_MS });
    try {
      while (await sweepSome(services));
    } finally {
      mock.timers.reset();
    }
    assertError(await client.post(`/comments/${id}/restore`), "not_found");
  });

  test("COM7 reactions are counted once a person", async () => {
    const { client, workspaceId } = await world.person();
    const other = await world.person({ workspace: workspaceId });
    const { id } = await makeComment(client);
    const path = `/comments/${id}/reactions/${encodeURIComponent("👍")}`;
    for (const by of [client, client, other.client]) assertStatus(await by.put(path), 200);
    assert.deepEqual((await client.get(`/comments/${id}`)).data.reactions, [{ emoji: "👍", count: 2, mine: true }]);
    assert.deepEqual(assertStatus(await client.delete(path), 200).data.reactions, [
      { emoji: "👍", count: 1, mine: false },
    ]);
    for (const wrong of ["a", "👍👍", "%20"])
      assertError(await client.put(`/comments/${id}/reactions/${encodeURIComponent(wrong)}`), "invalid_request");
  });

  test("COM8 an anchor follows its passage: within the block, with the block, into another block, to its end", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { text: "The meeting is every Friday.\n\nSecond.\n" });
    const [first, second] = await blocksOf(client, id);
    const anchor = { block_id: defined(first).id, quote: "every Friday", start: 15, end: 27 };
    const comment = await makeComment(client, { document_id: id, anchor });
    assert.deepEqual(comment.anchor, { ...anchor, state: "ok" });
    const anchorNow = async () => (await client.get(`/comments/${comment.id}`)).data.anchor;
    const paragraph = (content: string) => ({
      node: { type: "paragraph", content: [{ type: "text", text: content }] },
    });

    await client.patch(
      `/documents/${id}/blocks/${defined(first).id}`,
      paragraph("Every week: the meeting is every Friday."),
    );
    assert.deepEqual(await anchorNow(), { ...anchor, start: 27, end: 39, state: "ok" });

    await client.post(`/documents/${id}/batch`, {
      base_version: (await client.get(`/documents/${id}`)).data.version,
      operations: [{ op: "move", block_id: defined(first).id, position: { document_end: true } }],
    });
    assert.equal((await anchorNow()).state, "ok");

    await client.patch(`/documents/${id}/blocks/${defined(second).id}`, paragraph("So it is every Friday."));
    await client.patch(`/documents/${id}/blocks/${defined(first).id}`, paragraph("The meeting is monthly."));
    assert.deepEqual(await anchorNow(), { ...anchor, block_id: defined(second).id, start: 9, end: 21, state: "moved" });
    assert.equal((await threads(client, id, `?block_id=${defined(second).id}`)).length, 1);
    assert.equal((await threads(client, id, `?block_id=${defined(first).id}`)).length, 0);

    await client.delete(`/documents/${id}/blocks/${defined(second).id}`);
    assert.deepEqual(await anchorNow(), { ...anchor, start: null, end: null, state: "dangling" });
  });

  test("COM9 an anchor that names nothing is refused", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client, { text: "A cat 🐈 sat.\n" });
    const [block] = await blocksOf(client, id);
    const send = (anchor: Loose) => client.post(`/documents/${id}/comments`, { ...text("?"), anchor });
    assertError(await send({ block_id: "block_none" }), "block_not_found");
    for (const anchor of [
      { quote: "dog" },
      { quote: "cat", start: 3 },
      { start: 5, end: 5 },
      { end: 99 },
      { start: 7 },
    ])
      assertError(await send({ block_id: defined(block).id, ...anchor }), "invalid_anchor");
    const { anchor } = assertStatus(await send({ block_id: defined(block).id, start: 2, end: 5 }), 201).data;
    assert.equal(anchor.quote, "cat");
    const whole = assertStatus(await send({ block_id: defined(block).id }), 201).data;
    assert.deepEqual(whole.anchor, { block_id: defined(block).id, quote: null, start: null, end: null, state: "ok" });
  });

  test("COM10 a viewer comments where the knowledge base allows it, and a read-only token never", async () => {
    const owner = await world.person();
    const viewer = await world.person({ workspace: owner.workspaceId, role: "viewer" });
    const document = await makeDocument(owner.client);
    const path = `/documents/${document.id}/comments`;
    assertStatus(await viewer.client.post(path, text("Nice")), 201);
    const base = `/knowledge-bases/${document.knowledge_base_id}`;
    const closed = assertStatus(await owner.client.patch(base, { members_may_comment: false }), 200).data;
    assert.equal(closed.members_may_comment, false);
    assertError(await viewer.client.post(path, text("Nice")), "insufficient_role");
    assertError(await viewer.client.patch(base, { members_may_comment: true }), "insufficient_role");
    const reader = await world.person({ workspace: owner.workspaceId, scopes: ["documents:read"] });
    assertError(await reader.client.post(path, text("Nice")), "insufficient_scope");
    const suggester = await world.person({
      workspace: owner.workspaceId,
      scopes: ["documents:read", "documents:suggest"],
    });
    assertStatus(await suggester.client.post(path, text("Nice")), 201);
  });

  test("COM11 every change of a comment is an event, in order", async () => {
    const person = await world.person();
    const { client } = person;
    const { id: documentId } = await makeDocument(client);
    const { id } = await makeComment(client, { document_id: documentId });
    await client.patch(`/comments/${id}`, text("New"), { ifMatch: "*" });
    await client.post(`/comments/${id}/resolve`);
    await client.post(`/comments/${id}/reopen`);
    await client.delete(`/comments/${id}`);
    const reader = await EventReader.open(world.url, person.token, { lastEventId: 1 });
    const kinds = ["created", "updated", "resolved", "updated", "deleted"];
    for (const kind of kinds) {
      const { data } = await reader.next();
      assert.equal(data.type, `comment.${kind}`);
      assert.deepEqual([data.document_id, data.comment], [documentId, { id, thread_id: id }]);
    }
    reader.close();
  });

  test("COM12 comments go with their document and come back from the trash", async () => {
    const { client } = await world.person();
    const { id, document_id } = await makeComment(client);
    await client.put(`/comments/${id}/reactions/${encodeURIComponent("🎉")}`);
    await client.delete(`/documents/${document_id}`);
    assertError(await client.get(`/comments/${id}`), "not_found");
    const [entry] = (await client.get("/trash")).data;
    assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
    assert.equal((await client.get(`/comments/${id}`)).data.reactions[0].emoji, "🎉");
  });

  test("COM13 threads come in pages", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.push((await makeComment(client, { document_id: id })).id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const reply: Loose = await client.get(`/documents/${id}/comments?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...reply.data.map((thread: Loose) => thread.id));
      cursor = reply.body.page.next_cursor;
    }
    assert.deepEqual(seen, made);
  });

  test("COM14 comments are found with in=comments, by all words, without case and accents, and only there", async () => {
    const { client } = await world.person();
    const stranger = await world.person();
    const { id: document_id, knowledge_base_id } = await makeDocument(client, { title: "Menu", text: "Soup.\n" });
    const first = await makeComment(client, { document_id, text: "The Crème brûlée is 50% off" });
    await makeComment(client, { document_id, text: "The soup is cold" });
    const find = async (q: string, more = "", who = client) =>
      assertStatus(await who.get(`/search/v2?in=comments&q=${encodeURIComponent(q)}${more}`), 200);
    const { data, body } = await find("creme BRULEE");
    assert.deepEqual([data.length, data[0].comment_id, data[0].matched_in], [1, first.id, "comment"]);
    assert.deepEqual(body.hits, { total: 1, all_words: 1, documents: 1, content: 1, title: 0 });
    assert.deepEqual([data[0].document_id, data[0].title], [document_id, "Menu"]);
    for (const [q, count] of [
      ["the is", 2],
      ['"is cold"', 1],
      ["the -soup", 1],
      ["50%", 1],
      ["5_%", 0],
      ["sou*", 1],
    ] as const)
      assert.equal((await find(q)).data.length, count, q);
    assert.equal((await find("the", `&knowledge_base_id=${knowledge_base_id}`)).data.length, 2);
    assert.deepEqual((await find("the", "", stranger.client)).data, []);
    assert.deepEqual((await client.get("/search/v2?q=brulee")).data, []);
    const page = await find("the", "&limit=1");
    const next = await find("the", `&limit=1&cursor=${page.body.page.next_cursor}`);
    assert.equal(next.data[0].comment_id, first.id);
    await client.delete(`/comments/${first.id}`);
    assert.deepEqual((await find("brulee")).data, []);
    assertError(await client.get("/search/v2?in=comments&q=-x"), "invalid_request");
  });

  test("COM16 the end of an id gives the whole id of what the caller sees, a deleted comment included", async () => {
    const owner = await world.person();
    const other = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const { id } = await makeComment(owner.client);
    const find = async (client: Client, kind = "comment") =>
      assertStatus(await client.get(`/ids?kind=${kind}&id_ends=${id.slice(-8)}`), 200).data;
    const found = [{ id, kind: "comment" }];
    assert.deepEqual(await find(other.client), found);
    assert.deepEqual(await find(other.client, "suggestion"), []);
    assert.deepEqual(await find((await world.person()).client), []);
    await owner.client.delete(`/comments/${id}`);
    assert.deepEqual(await find(owner.client), found);
    await makePrivate(world, owner.workspaceId, new Map([["owner", owner]]));
    assert.deepEqual([await find(owner.client), await find(other.client)], [found, []]);
    for (const query of ["kind=comment&id_ends=%25%25%25%25%25%25%25%25", "kind=user&id_ends=00000000", "kind=comment"])
      assertError(await owner.client.get(`/ids?${query}`), "invalid_request");
  });
});
