import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import type { BaseRole } from "@svc/server/db/schema/tables/rights";
import { rightOf } from "@svc/server/domain/live/may-edit";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertError, assertStatus, Client, type Loose, type Reply } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import {
  makeComment,
  makeConcept,
  makeDocument,
  makeFolder,
  makeGroup,
  makeKnowledgeBase,
  makeRelation,
} from "../../support/fixtures.ts";
import { openEditor, signIn } from "../../support/live-editor.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** Replaces what is said of roles in a knowledge base. */
async function setAccess({ client }: Person, id: number, fields: Loose): Promise<Reply> {
  const body = { default_role: null, members: [], groups: [], ...fields };
  return assertStatus(await client.put(`/knowledge-bases/${id}/access`, body, { ifMatch: "*" }), 200);
}

const memberOf = (world: World, owner: Person, role: "editor" | "viewer" = "editor") =>
  world.person({ workspace: owner.workspaceId, role });

onEachDatabase(
  "rights per knowledge base",
  (world) => {
    let owner: Person;
    before(async () => {
      owner = await world.person();
    });

    test("RIGHT1 access is read by members, and replaced as a whole by owners with its version", async () => {
      const { id } = await makeKnowledgeBase(owner.client);
      const editor = await memberOf(world, owner);
      const group = await makeGroup(owner.client);
      const path = `/knowledge-bases/${id}/access`;
      const first = assertStatus(await editor.client.get(path), 200);
      assert.deepEqual(first.data, { default_role: null, members: [], groups: [] });
      const body = {
        default_role: "viewer",
        members: [{ user_id: editor.userId, role: "editor" }],
        groups: [{ group_id: group.id, role: "commenter" }],
      };
      assertError(await editor.client.put(path, body, { ifMatch: "*" }), "insufficient_role");
      assertError(await owner.client.put(path, body), "precondition_required");
      const put = assertStatus(await owner.client.put(path, body, { ifMatch: defined(first.etag) }), 200);
      assert.deepEqual(put.data, body);
      assert.deepEqual((await editor.client.get(path)).data, body);
      assertError(await owner.client.put(path, body, { ifMatch: defined(first.etag) }), "version_conflict");
      for (const user_id of ["user_nobody", group.id]) {
        const unknown = { ...body, members: [{ user_id, role: "viewer" }], groups: [] };
        assertError(await owner.client.put(path, unknown, { ifMatch: "*" }), "not_found");
      }
      const twice = [...body.members, ...body.members];
      assertError(await owner.client.put(path, { ...body, members: twice }, { ifMatch: "*" }), "invalid_request");
    });

    test("RIGHT2 the highest of member, groups and default counts; none for a member beats them; owners are owners", async () => {
      const base = await makeKnowledgeBase(owner.client);
      const editor = await memberOf(world, owner);
      const group = await makeGroup(owner.client);
      assertStatus(await owner.client.put(`/groups/${group.id}/members/${editor.userId}`), 200);
      const member = (role: BaseRole) => ({ members: [{ user_id: editor.userId, role }] });
      const groups = (role: BaseRole) => ({ groups: [{ group_id: group.id, role }] });
      const create = () => editor.client.post("/documents", { title: "T", knowledge_base_id: base.id });
      const cases: [Loose, "hidden" | "reads" | "writes"][] = [
        [{}, "writes"],
        [{ default_role: "none" }, "hidden"],
        [{ default_role: "viewer" }, "reads"],
        [{ default_role: "none", ...groups("editor") }, "writes"],
        [{ default_role: "none", ...member("viewer"), ...groups("none") }, "reads"],
        [{ default_role: "viewer", ...member("viewer"), ...groups("editor") }, "writes"],
        [{ default_role: "editor", ...member("none"), ...groups("owner") }, "hidden"],
      ];
      for (const [fields, expected] of cases) {
        await setAccess(owner, base.id, fields);
        const read = await editor.client.get(`/knowledge-bases/${base.id}`);
        const written = await create();
        const told = read.status === 404 ? "hidden" : written.status === 403 ? "reads" : "writes";
        assert.equal(told, expected, JSON.stringify(fields));
        if (expected === "hidden") assertError(written, "not_found");
        assertStatus(await owner.client.post("/documents", { title: "T", knowledge_base_id: base.id }), 201);
      }
      assertStatus(await owner.client.delete(`/groups/${group.id}`), 200);
      assert.deepEqual((await owner.client.get(`/knowledge-bases/${base.id}/access`)).data.groups, []);
    });

    test("RIGHT13 a moved section changes links only where the mover may write, and tells of the others they see", async () => {
      const editor = await memberOf(world, owner);
      const bases = await Promise.all(["open", "read only", "hidden"].map(() => makeKnowledgeBase(owner.client)));
      const make = (at: number, text: string) =>
        makeDocument(owner.client, { knowledge_base_id: defined(bases[at]).id, text });
      const [source, target] = [await make(0, "# A\n\na\n"), await make(0, "t\n")];
      const [heading] = (await owner.client.get(`/documents/${source.id}/blocks`)).data;
      const link = `[a](svc://doc/${source.id}#block=${heading.id})\n`;
      const linking = [await make(0, link), await make(1, link), await make(2, link)];
      await setAccess(owner, defined(bases[1]).id, { default_role: "viewer" });
      await setAccess(owner, defined(bases[2]).id, { members: [{ user_id: editor.userId, role: "none" }] });
      const versions = await Promise.all(
        linking.map(async ({ id }) => (await owner.client.get(`/documents/${id}`)).data),
      );
      const path = `/documents/${source.id}/sections/${heading.id}/move`;
      const { data } = assertStatus(await editor.client.post(path, { target_document_id: target.id }), 200);
      const ids = (places: Loose[]) => places.map((place) => place.document_id);
      assert.deepEqual([ids(data.relinked), ids(data.not_relinked)], [[linking[0]?.id], [linking[1]?.id]]);
      for (const [index, { id, version }] of versions.entries()) {
        const now = (await owner.client.get(`/documents/${id}`)).data;
        assert.equal(now.version === version, index > 0, `page ${index}`);
      }
      const [relation] = (await owner.client.get(`/documents/${linking[1]?.id}/relations?direction=outgoing`)).data;
      assert.equal(relation.state, "dangling_target_block");
    });

    test("RIGHT3 a viewer of the workspace who is editor in a knowledge base writes there and nowhere else", async () => {
      const [mine, other] = [await makeKnowledgeBase(owner.client), await makeKnowledgeBase(owner.client)];
      const viewer = await memberOf(world, owner, "viewer");
      await setAccess(owner, mine.id, { members: [{ user_id: viewer.userId, role: "editor" }] });
      const document = await makeDocument(viewer.client, { knowledge_base_id: mine.id });
      assertError(
        await viewer.client.post("/documents", { title: "T", knowledge_base_id: other.id }),
        "insufficient_role",
      );
      const move = { knowledge_base_id: other.id };
      assertError(await viewer.client.patch(`/documents/${document.id}`, move), "insufficient_role");
      assertError(await viewer.client.post("/knowledge-bases", { name: "Own" }), "insufficient_role");
    });

    test("RIGHT4 a commenter comments where viewers may not", async () => {
      const base = await makeKnowledgeBase(owner.client);
      const { id } = await makeDocument(owner.client, { knowledge_base_id: base.id });
      await owner.client.patch(`/knowledge-bases/${base.id}`, { members_may_comment: false });
      const viewer = await memberOf(world, owner, "viewer");
      const comment = () =>
        viewer.client.post(`/documents/${id}/comments`, { body: { format: "markdown", content: "Hm." } });
      assertError(await comment(), "insufficient_role");
      await setAccess(owner, base.id, { members: [{ user_id: viewer.userId, role: "commenter" }] });
      assertStatus(await comment(), 201);
      assertError(await viewer.client.patch(`/documents/${id}`, { title: "Mine" }), "insufficient_role");
    });

    test("RIGHT5 what is in a private knowledge base is in no list, count or answer of others", async () => {
      const boss = await world.person();
      const [open, secret] = [
        await makeKnowledgeBase(boss.client, "Open"),
        await makeKnowledgeBase(boss.client, "Secret"),
      ];
      const hidden = await makeDocument(boss.client, {
        title: "Zebra plan",
        text: "zebra zebra",
        knowledge_base_id: secret.id,
      });
      const text = `zebra [plan](${hidden.uri})`;
      const shown = await makeDocument(boss.client, { title: "Open page", text, knowledge_base_id: open.id });
      await makeFolder(boss.client, { knowledge_base_id: secret.id });
      await makeRelation(boss.client, { source_document_id: hidden.id, target_uri: shown.uri });
      const [concept, other] = [
        await makeConcept(boss.client, { knowledge_base_id: open.id, name: "Seen" }),
        await makeConcept(boss.client, { knowledge_base_id: secret.id, name: "Unseen" }),
      ];
      assertStatus(
        await boss.client.post(
          `/concepts/${concept.id}/relations`,
          { predicate: "related_to", target_concept_id: other.id },
          { ifMatch: "*" },
        ),
        201,
      );
      await boss.client.post("/concept-candidates/extract", { knowledge_base_id: secret.id });
      const editor = await memberOf(world, boss);
      await setAccess(boss, secret.id, { default_role: "none" });
      const reads = [
        "/knowledge-bases",
        "/documents",
        "/documents?q=zebra",
        "/documents?sort=updated_at",
        "/concepts",
        "/concept-candidates",
        `/concepts/${concept.id}`,
        `/concepts/${concept.id}/traverse?direction=both`,
        `/documents/${shown.id}/relations?direction=incoming`,
        "/search/v2?q=zebra",
        "/search?q=zebra",
        `/search/v2?q=${hidden.id}`,
        "/suggestions",
        "/trash",
        "/changes?after=0",
        "/webhooks",
      ];
      for (const path of reads) {
        const { text } = assertStatus(await editor.client.get(path), 200);
        const isTold = [hidden.id, other.id, "Zebra plan", "Unseen", "Secret", `"knowledge_base_id":${secret.id}`];
        const without = text.replaceAll(hidden.uri, "").replaceAll(`[plan](svc://doc/${hidden.id})`, "");
        for (const word of isTold) assert.ok(!without.includes(word), `${path} tells ${word}: ${text}`);
      }
      const outgoing = (await editor.client.get(`/documents/${shown.id}/relations?direction=outgoing`)).data;
      assert.equal(outgoing[0].state, "dangling_target_document");
      for (const id of [hidden.id])
        for (const path of ["", "/content", "/path", "/relations", "/comments", "/changes", "/versions", "/live"])
          assertError(await editor.client.get(`/documents/${id}${path}`), "not_found");
      assert.equal((await boss.client.get("/search/v2?q=zebra")).body.hits.documents, 2);
    });

    test("RIGHT5 of many knowledge bases those that are private are hidden, and no other", async () => {
      const boss = await world.person();
      const editor = await memberOf(world, boss);
      const bases: number[] = [];
      for (let n = 0; n < 48; n++) bases.push((await makeKnowledgeBase(boss.client, `Base ${n}`)).id);
      const isHidden = (n: number) => n % 2 === 0;
      for (const [n, id] of bases.entries()) {
        await makeDocument(boss.client, { title: `Page ${n}`, text: "narwhal", knowledge_base_id: id });
        if (isHidden(n)) await setAccess(boss, id, { default_role: "none" });
      }
      const shown = bases.filter((_, n) => !isHidden(n));
      const ids = async (path: string, field: string) =>
        (await editor.client.get(path)).data.map((item: Loose) => item[field]).sort((a: number, b: number) => a - b);
      assert.deepEqual(await ids("/knowledge-bases?limit=100", "id"), shown);
      assert.deepEqual(await ids("/documents?limit=100", "knowledge_base_id"), shown);
      await until("all is found", async () => (await ids("/search/v2?q=narwhal&limit=100", "id")).length >= 24);
      assert.deepEqual(await ids("/search/v2?q=narwhal&limit=100", "knowledge_base_id"), shown);
      for (const [n, id] of bases.entries()) {
        const { status } = await editor.client.get(`/knowledge-bases/${id}/children`);
        assert.equal(status, isHidden(n) ? 404 : 200, `base ${n}`);
      }
    });

    test("RIGHT5 who sees few knowledge bases of many sees what is in these, and a new one at once", async () => {
      const boss = await world.person();
      const editor = await memberOf(world, boss);
      const friends = [{ user_id: editor.userId, role: "editor" }];
      const shown: number[] = [];
      for (let n = 0; n < 24; n++) {
        const { id } = await makeKnowledgeBase(boss.client, `Base ${n}`);
        for (const title of ["One", "Two"])
          await makeDocument(boss.client, { title, text: "okapi", knowledge_base_id: id });
        await setAccess(boss, id, { default_role: "none", members: n % 12 === 0 ? friends : [] });
        if (n % 12 === 0) shown.push(id);
      }
      const basesOf = async (path: string, field: string) =>
        [...new Set((await editor.client.get(path)).data.map((item: Loose) => item[field]))].sort(
          (a, b) => Number(a) - Number(b),
        );
      assert.deepEqual(await basesOf("/knowledge-bases?limit=100", "id"), shown);
      assert.equal((await editor.client.get("/documents?limit=100")).data.length, 4);
      assert.deepEqual(await basesOf("/documents?limit=100&sort=updated_at", "knowledge_base_id"), shown);
      const made = await makeKnowledgeBase(boss.client, "New");
      await makeDocument(boss.client, { text: "okapi", knowledge_base_id: made.id });
      assert.deepEqual(await basesOf("/knowledge-bases?limit=100", "id"), [...shown, made.id]);
      assert.deepEqual(await basesOf("/documents?limit=100", "knowledge_base_id"), [...shown, made.id]);
      const found = () => basesOf("/search/v2?q=okapi&limit=100", "knowledge_base_id");
      await until("all is found", async () => (await found()).length === 3);
      assert.deepEqual(await found(), [...shown, made.id]);
      const own = await makeKnowledgeBase(editor.client, "Mine");
      assertStatus(await editor.client.get(`/knowledge-bases/${own.id}`), 200);
    });

    test("RIGHT6 statistics of a search are of what the caller may see", async () => {
      const boss = await world.person();
      const alone = await world.person();
      const open = await makeKnowledgeBase(boss.client);
      const secret = await makeKnowledgeBase(boss.client);
      const same = await makeKnowledgeBase(alone.client);
      const texts = ["apple pear", "apple apple plum", "a longer text with one apple in it"];
      for (const text of texts) {
        await makeDocument(boss.client, { title: text, text, knowledge_base_id: open.id });
        await makeDocument(alone.client, { title: text, text, knowledge_base_id: same.id });
        await makeDocument(boss.client, { title: "apple", text: "apple ".repeat(20), knowledge_base_id: secret.id });
      }
      const editor = await memberOf(world, boss);
      await setAccess(boss, secret.id, { default_role: "none" });
      const told = async ({ client }: Person) => {
        const { data, body } = assertStatus(await client.get("/search/v2?q=apple"), 200);
        return { hits: body.hits, explained: data.map(({ score, explanation }: Loose) => ({ score, explanation })) };
      };
      assert.deepEqual(await told(editor), await told(alone));
    });

    test("RIGHT7 a token that is bound to knowledge bases reaches no other, and makes none", async () => {
      const [mine, other] = [await makeKnowledgeBase(owner.client), await makeKnowledgeBase(owner.client)];
      const document = await makeDocument(owner.client, { knowledge_base_id: other.id });
      const bound = await world.person({ workspace: owner.workspaceId, role: "owner", knowledgeBaseIds: [mine.id] });
      assert.deepEqual((await bound.client.get("/me")).data.token.knowledge_base_ids, [mine.id]);
      assert.equal((await owner.client.get("/me")).data.token.knowledge_base_ids, null);
      assert.deepEqual(
        (await bound.client.get("/knowledge-bases")).data.map((base: Loose) => base.id),
        [mine.id],
      );
      await makeDocument(bound.client, { knowledge_base_id: mine.id });
      assertError(await bound.client.get(`/documents/${document.id}`), "not_found");
      assertError(await bound.client.patch(`/documents/${document.id}`, { title: "New" }), "not_found");
      assertError(await bound.client.post("/knowledge-bases", { name: "More" }), "insufficient_role");
    });

    test("RIGHT17 an editor from whom a knowledge base is hidden makes one, and a viewer does not", async () => {
      const hidden = await makeKnowledgeBase(owner.client);
      await setAccess(owner, hidden.id, { default_role: "none" });
      const [editor, viewer] = [await memberOf(world, owner), await memberOf(world, owner, "viewer")];
      assertError(await editor.client.get(`/knowledge-bases/${hidden.id}`), "not_found");
      const { id } = await makeKnowledgeBase(editor.client);
      await makeDocument(editor.client, { knowledge_base_id: id });
      assertStatus(await owner.client.get(`/knowledge-bases/${id}`), 200);
      assertError(await viewer.client.post("/knowledge-bases", { name: "More" }), "insufficient_role");
    });

    test("RIGHT8 a repeated request is not answered from its key once its resource is hidden", async () => {
      const base = await makeKnowledgeBase(owner.client);
      const editor = await memberOf(world, owner);
      const body = { title: "T", knowledge_base_id: base.id };
      const key = `key-${base.id}`;
      assertStatus(await editor.client.post("/documents", body, { key }), 201);
      await setAccess(owner, base.id, { default_role: "none" });
      assertError(await editor.client.post("/documents", body, { key }), "not_found");
    });

    test("RIGHT8 a kept answer is not repeated once what it made is out of sight, and is once it is deleted", async () => {
      const [open, shut] = [await makeKnowledgeBase(owner.client), await makeKnowledgeBase(owner.client)];
      await setAccess(owner, shut.id, { default_role: "none" });
      const editor = await memberOf(world, owner);
      const send = (path: string, body: Loose) => editor.client.post(path, body, { key: `${path}-${open.id}` });
      const page = ["/documents", { title: "T", knowledge_base_id: open.id }] as const;
      const folder = ["/folders", { name: "F", knowledge_base_id: open.id }] as const;
      const pageId = assertStatus(await send(...page), 201).data.id;
      const folderId = assertStatus(await send(...folder), 201).data.id;
      const move = async (path: string, id: number) =>
        assertStatus(await owner.client.patch(path, { knowledge_base_id: id }, { ifMatch: "*" }), 200);
      await move(`/documents/${pageId}`, shut.id);
      assertError(await send(...page), "not_found");
      await move(`/documents/${pageId}`, open.id);
      assert.equal(assertStatus(await send(...page), 201).data.id, pageId);
      assert.equal(assertStatus(await send(...folder), 201).data.id, folderId);
      await owner.client.delete(`/documents/${pageId}`);
      assert.equal(assertStatus(await send(...page), 201).data.id, pageId);
    });

    test("RIGHT9 groups are read by members and changed by owners of the workspace", async () => {
      const editor = await memberOf(world, owner);
      assertError(await editor.client.post("/groups", { name: "Mine" }), "insufficient_role");
      const group = await makeGroup(owner.client, " Writers ");
      assert.match(group.id, /^grp_[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.equal(group.name, "Writers");
      const path = `/groups/${group.id}`;
      const put = assertStatus(await owner.client.put(`${path}/members/${editor.userId}`), 200);
      assert.deepEqual(put.data.members, [{ user_id: editor.userId, name: "Ada" }]);
      const stranger = await world.person();
      assertError(await owner.client.put(`${path}/members/${stranger.userId}`), "not_found");
      assert.equal((await owner.client.patch(path, { name: "Authors" })).data.name, "Authors");
      assert.ok((await editor.client.get("/groups")).data.some((one: Loose) => one.id === group.id));
      assert.deepEqual((await owner.client.delete(`${path}/members/${editor.userId}`)).data.members, []);
      assertStatus(await owner.client.delete(path), 200);
      assertError(await editor.client.get(path), "not_found");
      assertError(await new Client(world.url).get("/groups"), "token_missing");
    });

    test("RIGHT11 an open stream follows the rights of its reader", async () => {
      const boss = await world.person();
      const base = await makeKnowledgeBase(boss.client);
      const editor = await memberOf(world, boss);
      const reader = await EventReader.open(world.url, editor.token);
      const first = await makeDocument(boss.client, { knowledge_base_id: base.id });
      await until("the event has come", () => reader.events.some(({ data }) => data.document_id === first.id));
      await setAccess(boss, base.id, { default_role: "none" });
      const open = await makeKnowledgeBase(boss.client);
      // A page in each, until the stream has noticed.
      await until("the stream has noticed", async () => {
        const hidden = await makeDocument(boss.client, { knowledge_base_id: base.id });
        const shown = await makeDocument(boss.client, { knowledge_base_id: open.id });
        await until("the event has come", () => reader.events.some(({ data }) => data.document_id === shown.id));
        return !reader.events.some(({ data }) => data.document_id === hidden.id);
      });
      await setAccess(boss, base.id, {});
      await until("the stream has noticed", async () => {
        const again = await makeDocument(boss.client, { knowledge_base_id: base.id });
        const after = await makeDocument(boss.client, { knowledge_base_id: open.id });
        await until("the event has come", () => reader.events.some(({ data }) => data.document_id === after.id));
        return reader.events.some(({ data }) => data.document_id === again.id);
      });
      reader.close();
    });

    test("RIGHT11 a live editor is closed when its knowledge base is hidden, and never opened there", async () => {
      const boss = await world.person();
      const document = await makeDocument(boss.client);
      const editor = await memberOf(world, boss);
      const { database } = world.app.services;
      const sessionHash = hashSecret((await signIn(world, editor)).replace("svc_session=", ""));
      const seat = { workspaceId: boss.workspaceId, userId: editor.userId, sessionHash };
      const key = { workspaceId: boss.workspaceId, documentId: document.id };
      const right = () => rightOf(database.read, seat, key);
      assert.equal(await right(), "write");
      await setAccess(boss, document.knowledge_base_id, { default_role: "commenter" });
      assert.equal(await right(), "read");
      await setAccess(boss, document.knowledge_base_id, { default_role: "none" });
      assert.equal(await right(), "none");
    });

    test("RIGHT11 an open live editor follows the rights of who types, who says nothing included", async () => {
      const boss = await world.person();
      const { id, knowledge_base_id } = await makeDocument(boss.client, { text: "One." });
      const [writer, quiet] = [await memberOf(world, boss), await memberOf(world, boss)];
      const seat = async (person: Person) =>
        openEditor({ url: world.directUrl, cookie: await signIn(world, person), documentId: id });
      const [w, q] = [await seat(writer), await seat(quiet)];
      assert.deepEqual([w.mayWrite, q.mayWrite], [true, true]);
      const only = (role: string) => ({ default_role: role, members: [{ user_id: boss.userId, role: "owner" }] });
      await setAccess(boss, knowledge_base_id, only("viewer"));
      await until("both only watch", () => !w.mayWrite && !q.mayWrite);
      await setAccess(boss, knowledge_base_id, only("none"));
      await until("both are shut out", () => w.status.kind === "refused" && q.status.kind === "refused");
      await assert.rejects(seat(quiet));
      w.close();
      q.close();
    });

    test("RIGHT5 nobody is notified of a page that they do not see, and old notifications of it are gone", async () => {
      const boss = await world.person();
      const document = await makeDocument(boss.client);
      const editor = await memberOf(world, boss);
      assertStatus(await editor.client.put(`/documents/${document.id}/watch`), 200);
      await makeComment(boss.client, { document_id: document.id, text: "First" });
      assert.equal((await editor.client.get("/notifications")).data.length, 1);
      await setAccess(boss, document.knowledge_base_id, { default_role: "none" });
      assert.deepEqual((await editor.client.get("/notifications")).data, []);
      await makeComment(boss.client, { document_id: document.id, text: "Second" });
      await setAccess(boss, document.knowledge_base_id, {});
      const told = (await editor.client.get("/notifications")).data;
      assert.deepEqual(
        told.map((one: Loose) => one.excerpt),
        ["First"],
      );
    });

    test("RIGHT15 what moved into a private knowledge base, or became private, has no past in events for others", async () => {
      const boss = await world.person();
      const [open, secret] = [await makeKnowledgeBase(boss.client), await makeKnowledgeBase(boss.client)];
      const editor = await memberOf(world, boss);
      const from = (await editor.client.get("/changes")).body.resume_from;
      const make = async (title: string) =>
        String((await makeDocument(boss.client, { title, knowledge_base_id: open.id })).id);
      const [moved, deleted, stays] = [await make("Moved"), await make("Deleted"), await make("Stays")];
      const seen = async () =>
        new Set((await editor.client.get(`/changes?after=${from}`)).data.map((event: Loose) => event.document_id));
      assert.deepEqual(await seen(), new Set([moved, deleted, stays]));
      await setAccess(boss, secret.id, { default_role: "none" });
      for (const id of [moved, deleted])
        assertStatus(await boss.client.patch(`/documents/${id}`, { knowledge_base_id: secret.id }), 200);
      assertStatus(await boss.client.delete(`/documents/${deleted}`), 200);
      assert.deepEqual(await seen(), new Set([stays]));
      const reader = await EventReader.open(world.url, editor.token, { lastEventId: String(from) });
      const last = await make("Last");
      await until("the last event has come", () => reader.events.some(({ data }) => data.document_id === last));
      const told = new Set(reader.events.map(({ data }) => data.document_id));
      assert.deepEqual(told, new Set([stays, last]));
      reader.close();
      await setAccess(boss, open.id, { default_role: "none" });
      assert.deepEqual(await seen(), new Set());
    });

    test("RIGHT15 what was deleted in a private knowledge base, in a folder or with all of it, has no past for others", async () => {
      const boss = await world.person();
      const [open, secret] = [await makeKnowledgeBase(boss.client), await makeKnowledgeBase(boss.client)];
      const editor = await memberOf(world, boss);
      const friend = await memberOf(world, boss);
      const from = (await editor.client.get("/changes")).body.resume_from;
      const make = async (title: string, knowledge_base_id = open.id) =>
        String((await makeDocument(boss.client, { title, knowledge_base_id })).id);
      const members = [{ user_id: friend.userId, role: "viewer" }];
      await setAccess(boss, secret.id, { default_role: "none", members });
      const folder = await makeFolder(boss.client, { knowledge_base_id: secret.id });
      const [inFolder, inBase, stays] = [await make("In a folder"), await make("In a base"), await make("Stays")];
      const born = await make("Born secret", secret.id);
      const moveTo = async (id: string, folder_id: number | null) =>
        assertStatus(await boss.client.patch(`/documents/${id}`, { knowledge_base_id: secret.id, folder_id }), 200);
      await moveTo(inFolder, folder.id);
      await moveTo(inBase, null);
      assertStatus(await boss.client.delete(`/folders/${folder.id}`), 200);
      const seenBy = async ({ token, client }: Person): Promise<string[]> => {
        const { text } = await client.get(`/changes?after=${from}&limit=100`);
        const reader = await EventReader.open(world.url, token, { lastEventId: String(from) });
        const last = await make("Last");
        await until("the last event has come", () => reader.events.some(({ data }) => data.document_id === last));
        const texts = [text, JSON.stringify(reader.events)];
        reader.close();
        const seen = texts.map((one) => [inFolder, inBase, born, stays].filter((id) => one.includes(id)));
        assert.deepEqual(seen[0], seen[1], "the list and the stream tell the same");
        for (const title of ["In a folder", "In a base", "Born secret"])
          if (seen[0]?.length === 1) assert.ok(!texts.join().includes(title), title);
        return seen[0] ?? [];
      };
      assert.deepEqual(await seenBy(editor), [stays]);
      assert.deepEqual(await seenBy(friend), [inFolder, inBase, born, stays]);
      const { confirm_id } = (await boss.client.get(`/knowledge-bases/${secret.id}`)).data;
      assertStatus(await boss.client.delete(`/knowledge-bases/${secret.id}`, { confirm_id }), 200);
      assert.deepEqual(await seenBy(editor), [stays]);
      assert.deepEqual(await seenBy(friend), [inFolder, inBase, born, stays]);
      const activity = await fetch(`${world.url}/activity`, { headers: { cookie: await signIn(world, editor) } });
      assert.equal(activity.status, 200);
      assert.doesNotMatch(await activity.text(), /In a folder|In a base|Born secret/);
      assertError(await editor.client.get("/audit"), "insufficient_role");
    });

    test("RIGHT5 a document that moves into a private knowledge base leaves the search of others", async () => {
      const boss = await world.person();
      const [open, secret] = [await makeKnowledgeBase(boss.client), await makeKnowledgeBase(boss.client)];
      const { id } = await makeDocument(boss.client, { text: "walrus", knowledge_base_id: open.id });
      const editor = await memberOf(world, boss);
      await setAccess(boss, secret.id, { default_role: "none" });
      const found = async () => (await editor.client.get("/search/v2?q=walrus")).body.hits.total;
      assert.equal(await found(), 1);
      await boss.client.patch(`/documents/${id}`, { knowledge_base_id: secret.id });
      assert.equal(await found(), 0);
      await boss.client.patch(`/documents/${id}`, { knowledge_base_id: open.id });
      assert.equal(await found(), 1);
    });
  },
  { SVC_MAX_KNOWLEDGE_BASES: "10000", SVC_EVENT_HEARTBEAT_MS: "1000" },
);
