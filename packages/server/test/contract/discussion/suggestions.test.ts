import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { assertError, assertStatus, type Client, type Loose } from "../../support/client.ts";
import { EventReader } from "../../support/event-reader.ts";
import { makeDocument, makeSuggestion, markdown } from "../../support/fixtures.ts";
import { onEachDatabase } from "../../support/world.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const blocksOf = async (client: Client, id: string): Promise<Loose[]> =>
  (await client.get(`/documents/${id}/blocks`)).data;
const textsOf = async (client: Client, id: string) => (await blocksOf(client, id)).map(({ text }) => text);
const versionOf = async (client: Client, id: string) => (await client.get(`/documents/${id}`)).data.version;
const read = async (client: Client, id: string) => (await client.get(`/suggestions/${id}`)).data;

/** A document of three paragraphs, its blocks, and a suggestion that changes the first and removes the last. */
async function proposed(client: Client) {
  const { id } = await makeDocument(client, { text: "One\n\nTwo\n\nThree\n" });
  const [one, two, three]: Loose[] = await blocksOf(client, id);
  const operations = [
    { op: "replace", block_id: one.id, node: paragraph("Uno") },
    { op: "delete", block_id: three.id },
  ];
  const suggestion = await makeSuggestion(client, { document_id: id, operations, note: "Better so." });
  return { id, one, two, three, suggestion };
}

const accept = (client: Client, suggestion: Loose, body?: Loose) =>
  client.post(`/suggestions/${suggestion.id}/accept`, body, { ifMatch: suggestion.version });
const reject = (client: Client, suggestion: Loose, body?: Loose) =>
  client.post(`/suggestions/${suggestion.id}/reject`, body, { ifMatch: suggestion.version });

