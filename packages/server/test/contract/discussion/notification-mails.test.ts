import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { queueDigests } from "@svc/server/domain/discussion/notifications/digests";
import { notifyNewMembers } from "@svc/server/domain/discussion/notifications/notify-access";
import { insertMembership } from "@svc/server/domain/identity/accounts/queries";
import { DAY_MS } from "@svc/server/time";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { makeComment, makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { onEachDatabaseWithMail } from "../../support/mail-server.ts";
import { expectedSignature, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { loopback } from "../../support/webhooks.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

/** Ada wrote a page, Bob is an editor beside her. */
async function two(world: World) {
  const ada = await world.person();
  const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
  const { id: document_id } = await makeDocument(ada.client, { title: "Plan" });
  return { ada, bob, document_id };
}

const set = async (client: Client, kinds: Loose) =>
  assertStatus(await client.patch("/notifications/settings", { kinds }), 200).data;

/** As a browser asks for a page that somebody goes to. */
const HTML = { headers: { accept: "text/html" } };

/** Every mail job so far has ended. */
const settled = (world: World, workspaceId: string) =>
  until("no mail waits", async () => {
    const { read } = world.app.services.database;
    const jobs = read.selectFrom("jobs").select("id").where("workspace_id", "=", workspaceId);
    return (await jobs.where("finished_at", "is", null).execute()).length === 0;
  });

onEachDatabaseWithMail("notification mails", (world, mails) => {
  test("NTF7 a comment is mailed at once to who wrote the page, with the text and ways to the page and out", async () => {
    const { ada, bob, document_id } = await two(world);
    const comment = await makeComment(bob.client, { document_id, text: "Is `<b>this</b>` so?" });
    const mail = await mails.mailTo(ada.email);
    assert.equal(mail.subject, "test commented on “Plan”");
    assert.match(mail.text ?? "", /> Is <b>this<\/b> so\?/);
    assert.match(mail.html ?? "", /Is &lt;b&gt;this&lt;\/b&gt; so\?/);
    assert.ok(mail.text?.includes(`/documents/${document_id}?comments=all#${comment.id}`));
    assert.match(mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "", /\/unsubscribe\//);
    await settled(world, ada.workspaceId);
    assert.deepEqual(mails.sentTo(bob.email), []);
  });

  test("NTF7 a mail's links open the workspace that it is about, whichever one its person has open", async () => {
    const { ada, bob } = await two(world);
    const { services } = world.app;
    const home = await world.person();
    await services.database.transaction(async (tx) => {
      const row = { workspace_id: home.workspaceId, user_id: bob.userId, role: "owner", created_at: 1 } as const;
      await insertMembership(tx, row);
      const by = { userId: ada.userId, tokenId: null };
      await notifyNewMembers(services, tx, { workspaceId: ada.workspaceId, by, userIds: [bob.userId] });
    });
    const { text = "" } = await mails.mailTo(bob.email);
    const browser = new Visitor(world.url);
    browser.keep(await signIn(world, { ...bob, workspaceId: home.workspaceId }));
    const open = async () =>
      /data-tree="(\w+)"/.exec(await (await browser.fetch("/members", HTML)).text())?.[1] ?? "none";
    const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link));
    const [page, settings, away] = links.map(({ pathname, search }) => pathname + search);
    for (const link of [page, settings]) {
      assert.equal(await open(), home.workspaceId);
      const reply = await browser.fetch(defined(link), HTML);
      assert.equal(reply.status, 303, link);
      assert.equal(reply.headers.get("location"), defined(link).split("?")[0]);
      assert.equal(await open(), ada.workspaceId);
      await browser.submit("/members", "/workspaces/switch", { workspace: home.workspaceId });
    }
    // A signed-out person arrives there after signing in; another workspace is answered as not found.
    const stranger = await new Visitor(world.url).fetch(defined(page), HTML);
    assert.equal(stranger.headers.get("location"), `/sign-in?next=${encodeURIComponent(defined(page))}`);
    assert.equal((await browser.fetch("/notifications/settings?workspace=ws_none", HTML)).status, 200);
    // The settings are those of one workspace, and so are the mails that end.
    const ends = await (await fetch(`${world.url}${away}`)).text();
    assert.match(ends, /You will no longer receive emails from <strong><bdi>Ada&#39;s workspace<\/bdi>/);
    const done = await fetch(`${world.url}${away}`, { method: "POST", body: new URLSearchParams() });
    assert.match(await done.text(), new RegExp(`/notifications/settings\\?workspace=${ada.workspaceId}`));
  });

  test("NTF8 each kind is told as its person wants: in the app, by mail, not at all", async () => {
    const { ada, bob, document_id } = await two(world);
    await set(ada.client, { comment: { page: false, email: "off" }, reply: { page: false } });
    const first = await makeComment(ada.client, { document_id });
    await makeComment(bob.client, { document_id });
    await bob.client.post(`/comments/${first.id}/replies`, { body: markdown("Yes") });
    assert.match((await mails.mailTo(ada.email)).subject ?? "", /replied/);
    assert.deepEqual((await ada.client.get("/notifications")).data, []);
    await settled(world, ada.workspaceId);
    assert.equal(mails.sentTo(ada.email).length, 1);
    assertError(
      await ada.client.patch("/notifications/settings", { kinds: { comment: { email: "hourly" } } }),
      "invalid_request",
    );
  });

  test("NTF9 a daily mail has what came before its hour, once, and nothing that was read", async () => {
    const { ada, bob, document_id } = await two(world);
    await set(ada.client, { comment: { email: "daily" } });
    for (const text of ["one", "two", "three"]) await makeComment(bob.client, { document_id, text });
    const [three] = (await ada.client.get("/notifications")).data;
    await ada.client.post("/notifications/read", { ids: [three.id] });
    const { services } = world.app;
    await queueDigests(services, Date.now());
    await settled(world, ada.workspaceId);
    assert.deepEqual(mails.sentTo(ada.email), []);
    for (let i = 0; i < 2; i++) while (await queueDigests(services, Date.now() + DAY_MS));
    const mail = await mails.mailTo(ada.email);
    await settled(world, ada.workspaceId);
    assert.equal(mails.sentTo(ada.email).length, 1);
    assert.equal(mail.subject, "2 notifications");
    assert.match(mail.text ?? "", /> one[\s\S]*> two/);
    assert.doesNotMatch(mail.text ?? "", /three/);
  });

  test("NTF10 one click ends mails of a kind without signing in, and a forged link does nothing", async () => {
    const { ada, bob, document_id } = await two(world);
    await makeComment(bob.client, { document_id });
    const { headers } = await mails.mailTo(ada.email);
    const link = new URL(defined(headers.find(({ key }) => key === "list-unsubscribe")).value.slice(1, -1));
    const address = `${world.url}${link.pathname}`;
    const page = await fetch(address);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Unsubscribe/);
    const click = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
    assert.equal((await fetch(`${address}x`, click)).status, 404);
    assert.equal((await ada.client.get("/notifications/settings")).data.kinds.comment.email, "at_once");
    assert.equal((await fetch(address, click)).status, 200);
    const { kinds } = (await ada.client.get("/notifications/settings")).data;
    assert.deepEqual([kinds.comment.email, kinds.mention.email], ["off", "at_once"]);
    await makeComment(bob.client, { document_id });
    await settled(world, ada.workspaceId);
    assert.equal(mails.sentTo(ada.email).length, 1);
    assert.equal((await ada.client.get("/notifications")).data.length, 2);
  });

  test("NTF11 nobody is mailed who has lost access meanwhile", async () => {
    const { ada, bob } = await two(world);
    const { services } = world.app;
    await services.database.transaction(async (tx) => {
      const by = { userId: ada.userId, tokenId: null };
      await notifyNewMembers(services, tx, { workspaceId: ada.workspaceId, by, userIds: [bob.userId] });
      await tx.deleteFrom("memberships").where("user_id", "=", bob.userId).execute();
    });
    await settled(world, ada.workspaceId);
    assert.deepEqual(mails.sentTo(bob.email), []);
  });

  test("NTF11 nobody is mailed about a knowledge base that is hidden from them meanwhile", async () => {
    const { ada, bob, document_id } = await two(world);
    const { knowledge_base_id } = (await ada.client.get(`/documents/${document_id}`)).data;
    await bob.client.put(`/documents/${document_id}/watch`);
    await bob.client.patch("/notifications/settings", { kinds: { comment: { email: "daily" } } });
    await makeComment(ada.client, { document_id, text: "for those who see it" });
    const access = { default_role: null, members: [{ user_id: bob.userId, role: "none" }], groups: [] };
    const path = `/knowledge-bases/${knowledge_base_id}/access`;
    assertStatus(await ada.client.put(path, access, { ifMatch: "*" }), 200);
    const { services } = world.app;
    await queueDigests(services, Date.now() + 2 * DAY_MS);
    await settled(world, ada.workspaceId);
    assert.deepEqual(mails.sentTo(bob.email), []);
  });

  test("NTF12 access to a knowledge base is told to who got it", async () => {
    const { ada, bob } = await two(world);
    const base = await makeKnowledgeBase(ada.client, "Secrets");
    const path = `/knowledge-bases/${base.id}/access`;
    const { etag } = assertStatus(await ada.client.get(path), 200);
    const access = { default_role: "none", members: [{ user_id: bob.userId, role: "viewer" }], groups: [] };
    assertStatus(await ada.client.put(path, access, { ifMatch: etag ?? "*" }), 200);
    const [told] = (await bob.client.get("/notifications")).data;
    assert.deepEqual(
      [told.reason, told.knowledge_base_name, told.document_id, told.actor.name],
      ["share", "Secrets", null, "test"],
    );
    assert.equal((await mails.mailTo(bob.email)).subject, "test gave you access to “Secrets”");
  });
});

onEachDatabase(
  "notification webhooks",
  (world) => {
    test("NTF16 notifications go to their person's own address, signed, and again when that fails", async () => {
      const { ada, bob, document_id } = await two(world);
      await using receiver = await startReceiver((_message, count) => (count === 1 ? 500 : 204));
      const refused = await ada.client.patch("/notifications/settings", { webhook_url: "ftp://example.com" });
      assertError(refused, "invalid_request");
      const { data } = await ada.client.patch("/notifications/settings", { webhook_url: receiver.url });
      assert.equal(data.mail, false);
      await makeComment(bob.client, { document_id, text: "Hm" });
      await until("it was accepted", () => receiver.accepted.length === 1);
      const [message] = receiver.accepted;
      const [told] = (await ada.client.get("/notifications")).data;
      assert.deepEqual(
        [defined(message).type, defined(message).id, defined(message).data.excerpt],
        ["notification.created", told.id, "Hm"],
      );
      const last = defined(receiver.seen.at(-1));
      assert.equal(last.headers["webhook-signature"], expectedSignature(data.webhook_secret, last));
      const ended = (await ada.client.patch("/notifications/settings", { webhook_url: null })).data;
      assert.deepEqual([ended.webhook_url, ended.webhook_secret], [null, null]);
    });
  },
  loopback,
);
