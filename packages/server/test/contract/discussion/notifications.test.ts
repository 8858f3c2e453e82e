import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { findDeliverable } from "@svc/server/domain/discussion/notifications/deliverable";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { makeComment, makeDocument, makeFolder, makeSuggestion, markdown } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const news = async (client: Client): Promise<Loose[]> => assertStatus(await client.get("/notifications"), 200).data;
const reasonsOf = async (client: Client) => (await news(client)).map(({ reason }) => reason);

/** Two members of one workspace. */
async function two(world: World) {
  const ada = await world.person();
  const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
  return { ada, bob };
}

onEachDatabase("notifications", (world) => {
  test("NTF1 a comment is told to who wrote the page, a reply to who takes part; nobody hears of themselves", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client, { title: "Plan" });
    const comment = await makeComment(bob.client, { document_id, text: "**Really?** See `here`." });
    const [told] = await news(ada.client);
    assert.match(defined(told).id, /^ntf_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(
      [
        defined(told).reason,
        defined(told).document_id,
        defined(told).document_title,
        defined(told).comment_id,
        defined(told).excerpt,
        defined(told).read_at,
      ],
      ["comment", document_id, "Plan", comment.id, "Really? See here.", null],
    );
    assert.equal(defined(told).actor.user_id, bob.userId);
    assert.deepEqual(await news(bob.client), []);
    await ada.client.post(`/comments/${comment.id}/replies`, { body: markdown("Yes.") });
    assert.deepEqual(await reasonsOf(bob.client), ["reply"]);
    assert.deepEqual(await reasonsOf(ada.client), ["comment"]);
  });

  test("NTF2 a mention comes before any other reason, and only members hear of it", async () => {
    const { ada, bob } = await two(world);
    const stranger = await world.person();
    const { id: document_id } = await makeDocument(bob.client);
    const mention = ({ userId }: { userId: string }) => `[@Name](svc://user/${userId})`;
    await makeComment(ada.client, { document_id, text: `${mention(bob)} and ${mention(stranger)}, look` });
    assert.deepEqual(await reasonsOf(bob.client), ["mention"]);
    assert.deepEqual(await news(stranger.client), []);
  });

  test("NTF3 a suggestion is told to who wrote the page, its decision to its author", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    const suggestion = await makeSuggestion(bob.client, { document_id });
    const [told] = await news(ada.client);
    assert.deepEqual([defined(told).reason, defined(told).suggestion_id], ["suggestion", suggestion.id]);
    await ada.client.post(`/suggestions/${suggestion.id}/accept`, {}, { ifMatch: suggestion.version });
    assert.deepEqual(await reasonsOf(bob.client), ["decision"]);
  });

  test("NTF4 who watches a page, its folder or its knowledge base hears of comments there", async () => {
    const { ada, bob } = await two(world);
    const folder = await makeFolder(ada.client);
    const fields = { knowledge_base_id: folder.knowledge_base_id, folder_id: folder.id };
    const paths = (id: string) => [
      `/documents/${id}/watch`,
      `/folders/${folder.id}/watch`,
      `/knowledge-bases/${folder.knowledge_base_id}/watch`,
    ];
    const { id: document_id } = await makeDocument(ada.client, fields);
    for (const [done, path] of paths(document_id).entries()) {
      assert.equal(assertStatus(await bob.client.get(path), 200).data.watching, false);
      assert.equal(assertStatus(await bob.client.put(path), 200).data.watching, true);
      assert.deepEqual((await bob.client.put(path)).data, (await bob.client.get(path)).data);
      await makeComment(ada.client, { document_id });
      assert.equal((await news(bob.client)).length, done + 1);
      assert.deepEqual(assertStatus(await bob.client.delete(path), 200).data, { watching: false, since: null });
    }
    await makeComment(ada.client, { document_id });
    assert.equal((await news(bob.client)).length, 3);
  });

  test("NTF5 unread ones come first, and are marked by id or by time", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    for (const text of ["one", "two", "three"]) await makeComment(bob.client, { document_id, text });
    const [three, two_, one] = await news(ada.client);
    assert.deepEqual([defined(three).excerpt, defined(two_).excerpt, defined(one).excerpt], ["three", "two", "one"]);
    assert.deepEqual((await ada.client.post("/notifications/read", { ids: [defined(three).id] })).data, { read: 1 });
    const excerpts: string[] = [];
    for (let cursor = ""; ; ) {
      const reply = await ada.client.get(`/notifications?limit=1${cursor}`);
      excerpts.push(...reply.data.map(({ excerpt }: Loose) => excerpt));
      if (reply.body.page.next_cursor === null) break;
      cursor = `&cursor=${reply.body.page.next_cursor}`;
    }
    assert.deepEqual(excerpts, ["two", "one", "three"]);
    assert.deepEqual((await ada.client.post("/notifications/read", { before: Date.now() })).data, { read: 2 });
    assertError(await ada.client.post("/notifications/read", {}), "invalid_request");
    assert.deepEqual((await ada.client.post("/notifications/read", { ids: [defined(one).id] })).data, { read: 0 });
    for (const id of [defined(one).id, "ntf_none"])
      assertError(await bob.client.post("/notifications/read", { ids: [id] }), "not_found");
  });

  test("NTF5 what is hidden from a person is neither listed nor counted as read", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id, knowledge_base_id } = await makeDocument(ada.client);
    const open = await makeDocument(ada.client);
    await bob.client.put(`/knowledge-bases/${knowledge_base_id}/watch`);
    await bob.client.put(`/documents/${open.id}/watch`);
    const setRole = async (role: string) => {
      const members = [{ user_id: bob.userId, role }];
      const access = { default_role: null, members, groups: [] };
      const path = `/knowledge-bases/${knowledge_base_id}/access`;
      assertStatus(await ada.client.put(path, access, { ifMatch: "*" }), 200);
    };
    await makeComment(ada.client, { document_id, text: "secret" });
    await makeComment(ada.client, { document_id: open.id, text: "open" });
    const [, secret] = await news(bob.client);
    await setRole("none");
    await makeComment(ada.client, { document_id, text: "more secret" });
    assert.deepEqual(
      (await news(bob.client)).map(({ excerpt }) => excerpt),
      ["open"],
    );
    assertError(await bob.client.post("/notifications/read", { ids: [defined(secret).id] }), "not_found");
    assert.deepEqual((await bob.client.post("/notifications/read", { before: Date.now() })).data, { read: 1 });
    await setRole("viewer");
    const again = await news(bob.client);
    assert.deepEqual(
      again.map(({ reason, excerpt, read_at }) => [reason, excerpt, read_at === null]),
      [
        ["share", "", true],
        ["comment", "secret", true],
        ["comment", "open", false],
      ],
    );
    await setRole("none");
    assert.deepEqual(await reasonsOf(bob.client), ["comment"], "access that was taken back is not told");
  });

  test("NTF2 a comment that is changed tells those whom it mentions from now on, and nobody else", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    const comment = await makeComment(ada.client, { document_id, text: "Hm" });
    const change = async (text: string, ifMatch: string) =>
      assertStatus(await ada.client.patch(`/comments/${comment.id}`, { body: markdown(text) }, { ifMatch }), 200);
    const changed = await change(`Hm, [@Bob](svc://user/${bob.userId})`, comment.version);
    assert.deepEqual(await reasonsOf(bob.client), ["mention"]);
    await change(`Hm! [@Bob](svc://user/${bob.userId})`, changed.data.version);
    assert.deepEqual(await reasonsOf(bob.client), ["mention"]);
  });

  test("NTF17 people are found by a part of their name, those of a page only where they see it", async () => {
    const ada = await world.person();
    const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    const database = world.app.services.database;
    await database.transaction((tx) =>
      tx.updateTable("users").set({ name: "Zoë Bell" }).where("id", "=", bob.userId).execute(),
    );
    const found = async (query: string) =>
      assertStatus(await ada.client.get(`/members?${query}`), 200).data.map(({ id }: Loose) => id);
    assert.deepEqual(await found("q=zoe"), [bob.userId]);
    assert.deepEqual(await found("q=nobody"), []);
    assert.deepEqual(new Set(await found("limit=10")), new Set([ada.userId, bob.userId]));
    const { id, knowledge_base_id } = await makeDocument(ada.client);
    assert.deepEqual(await found(`q=zoe&document_id=${id}`), [bob.userId]);
    const access = { default_role: "none", members: [], groups: [] };
    await ada.client.put(`/knowledge-bases/${knowledge_base_id}/access`, access, { ifMatch: "*" });
    assert.deepEqual(await found(`q=zoe&document_id=${id}`), []);
    assertError(await bob.client.get(`/members?document_id=${id}`), "not_found");
    const first = await ada.client.get("/members?limit=1");
    const rest = await ada.client.get(`/members?limit=1&cursor=${first.body.page.next_cursor}`);
    assert.equal(rest.body.page.next_cursor, null);
    assert.notEqual(first.data[0].id, rest.data[0].id);
  });

  test("NTF6 notifications and watches go with their document and come back from the trash", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    await ada.client.put(`/documents/${document_id}/watch`);
    await makeComment(bob.client, { document_id });
    await ada.client.delete(`/documents/${document_id}`);
    assert.deepEqual(await news(ada.client), []);
    const [entry] = (await ada.client.get("/trash")).data;
    await ada.client.post(`/trash/${entry.id}/restore`);
    assert.deepEqual(await reasonsOf(ada.client), ["comment"]);
    assert.equal((await ada.client.get(`/documents/${document_id}/watch`)).data.watching, true);
  });

  test("NTF20 the notification of a deleted comment is away for as long as the comment", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    const opening = await makeComment(bob.client, { document_id, text: "Secret" });
    const reply = await bob.client.post(`/comments/${opening.id}/replies`, { body: markdown("More") });
    const other = await makeComment(bob.client, { document_id, text: "Other" });
    const all = await news(ada.client);
    const idOf = (comment: Loose) => defined(all.find(({ comment_id }) => comment_id === comment.id)).id;
    const told = async () => (await news(ada.client)).map(({ comment_id }) => comment_id);
    assert.deepEqual(await told(), [other.id, reply.data.id, opening.id]);
    const ids = all.map(({ id }) => id);
    const { read } = world.app.services.database;
    const sendable = async () =>
      (await findDeliverable(read, ada.workspaceId, ada.userId, ids))?.rows.map(({ excerpt }) => excerpt);
    // The first leaves an empty comment above its reply, the second nothing.
    await bob.client.delete(`/comments/${opening.id}`);
    await bob.client.delete(`/comments/${other.id}`);
    assert.deepEqual(await told(), [reply.data.id]);
    assert.deepEqual(await sendable(), ["More"]);
    assertError(await ada.client.post("/notifications/read", { ids: [idOf(other)] }), "not_found");
    await bob.client.delete(`/comments/${reply.data.id}`);
    assert.deepEqual(await told(), []);
    for (const { id } of [opening, reply.data, other])
      assertStatus(await bob.client.post(`/comments/${id}/restore`), 200);
    assert.deepEqual(await told(), [other.id, reply.data.id, opening.id]);
    assert.deepEqual(await sendable(), ["Secret", "More", "Other"]);
  });

  test("NTF13 a text that mentions somebody tells them, once for each time that they are added", async () => {
    const { ada, bob } = await two(world);
    const { id } = await makeDocument(ada.client, { text: "# Plan\n" });
    const write = async (text: string) =>
      assertStatus(await ada.client.put(`/documents/${id}/content?ids=match`, markdown(text), { ifMatch: "*" }), 200);
    const mention = `[@Bob](svc://user/${bob.userId})`;
    await write(`# Plan\n\nAsk ${mention}.\n`);
    assert.deepEqual(await reasonsOf(bob.client), ["mention"]);
    await write(`# Plan\n\nDo ask ${mention}.\n\nMore.\n`);
    assert.deepEqual(await reasonsOf(bob.client), ["mention"]);
    const node = { type: "mention", attrs: { kind: "user", id: bob.userId, label: "Bob" } };
    const nodes = [{ type: "paragraph", content: [node] }];
    const added = await ada.client.post(`/documents/${id}/blocks`, { nodes, position: { document_end: true } });
    assertStatus(added, 201);
    assert.deepEqual(await reasonsOf(bob.client), ["mention", "mention"]);
  });

  test("NTF14 who watches hears of changed pages, not again while that is unread, and not of their own", async () => {
    const { ada, bob } = await two(world);
    const { id, knowledge_base_id } = await makeDocument(ada.client);
    await bob.client.put(`/knowledge-bases/${knowledge_base_id}/watch`);
    const write = (client: Client, text: string) =>
      client.put(`/documents/${id}/content`, markdown(text), { ifMatch: "*" });
    await write(bob.client, "# Mine\n");
    await write(ada.client, "# One\n");
    await until("the change is told", async () => (await news(bob.client)).length > 0);
    await write(ada.client, "# Two\n");
    const { id: other } = await makeDocument(ada.client, { knowledge_base_id });
    await until("the new page is told", async () => (await news(bob.client)).some((n) => n.document_id === other));
    const told = await news(bob.client);
    assert.deepEqual(
      told.map(({ reason, document_id }) => [reason, document_id]),
      [
        ["watch", other],
        ["watch", id],
      ],
    );
    assert.equal(defined(told[1]).actor.user_id, ada.userId);
  });

  test("NTF15 notification.created is an event of its person alone", async () => {
    const { ada, bob } = await two(world);
    const { id: document_id } = await makeDocument(ada.client);
    await makeComment(bob.client, { document_id });
    const seen = async (client: Client) =>
      (await client.get("/changes?after=0")).data.filter(({ type }: Loose) => type === "notification.created");
    const [event] = await seen(ada.client);
    const [notification] = await news(ada.client);
    assert.deepEqual(event.notification, { id: defined(notification).id, reason: "comment" });
    assert.equal(event.document_id, document_id);
    assert.deepEqual(await seen(bob.client), []);
    const stream = await EventReader.open(world.url, ada.token, { lastEventId: 0 });
    const theirs = await EventReader.open(world.url, bob.token, { lastEventId: 0 });
    await makeComment(bob.client, { document_id });
    await ada.client.put(`/documents/${document_id}/content`, markdown("# End\n"), { ifMatch: "*" });
    const types = async (reader: EventReader) => {
      const found: string[] = [];
      for (;;) {
        const { type } = await reader.next();
        found.push(type);
        if (type === "document.content.updated") return found;
      }
    };
    assert.equal((await types(stream)).filter((type) => type === "notification.created").length, 2);
    assert.ok(!(await types(theirs)).includes("notification.created"));
    await stream.close();
    await theirs.close();
    const hook = { url: "https://example.com/hook", event_types: ["notification.created"] };
    assertError(await ada.client.post("/webhooks", hook), "invalid_request");
  });
});