onEachDatabase(
  "suggestions",
  (world) => {
    test("SUG1 a suggestion tells its changes, block by block, and leaves the body alone", async () => {
      const { client, tokenId } = await world.person();
      const { id, one, three, suggestion } = await proposed(client);
      assert.match(suggestion.id, /^sug_[0-9A-HJKMNP-TV-Z]{26}$/);
      assert.deepEqual([suggestion.status, suggestion.note, suggestion.author.id], ["open", "Better so.", tokenId]);
      assert.equal(suggestion.base_version, await versionOf(client, id));
      assert.deepEqual(
        suggestion.changes.map(({ id: _, ...change }: Loose) => change),
        [
          {
            block_id: three.id,
            change_type: "removed",
            before: { markdown: "Three", text: "Three" },
            after: null,
            state: "open",
          },
          {
            block_id: one.id,
            change_type: "modified",
            before: { markdown: "One", text: "One" },
            after: { markdown: "Uno", text: "Uno" },
            state: "open",
          },
        ],
      );
      assert.deepEqual(await textsOf(client, id), ["One", "Two", "Three"]);
      assert.deepEqual(await read(client, suggestion.id), suggestion);
    });

    test("SUG2 a whole body can be proposed, and the base must be current or kept", async () => {
      const { client } = await world.person();
      const { id } = await makeDocument(client, { text: "One\n" });
      const old = await versionOf(client, id);
      const content = markdown("One\n\nTwo\n");
      const send = (body: Loose) => client.post(`/documents/${id}/suggestions`, body);
      assertError(await send({ content }), "precondition_required");
      assertError(await send({ base_version: `sha256:${"0".repeat(64)}`, content }), "version_conflict");
      assertError(await send({ base_version: old }), "invalid_request");
      assertError(await send({ base_version: "a\u0000b", content }), "invalid_request");
      await client.put(`/documents/${id}/content`, markdown("Now\n"), { ifMatch: "*" });
      const suggestion = await makeSuggestion(client, { document_id: id, base_version: old, content });
      assert.equal(suggestion.base_version, old);
    });

    test("SUG3 accepting makes one version that names both people", async () => {
      const { client, userId } = await world.person();
      const { id, suggestion } = await proposed(client);
      const before = (await client.get(`/documents/${id}/versions`)).data.length;
      const accepted = assertStatus(await accept(client, suggestion), 200).data;
      assert.equal(accepted.status, "accepted");
      assert.equal(accepted.decided_by, userId);
      assert.deepEqual(await textsOf(client, id), ["Uno", "Two"]);
      const versions = (await client.get(`/documents/${id}/versions`)).data;
      assert.equal(versions.length, before + 1);
      assert.equal(versions[0].creator.id, userId);
      assert.deepEqual(versions[0].suggested_by, suggestion.author);
      assert.equal(versions[0].suggested_by.user_id, userId);
      assert.equal(versions[0].reason, "suggestion");
      assertError(await accept(client, accepted), "suggestion_decided");
    });

    test("SUG4 changes are decided one by one, and the last decision ends the suggestion", async () => {
      const { client } = await world.person();
      const { id, suggestion } = await proposed(client);
      const [removal, rewording] = suggestion.changes;
      assertError(await accept(client, suggestion, { change_ids: ["chg_99"] }), "not_found");
      const half = assertStatus(await accept(client, suggestion, { change_ids: [rewording.id] }), 200).data;
      assert.deepEqual([half.status, half.decided_at], ["open", null]);
      assertError(await reject(client, suggestion), "version_conflict");
      const done = assertStatus(
        await reject(client, half, { change_ids: [removal.id], reason: "We need it." }),
        200,
      ).data;
      assert.deepEqual([done.status, done.decision_reason], ["partly_accepted", "We need it."]);
      assert.deepEqual(await textsOf(client, id), ["Uno", "Two", "Three"]);
    });

    test("SUG17 a rejection is taken back: what was rejected is open again, what was accepted stays", async () => {
      const { client } = await world.person();
      const { id, suggestion } = await proposed(client);
      const reopen = (of: Loose) => client.post(`/suggestions/${of.id}/reopen`, undefined, { ifMatch: of.version });
      assertError(await reopen(suggestion), "suggestion_decided");
      const [removal, change] = suggestion.changes;
      const half = assertStatus(await accept(client, suggestion, { change_ids: [change.id] }), 200).data;
      const rejected = assertStatus(await reject(client, half, { reason: "No." }), 200).data;
      assert.deepEqual([rejected.status, rejected.decision_reason], ["partly_accepted", "No."]);
      assertError(await reopen(half), "version_conflict");
      assertError(await client.post(`/suggestions/${suggestion.id}/reopen`), "precondition_required");
      const { data } = assertStatus(await reopen(rejected), 200);
      assert.deepEqual([data.status, data.decision_reason], ["open", null]);
      const states = data.changes.map((one: Loose) => [one.id, one.state]);
      assert.deepEqual(Object.fromEntries(states), { [removal.id]: "open", [change.id]: "accepted" });
      assertStatus(await accept(client, data), 200);
      assert.deepEqual(await textsOf(client, id), ["Uno", "Two"]);
    });

    test("SUG17 an acceptance that was undone is opened again, and accepted again", async () => {
      const { client } = await world.person();
      const { id, suggestion } = await proposed(client);
      const reopen = (of: Loose) => client.post(`/suggestions/${of.id}/reopen`, undefined, { ifMatch: of.version });
      const accepted = assertStatus(await accept(client, suggestion), 200).data;
      const text = await textsOf(client, id);
      assertError(await reopen(accepted), "suggestion_decided");
      const [before] = assertStatus(await client.get(`/documents/${id}/versions`), 200).data;
      const rollback = `/documents/${id}/versions/${before.seq}/rollback`;
      assertStatus(await client.post(rollback, undefined, { ifMatch: "*" }), 200);
      const { data } = assertStatus(await reopen(accepted), 200);
      assert.deepEqual([data.status, data.decided_at, data.decided_by], ["open", null, null]);
      assert.deepEqual([...new Set(data.changes.map(({ state }: Loose) => state))], ["open"]);
      assert.equal(assertStatus(await accept(client, data), 200).data.status, "accepted");
      assert.deepEqual(await textsOf(client, id), text);
    });

    test("SUG17 the author, who may only suggest, takes a withdrawal back; nobody else does", async () => {
      const { client, workspaceId } = await world.person();
      const { id: document_id } = await makeDocument(client, { text: "One\n" });
      const suggester = await world.person({ workspace: workspaceId, role: "viewer", access: "suggest" });
      const { id } = await makeSuggestion(suggester.client, { document_id });
      const withdrawn = assertStatus(await suggester.client.post(`/suggestions/${id}/withdraw`), 200).data;
      const reopen = (by: Client, of: Loose) =>
        by.post(`/suggestions/${id}/reopen`, undefined, { ifMatch: of.version });
      assertError(await reopen(client, withdrawn), "insufficient_role");
      assertError(await suggester.client.post(`/suggestions/${id}/reopen`), "precondition_required");
      const { data } = assertStatus(await reopen(suggester.client, withdrawn), 200);
      assert.deepEqual([data.status, data.decided_at, data.changes[0].state], ["open", null, "open"]);
      const rejected = assertStatus(await reject(client, data), 200).data;
      assertError(await reopen(suggester.client, rejected), "insufficient_scope");
      const viewer = await world.person({ workspace: workspaceId, role: "viewer" });
      assertError(await reopen(viewer.client, rejected), "insufficient_role");
      assert.equal(assertStatus(await reopen(client, rejected), 200).data.status, "open");
    });

    test("SUG5 deciding needs the version that was seen", async () => {
      const { client } = await world.person();
      const { suggestion } = await proposed(client);
      assertError(await client.post(`/suggestions/${suggestion.id}/accept`), "precondition_required");
      assertError(await client.post(`/suggestions/${suggestion.id}/reject`), "precondition_required");
      const rejected = assertStatus(await reject(client, suggestion), 200).data;
      assert.equal(rejected.status, "rejected");
    });

    test("SUG6 a change whose block has changed since is a conflict: the rest is made, and a person may word it anew", async () => {
      const { client } = await world.person();
      const { id, one, suggestion } = await proposed(client);
      await client.patch(`/documents/${id}/blocks/${one.id}`, { node: paragraph("Eins") });
      const seen = await read(client, suggestion.id);
      assert.deepEqual(
        seen.changes.map(({ state }: Loose) => state),
        ["open", "conflict"],
      );
      const half = assertStatus(await accept(client, seen), 200).data;
      assert.deepEqual([half.status, await textsOf(client, id)], ["open", ["Eins", "Two"]]);
      assertError(await accept(client, half), "suggestion_conflict");
      assert.deepEqual(await textsOf(client, id), ["Eins", "Two"]);
      const edits = [{ change_id: half.changes[1].id, markdown: "One *and* only" }];
      const done = assertStatus(await accept(client, half, { edits }), 200).data;
      assert.equal(done.status, "accepted");
      const [block] = await blocksOf(client, id);
      assert.deepEqual([defined(block).id, defined(block).text], [one.id, "One and only"]);
    });

    test("SUG7 other people's changes since stay where they are", async () => {
      const { client } = await world.person();
      const { id, two, suggestion } = await proposed(client);
      await client.patch(`/documents/${id}/blocks/${two.id}`, { node: paragraph("Zwei") });
      await client.post(`/documents/${id}/blocks`, { position: { document_start: true }, nodes: [paragraph("Zero")] });
      assertStatus(await accept(client, suggestion), 200);
      assert.deepEqual(await textsOf(client, id), ["Zero", "Uno", "Zwei"]);
    });

    test("SUG8 every body and block write can become a suggestion", async () => {
      const { client } = await world.person();
      const { id } = await makeDocument(client, { text: "One\n\nTwo\n" });
      const [one] = await blocksOf(client, id);
      const version = await versionOf(client, id);
      const path = `/documents/${id}`;
      const position = { document_end: true };
      const replies = [
        await client.put(`${path}/content?mode=suggest`, markdown("Other\n"), { ifMatch: version }),
        await client.post(`${path}/blocks?mode=suggest`, { position, nodes: [paragraph("Three")] }),
        await client.patch(`${path}/blocks/${defined(one).id}?mode=suggest`, { node: paragraph("Uno") }),
        await client.delete(`${path}/blocks/${defined(one).id}?mode=suggest`),
        await client.post(`${path}/batch?mode=suggest`, {
          base_version: version,
          operations: [{ op: "delete", block_id: defined(one).id }],
        }),
      ];
      for (const reply of replies) {
        const { suggestion_id } = assertStatus(reply, 202).data;
        assert.equal((await read(client, suggestion_id)).status, "open");
      }
      assert.equal(await versionOf(client, id), version);
      assertError(
        await client.post(`${path}/versions/1/rollback?mode=suggest`, undefined, { ifMatch: "*" }),
        "invalid_request",
      );
      const stale = await client.put(`${path}/content?mode=suggest`, markdown("Other\n"), { ifMatch: "sha256:0" });
      assertError(stale, "version_conflict");
    });

    test("SUG8 a dry run of a suggested write tells what would change and keeps nothing", async () => {
      const { client } = await world.person();
      const { id } = await makeDocument(client, { text: "One\n\nTwo\n" });
      const one = defined((await blocksOf(client, id))[0]).id;
      const version = await versionOf(client, id);
      const path = `/documents/${id}`;
      const trial = "mode=suggest&dry_run=true";
      const position = { document_end: true };
      const operations = [{ op: "delete", block_id: one }];
      const replies = [
        await client.put(`${path}/content?ids=match&${trial}`, markdown("Uno\n\nTwo\n"), { ifMatch: version }),
        await client.patch(`${path}/blocks/${one}?${trial}`, { node: paragraph("Uno") }),
        await client.delete(`${path}/blocks/${one}?${trial}`),
        await client.post(`${path}/batch?${trial}`, { base_version: version, operations }),
        await client.post(`${path}/blocks?${trial}`, { position, nodes: [paragraph("Three")] }, { key: "trial" }),
      ];
      for (const reply of replies) {
        const { changed_block_ids, ...told } = assertStatus(reply, 202).data;
        assert.deepEqual([told, changed_block_ids.length], [{ suggestion_id: null, version }, 1]);
      }
      assert.deepEqual(replies[0]?.data.changed_block_ids, [one]);
      assert.deepEqual((await client.get(`${path}/suggestions`)).data, []);
      const real = await client.post(`${path}/batch?mode=suggest`, { base_version: version, operations });
      const { suggestion_id, ...told } = assertStatus(real, 202).data;
      assert.deepEqual(told, { version, changed_block_ids: [one] });
      assert.equal((await read(client, suggestion_id)).status, "open");
    });

    test("SUG8 suggested Markdown without anchors changes the blocks that differ; ids=new replaces them all", async () => {
      const { client, workspaceId } = await world.person();
      const agent = await world.person({ workspace: workspaceId, access: "suggest" });
      const { id } = await makeDocument(client, { text: "# Head\n\nOne two three four.\n\nLast.\n" });
      const edited = markdown("# Head\n\nOne two three five.\n\nLast.\n");
      const suggested = async (one: typeof client, query: string) => {
        const reply = await one.put(`/documents/${id}/content?${query}`, edited, { ifMatch: "*" });
        const { changes } = await read(client, assertStatus(reply, 202).data.suggestion_id);
        return changes.map((change: { change_type: string }) => change.change_type).join();
      };
      assert.equal(await suggested(client, "mode=suggest"), "modified");
      assert.equal(await suggested(agent.client, ""), "modified");
      assert.equal(await suggested(client, "mode=suggest&ids=new"), "removed,removed,removed,added,added,added");
    });

    test("SUG19 front matter of a suggested body is left out and told; the properties stay", async () => {
      const { client, workspaceId } = await world.person();
      const agent = await world.person({ workspace: workspaceId, access: "suggest" });
      const { id } = await makeDocument(client, { text: "---\nstatus: a\n---\nOne\n" });
      const path = `/documents/${id}`;
      const put = (text: string, by = client) =>
        by.put(`${path}/content?ids=match&mode=suggest`, markdown(text), { ifMatch: "*" });
      const codes = ({ data }: Loose) => data.warnings?.map(({ code }: Loose) => code);
      const told = ["properties_left_out"];
      assert.deepEqual(codes(assertStatus(await put("---\nstatus: b\n---\nTwo\n"), 202)), told);
      assert.deepEqual(codes(assertStatus(await put("---\nstatus: b\n---\nTwo\n", agent.client), 202)), told);
      assert.deepEqual(codes(assertStatus(await put("---\nstatus: b\n---\nOne\n"), 200)), told);
      assert.equal(codes(assertStatus(await put("---\nstatus: a\n---\nTwo\n"), 202)), undefined);
      assert.equal(codes(assertStatus(await put("Two\n"), 202)), undefined);
      assertError(await put("---\nstatus: [\n---\nTwo\n"), "invalid_properties");
      const content = markdown("---\nstatus: b\n---\nTwo\n");
      const made = await client.post(`${path}/suggestions`, { base_version: "*", content });
      assert.deepEqual(codes(assertStatus(made, 201)), told);
      assert.deepEqual((await client.get(`${path}/properties`)).data.properties, { status: "a" });
    });

    test("SUG9 a suggest token's writes are always suggestions, and it decides nothing", async () => {
      const owner = await world.person();
      const agent = await world.person({ workspace: owner.workspaceId, access: "suggest" });
      const { id } = await makeDocument(owner.client, { text: "One\n" });
      const [one] = await blocksOf(owner.client, id);
      const reply = await agent.client.patch(`/documents/${id}/blocks/${defined(one).id}`, { node: paragraph("Uno") });
      const suggestion = await read(owner.client, assertStatus(reply, 202).data.suggestion_id);
      assert.equal(suggestion.author.id, agent.tokenId);
      assert.deepEqual(await textsOf(owner.client, id), ["One"]);
      assertError(await accept(agent.client, suggestion), "insufficient_scope");
      assertError(await agent.client.post("/documents", { title: "New", knowledge_base_id: 1 }), "insufficient_scope");
      assert.deepEqual((await agent.client.get("/me")).data.token.access, "suggest");
      assertStatus(await accept(owner.client, suggestion), 200);
    });

    test("SUG10 a viewer suggests where the knowledge base allows it, and never writes", async () => {
      const owner = await world.person();
      const viewer = await world.person({ workspace: owner.workspaceId, role: "viewer" });
      const document = await makeDocument(owner.client);
      const path = `/documents/${document.id}/content`;
      assertError(await viewer.client.put(path, markdown("New\n"), { ifMatch: "*" }), "insufficient_role");
      assertStatus(await viewer.client.put(`${path}?mode=suggest`, markdown("New\n"), { ifMatch: "*" }), 202);
      await owner.client.patch(`/knowledge-bases/${document.knowledge_base_id}`, { members_may_comment: false });
      const refused = await viewer.client.put(`${path}?mode=suggest`, markdown("New\n"), { ifMatch: "*" });
      assertError(refused, "insufficient_role");
    });

    test("SUG11 only the author takes a suggestion back", async () => {
      const { client, workspaceId } = await world.person();
      const other = await world.person({ workspace: workspaceId });
      const { id } = await makeSuggestion(client);
      assertError(await other.client.post(`/suggestions/${id}/withdraw`), "insufficient_role");
      assert.equal(assertStatus(await client.post(`/suggestions/${id}/withdraw`), 200).data.status, "withdrawn");
      assertError(await client.post(`/suggestions/${id}/withdraw`), "suggestion_decided");
    });

    test("SUG12 the inbox is filtered by status, author and knowledge base", async () => {
      const { client, userId, tokenId, workspaceId } = await world.person();
      const other = await world.person({ workspace: workspaceId });
      const document = await makeDocument(client);
      const mine = await makeSuggestion(client, { document_id: document.id });
      const theirs = await makeSuggestion(other.client);
      await reject(client, theirs);
      const ids = async (query: string) =>
        assertStatus(await client.get(`/suggestions${query}`), 200).data.map(({ id }: Loose) => id);
      assert.deepEqual(await ids(""), [mine.id, theirs.id]);
      assert.deepEqual(await ids("?status=open"), [mine.id]);
      assert.deepEqual(await ids(`?author=${userId}`), [mine.id]);
      assert.deepEqual(await ids(`?author=${tokenId}`), [mine.id]);
      assert.deepEqual(await ids(`?knowledge_base_id=${document.knowledge_base_id}`), [mine.id]);
      assertError(await client.get("/suggestions?knowledge_base_id=999999999"), "not_found");
      assert.equal((await client.get(`/documents/${document.id}/suggestions`)).data.length, 1);
    });

    test("SUG13 a suggestion is stale when its base is gone and nothing of it can be made", async () => {
      const { client } = await world.person();
      const { id } = await makeDocument(client, { text: "One\n" });
      const [one] = await blocksOf(client, id);
      const operations = [{ op: "replace", block_id: defined(one).id, node: paragraph("Uno") }];
      const suggestion = await makeSuggestion(client, { document_id: id, operations });
      for (const text of ["a", "b", "c", "d"])
        await client.patch(`/documents/${id}/blocks/${defined(one).id}`, { node: paragraph(text) });
      const seen = await read(client, suggestion.id);
      assert.deepEqual([seen.status, seen.changes[0].state], ["stale", "conflict"]);
      assertError(await accept(client, seen), "suggestion_conflict");
    });

    test("SUG14 making and deciding are events", async () => {
      const person = await world.person();
      const { client } = person;
      const { id, suggestion } = await proposed(client);
      await accept(client, suggestion);
      const reader = await EventReader.open(world.url, person.token, { lastEventId: 1 });
      const types: string[] = [];
      for (let i = 0; i < 3; i++) {
        const { data } = await reader.next();
        types.push(data.type);
        assert.equal(data.document_id, id);
        if (data.suggestion) assert.equal(data.suggestion.id, suggestion.id);
      }
      reader.close();
      assert.deepEqual(types, ["suggestion.created", "document.content.updated", "suggestion.decided"]);
    });

    test("SUG15 suggestions go with their document and come back from the trash", async () => {
      const { client } = await world.person();
      const { id, document_id } = await makeSuggestion(client);
      await client.delete(`/documents/${document_id}`);
      assertError(await client.get(`/suggestions/${id}`), "not_found");
      const [entry] = (await client.get("/trash")).data;
      await client.post(`/trash/${entry.id}/restore`);
      assert.equal((await read(client, id)).status, "open");
    });

    test("SUG12 SUG15 the inbox leaves out suggestions on deleted documents until they are restored", async () => {
      const { client } = await world.person();
      const kept = await makeSuggestion(client);
      const gone = await makeSuggestion(client);
      const last = await makeSuggestion(client);
      const idsIn = async (query: string) =>
        assertStatus(await client.get(`/suggestions${query}`), 200).data.map(({ id }: Loose) => id);
      await client.delete(`/documents/${gone.document_id}`);
      assert.deepEqual(await idsIn(""), [kept.id, last.id]);
      assert.deepEqual(await idsIn("?status=open"), [kept.id, last.id]);
      const first = assertStatus(await client.get("/suggestions?limit=1"), 200);
      const cursor = encodeURIComponent(first.body.page.next_cursor);
      assert.deepEqual(await idsIn(`?limit=1&cursor=${cursor}`), [last.id]);
      const [entry] = (await client.get("/trash")).data;
      assertStatus(await client.post(`/trash/${entry.id}/restore`), 200);
      assert.deepEqual(await idsIn(""), [kept.id, gone.id, last.id]);
    });

    test("SUG15 a decided suggestion on a deleted document is not found, even by its version", async () => {
      const { client } = await world.person();
      const { id, version, document_id } = await makeSuggestion(client);
      assertStatus(await client.post(`/suggestions/${id}/withdraw`), 200);
      const { data } = await client.get(`/suggestions/${id}`);
      assert.notEqual(data.version, version);
      await client.delete(`/documents/${document_id}`);
      const headers = { "if-none-match": `"${data.version}"` };
      assertError(await client.get(`/suggestions/${id}`, { headers }), "not_found");
    });

    test("SUG16 two people who decide at once decide once", async () => {
      const { client } = await world.person();
      const { id, suggestion } = await proposed(client);
      const replies = await Promise.all([
        accept(client, suggestion),
        accept(client, suggestion),
        reject(client, suggestion),
      ]);
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      const texts = await textsOf(client, id);
      assert.ok([["Uno", "Two"].join(), ["One", "Two", "Three"].join()].includes(texts.join()), texts.join());
    });
  },
  { SVC_VERSION_RETENTION: "2" },
);
