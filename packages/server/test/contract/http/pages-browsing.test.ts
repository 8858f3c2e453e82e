import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { assertStatus } from "../../support/client.ts";
import { makeConcept, makeDocument, makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

onEachDatabase("looking around", (world) => {
  const memberOf = async (owner: Person, role: "owner" | "editor" | "viewer") => {
    const email = `${role}-${owner.userId.toLowerCase()}@example.com`;
    const passwordHash = await hashPassword(PASSWORD);
    await world.app.services.database.transaction((tx) =>
      createUser(tx, { email, name: role, passwordHash, workspace: owner.workspaceId, role }),
    );
    const visitor = new Visitor(world.url);
    await visitor.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    return visitor;
  };
  const text = async (visitor: Visitor, path: string) => (await visitor.fetch(path)).text();

  test("WEB21 a long folder comes in pages, by title, nothing twice and nothing left out", async () => {
    const owner = await world.person();
    const base = await makeKnowledgeBase(owner.client);
    const titles = Array.from({ length: 230 }, (_, n) => `Paper ${String(n % 115).padStart(3, "0")}`);
    for (const title of titles) await makeDocument(owner.client, { title, knowledge_base_id: base.id });
    const visitor = await memberOf(owner, "viewer");
    const seen: string[] = [];
    let path: string | undefined = `/knowledge-bases/${base.id}`;
    for (let pages = 0; path; pages++) {
      assert.ok(pages < 3);
      const page = await text(visitor, path);
      seen.push(...[...page.matchAll(/<bdi>(Paper \d+)<\/bdi>/g)].map((match) => match[1] ?? ""));
      path = /href="(\/knowledge-bases\/\d+\?cursor=[^"]+)"/.exec(page)?.[1];
    }
    assert.deepEqual(seen, titles.toSorted());
  });

  test("WEB44 concepts are listed and found; one shows its names, evidence, relations and a drawing", async () => {
    const owner = await world.person();
    const document = await makeDocument(owner.client, { text: "Ship on Friday." });
    const [{ id: block }] = (await owner.client.get(`/documents/${document.id}/blocks`)).data;
    const place = { knowledge_base_id: document.knowledge_base_id };
    const release = await makeConcept(owner.client, { ...place, name: "Release", aliases: ["Rollout"] });
    const deploy = await makeConcept(owner.client, { ...place, name: "Deploy" });
    const relation = { predicate: "related_to", target_concept_id: deploy.id };
    const path = `/concepts/${release.id}`;
    const related = await owner.client.post(`${path}/relations`, relation, { ifMatch: release.version });
    const evidence = { document_id: document.id, block_id: block, source_version: document.version };
    const { version } = assertStatus(related, 201).data;
    assertStatus(await owner.client.post(`${path}/sources`, evidence, { ifMatch: version }), 201);
    const visitor = await memberOf(owner, "viewer");
    const all = await text(visitor, "/concepts");
    for (const { id } of [release, deploy]) assert.ok(all.includes(`/concepts/${id}`));
    const found = await text(visitor, "/concepts?q=rollout");
    assert.ok(found.includes(path) && !found.includes(`/concepts/${deploy.id}`));
    const page = await text(visitor, path);
    for (const part of ["Rollout", `/documents/${document.id}`, `/concepts/${deploy.id}`, "<svg"])
      assert.ok(page.includes(part), part);
    assert.doesNotMatch(page, /has changed since/);
    await owner.client.put(`/documents/${document.id}/content`, markdown("Ship on Monday."), { ifMatch: "*" });
    assert.match(await text(visitor, path), /changed since|no longer/);
  });

  test("TEN1 pages of another workspace are not there", async () => {
    const [owner, stranger] = [await world.person(), await world.person()];
    const folder = await makeFolder(owner.client);
    const document = await makeDocument(owner.client, { knowledge_base_id: folder.knowledge_base_id });
    await owner.client.put(`/documents/${document.id}/content`, markdown("Changed."), { ifMatch: "*" });
    const paths = [
      `/knowledge-bases/${folder.knowledge_base_id}`,
      `/folders/${folder.id}`,
      `/documents/${document.id}`,
      `/documents/${document.id}/versions`,
      `/documents/${document.id}/versions/1`,
      `/documents/${document.id}/versions/1/text`,
    ];
    const [member, foreigner] = [await memberOf(owner, "viewer"), await memberOf(stranger, "owner")];
    for (const path of paths) {
      assert.equal((await member.fetch(path)).status, 200, path);
      assert.equal((await foreigner.fetch(path)).status, 404, path);
    }
    for (const path of [
      "/knowledge-bases/x",
      "/folders/0",
      "/documents/%00",
      `/documents/${document.id}/versions/9999`,
    ])
      assert.equal((await member.fetch(path)).status, 404, path);
  });

  test("WEB26 a viewer changes nothing, whatever form they send", async () => {
    const owner = await world.person();
    const document = await makeDocument(owner.client);
    await owner.client.put(`/documents/${document.id}/content`, markdown("Changed."), { ifMatch: "*" });
    const viewer = await memberOf(owner, "viewer");
    const form_token = await viewer.formToken("/account");
    assert.equal((await viewer.send("/knowledge-bases", { form_token, name: "x" })).status, 403);
    const restore = `/documents/${document.id}/versions/1/restore`;
    assert.equal((await viewer.send(restore, { form_token, version: "*" })).status, 403);
    assert.equal((await viewer.send(`/documents/${document.id}/delete`, { form_token })).status, 403);
    await owner.client.delete(`/documents/${document.id}`);
    const [entry] = (await owner.client.get("/trash")).data;
    assert.equal((await viewer.send(`/trash/${entry.id}/restore`, { form_token })).status, 403);
    assert.doesNotMatch(await text(viewer, "/trash"), /Restore/);
  });

  test("WEB34 what is deleted is in the trash, page by page, and comes back from there", async () => {
    const owner = await world.person();
    const base = await makeKnowledgeBase(owner.client, "Attic");
    const folder = await makeFolder(owner.client, { name: "Old <things>", knowledge_base_id: base.id });
    const document = await makeDocument(owner.client, {
      title: "A chair",
      folder_id: folder.id,
      knowledge_base_id: base.id,
    });
    const editor = await memberOf(owner, "editor");
    const form_token = await editor.formToken("/account");
    const gone = await editor.send(`/documents/${document.id}/delete`, { form_token });
    assert.equal(gone.headers.get("location"), `/folders/${folder.id}`);
    assert.equal((await editor.fetch(`/documents/${document.id}`)).status, 404);
    await owner.client.delete(`/folders/${folder.id}`);
    const page = await text(editor, "/trash");
    assert.match(page, /Old &lt;things&gt;.*A chair/s, "the newest first");
    assert.match(page, /Attic.*Deleted permanently .*in 30 days/s);
    const entries: { id: string; kind: string }[] = (await owner.client.get("/trash")).data;
    for (const { id, kind } of entries.toReversed()) {
      const back = await editor.send(`/trash/${id}/restore`, { form_token });
      const place = kind === "document" ? `/documents/${document.id}` : "/trash";
      assert.equal(back.headers.get("location"), place);
    }
    assert.match(await text(editor, "/trash"), /The trash is empty/);
    assert.equal((await editor.send(`/trash/${defined(entries[0]).id}/restore`, { form_token })).status, 404);
  });

  test("WEB23 restoring needs the version that was looked at, and is in the audit log", async () => {
    const owner = await world.person();
    const document = await makeDocument(owner.client);
    await owner.client.put(`/documents/${document.id}/content`, markdown("Changed."), { ifMatch: "*" });
    const editor = await memberOf(owner, "editor");
    const form_token = await editor.formToken("/account");
    const restore = `/documents/${document.id}/versions/1/restore`;
    assert.equal((await editor.send(restore, { form_token, version: "sha256:old" })).status, 409);
    assert.equal((await editor.send(restore, { form_token, version: "*" })).status, 303);
    const page = await text(editor, "/activity");
    assert.match(page, /Rollback/);
    assert.match(page, /browser/);
  });

  const sentences = async (reader: Visitor) =>
    [...(await text(reader, "/activity")).matchAll(/row-sentence">(.*?)<\/p>/gs)]
      .map(([, sentence = ""]) => sentence.replace(/<\/?bdi>/g, "").trim())
      .filter((sentence) => !sentence.includes("signed in"));

  test("WEB25 activity names what was made, discussed and deleted", async () => {
    const owner = await world.person();
    const base = await makeKnowledgeBase(owner.client, "Handbook");
    const folder = await makeFolder(owner.client, { name: "Guides", knowledge_base_id: base.id });
    const place = { knowledge_base_id: base.id, folder_id: folder.id };
    const kept = await makeDocument(owner.client, { title: "Kept", ...place });
    const gone = await makeDocument(owner.client, { title: "Gone", ...place });
    const comment = (await owner.client.post(`/documents/${kept.id}/comments`, { body: markdown("Why?") })).data;
    assertStatus(await owner.client.post(`/comments/${comment.id}/resolve`), 200);
    assertStatus(await owner.client.delete(`/documents/${gone.id}`), 200);

    const link = (href: string, name: string) => `<a href="${href}">${name}</a>`;
    const page = link(`/documents/${kept.id}`, "Kept");
    const name = (await owner.client.get("/me")).data.user.name;
    assert.deepEqual(
      await sentences(await memberOf(owner, "owner")),
      [
        "deleted Gone",
        `resolved a thread of comments on ${page}`,
        `commented on ${page}`,
        "created Gone",
        `created ${page}`,
        `created the folder ${link(`/folders/${folder.id}`, "Guides")}`,
        `created the knowledge base ${link(`/knowledge-bases/${base.id}`, "Handbook")}`,
      ].map((words) => `${name} ${words}`),
    );
  });

  test("WEB25 RIGHT5 activity names nothing that is hidden by now", async () => {
    const owner = await world.person();
    const editor = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const base = await makeKnowledgeBase(editor.client, "Plans");
    await makeDocument(editor.client, { title: "Secret", knowledge_base_id: base.id });
    const reader = new Visitor(world.url);
    reader.keep(await signIn(world, editor));
    const hidden = { default_role: "none", members: [], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${base.id}/access`, hidden, { ifMatch: "*" }), 200);
    const name = (await editor.client.get("/me")).data.user.name;
    assert.deepEqual(await sentences(reader), [`${name} created a page`, `${name} created a knowledge base`]);
  });

  test("WEB22 a hostile text stays text on the page", async () => {
    const owner = await world.person();
    const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) " style="position:fixed';
    const document = await makeDocument(owner.client, { title: hostile, text: `${hostile}\n\n# ${hostile}\n` });
    const page = await text(await memberOf(owner, "viewer"), `/documents/${document.id}`);
    assert.doesNotMatch(page, /<img src=x|href="javascript|\sstyle="/);
  });
});
