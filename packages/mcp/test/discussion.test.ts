import assert from "node:assert/strict";
import { test } from "node:test";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent, valueIn, wholeId } from "./support/agent.ts";

onEachDatabase("MCP discussion", (world) => {
  test("MCP33 an agent that may only suggest comments and proposes, and a person decides", async () => {
    const owner = await world.person();
    const { token } = await world.person({ workspace: owner.workspaceId, access: "suggest" });
    const agent = await Agent.connect(world.url, token);
    const { id: document_id, version: base_version } = await makeDocument(owner.client, { text: "Every Friday.\n" });
    const [block] = (await owner.client.get(`/documents/${document_id}/blocks`)).data;
    await agent.ok("comment", { document_id, block_id: block.id, quote: "Friday", text: "Is it not Monday?" });
    const operations = [{ op: "replace", block_id: block.id, markdown: "Every Monday." }];
    const { text } = await agent.ok("edit_blocks", { document_id, base_version, operations });
    const suggestion_id = valueIn(text, "suggestion_id");
    const seen = (await agent.ok("get_discussion", { document_id })).text;
    assert.match(seen, /Is it not Monday\?.*quote: "Friday"/);
    assert.match(seen, /"Every Friday\." → "Every Monday\."/);
    await agent.refused("insufficient_scope", "decide_suggestion", { suggestion_id, accept: true });
    const person = await Agent.connect(world.url, owner.token);
    await person.refused("invalid_arguments", "decide_suggestion", { suggestion_id });
    const rejected = await person.ok("decide_suggestion", { suggestion_id, accept: false, reason: "No." });
    assert.match(rejected.text, /Undo: the same with undo: true\./);
    const reopened = await person.ok("decide_suggestion", { suggestion_id, undo: true });
    assert.equal(reopened.data.status, "open");
    await person.ok("decide_suggestion", { suggestion_id, accept: true });
    assert.equal((await owner.client.get(`/documents/${document_id}/blocks`)).data[0].text, "Every Monday.");
  });

  test("MCP33 a long discussion is read to its end, and what was cut is read whole", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`);
    const { id: document_id, version } = await makeDocument(client, { text: paragraphs.join("\n\n") });
    const long = `Long ${"word ".repeat(200)}and its end.`;
    const say = (content: string) =>
      client.post(`/documents/${document_id}/comments`, { body: { format: "markdown", content } });
    const { id: first } = (await say("Thread 0.")).data;
    await client.post(`/comments/${first}/replies`, { body: { format: "markdown", content: long } });
    for (let at = 1; at < 60; at++) await say(`Thread ${at}.`);
    const changed = paragraphs.map((text) => `${text} ${"More. ".repeat(200)}Done.`).join("\n\n");
    await client.post(`/documents/${document_id}/suggestions`, {
      base_version: version,
      content: { format: "markdown", content: changed },
    });
    const { text } = await agent.ok("get_discussion", { document_id });
    assert.match(text, /^50 open threads and more, 1 open suggestion\./);
    const cursor = valueIn(text, "cursor");
    const rest = (await agent.ok("get_discussion", { document_id, cursor })).text;
    assert.match(rest, /^further: 10 open threads\.\n- .*Thread 50\./);
    assert.doesNotMatch(rest, /suggest|cursor/);
    const reply = / {2}- .*… \((comment_id: \w+)\)/.exec(text)?.[1] ?? "";
    const comment_id = valueIn(reply, "comment_id");
    assert.match((await agent.ok("get_discussion", { comment_id })).text, /and its end\.$/);
    assert.match(text, /and 40 changes more/);
    const suggestion_id = valueIn(text, "suggestion_id");
    const seen: string[] = [];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const part: string = (await agent.ok("get_discussion", { suggestion_id, ...(next && { cursor: next }) })).text;
      assert.ok(part.length < 45_000, `${part.length}`);
      seen.push(...part.matchAll(/after:\n(Paragraph \d+\.) .*Done\./g).map(([, words = ""]) => words));
      next = /with cursor: (\S+)/.exec(part)?.[1];
    }
    assert.deepEqual(seen, paragraphs);
    await agent.refused("invalid_cursor", "get_discussion", { suggestion_id, cursor: "60" });
    await agent.refused("invalid_cursor", "get_discussion", { document_id, cursor: "x" });
  });

  test("MCP35 an agent reads its person's notifications, marks them, and watches places", async () => {
    const owner = await world.person();
    const { client, token } = await world.person({ workspace: owner.workspaceId, role: "editor" });
    const agent = await Agent.connect(world.url, token);
    const { id: document_id, knowledge_base_id } = await makeDocument(owner.client);
    const { name } = (await owner.client.get(`/knowledge-bases/${knowledge_base_id}`)).data;
    assert.match((await agent.ok("watch", { in: name })).text, /^Watching/);
    await owner.client.post(`/documents/${document_id}/comments`, { body: { format: "markdown", content: "Ding" } });
    const { text } = await agent.ok("get_notifications");
    assert.match(text, /reason: comment.*: Ding/);
    const notification_ids = [valueIn(text, "notification_id")];
    assert.match((await agent.ok("mark_notifications", { notification_ids })).text, /^1 notification marked/);
    assert.match((await agent.ok("get_notifications")).text, /^0 unread/);
    assert.match((await agent.ok("watch", { in: name, watching: false })).text, /^Not watching/);
    assert.equal((await client.get(`/knowledge-bases/${knowledge_base_id}/watch`)).data.watching, false);
  });

  test("MCP35 an agent sees what is suggested anywhere, and changes, reacts to and deletes comments", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id } = await makeDocument(client, { text: "One.\n" });
    await agent.ok("edit_markdown", { document_id, old: "One", new: "Two", suggest: true });
    const { text } = await agent.ok("get_suggestions");
    assert.ok(document_id.endsWith(valueIn(text, "document_id")), "short, or whole");
    assert.match((await agent.ok("get_suggestions", { status: "accepted" })).text, /^0 suggestions/);
    const comment_id = valueIn((await agent.ok("comment", { document_id, text: "Frist." })).text, "comment_id");
    await agent.ok("change_comment", { comment_id, text: "First." });
    await agent.ok("change_comment", { comment_id, reaction: "👍" });
    const address = `/comments/${await wholeId(client, "comment", comment_id)}`;
    const { body, reactions } = (await client.get(address)).data;
    assert.deepEqual([body.markdown, reactions[0].emoji], ["First.", "👍"]);
    await agent.ok("change_comment", { comment_id, remove_reaction: "👍" });
    assert.deepEqual((await client.get(address)).data.reactions, []);
    const deleted = await agent.ok("change_comment", { comment_id, delete: true });
    assert.match(deleted.text, /^Deleted on \*\*.+\*\*\. Undo: restore\. It was:\n<<(\w+)\nFirst\.\n\1>>/);
    assert.equal((await client.get(address)).status, 404);
    assert.match((await agent.ok("change_comment", { comment_id, restore: true })).text, /^Back on/);
    assert.equal((await client.get(address)).data.body.markdown, "First.");
  });

  test("MCP35 who may only discuss reacts, reopens, withdraws, and marks what they read", async () => {
    const owner = await world.person();
    const { token } = await world.person({ workspace: owner.workspaceId, role: "viewer", access: "suggest" });
    const agent = await Agent.connect(world.url, token);
    const { id: document_id } = await makeDocument(owner.client, { text: "One.\n" });
    const said = (await agent.ok("comment", { document_id, text: "Why?" })).text;
    const comment_id = valueIn(said, "comment_id");
    await agent.ok("change_comment", { comment_id, reaction: "👍" });
    await agent.ok("comment", { comment_id, resolve: true });
    assert.match((await agent.ok("comment", { comment_id, reopen: true })).text, /^Reopened/);
    assert.equal(
      (await owner.client.get(`/comments/${await wholeId(owner.client, "comment", comment_id)}`)).data.resolved_at,
      null,
    );
    const { text } = await agent.ok("edit_markdown", { document_id, old: "One", new: "Two" });
    const suggestion_id = valueIn(text, "suggestion_id");
    const address = `/suggestions/${await wholeId(owner.client, "suggestion", suggestion_id)}`;
    assert.match((await agent.ok("withdraw_suggestion", { suggestion_id })).text, /^Withdrawn/);
    assert.equal((await owner.client.get(address)).data.status, "withdrawn");
    assert.match((await agent.ok("withdraw_suggestion", { suggestion_id, undo: true })).text, /^Open again/);
    assert.equal((await owner.client.get(address)).data.status, "open");
    assert.match((await agent.ok("mark_notifications", { all: true })).text, /marked as read/);
  });

  test("MCP34 a person's own wording is accepted for a change in conflict", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id } = await makeDocument(client, { text: "One.\n" });
    const { text } = await agent.ok("edit_markdown", { document_id, old: "One", new: "Two", suggest: true });
    const suggestion_id = valueIn(text, "suggestion_id");
    await agent.ok("edit_markdown", { document_id, old: "One", new: "Three" });
    const whole = await wholeId(client, "suggestion", suggestion_id);
    const { changes } = (await client.get(`/suggestions/${whole}`)).data;
    const edits = [{ change_id: changes[0].id, markdown: "Two or three." }];
    await agent.ok("decide_suggestion", { suggestion_id, accept: true, edits });
    assert.equal((await client.get(`/documents/${document_id}/content?format=markdown`)).text, "Two or three.\n");
  });

  test("MCP34 a writer may ask for a suggestion, reply and resolve", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id, version: base_version } = await makeDocument(client);
    const written = await agent.ok("write_document", { document_id, base_version, markdown: "New.", suggest: true });
    assert.match(await wholeId(client, "suggestion", valueIn(written.text, "suggestion_id")), /^sug_/);
    const comment_id = valueIn((await agent.ok("comment", { document_id, text: "Hm." })).text, "comment_id");
    await agent.ok("comment", { comment_id, text: "Right.", resolve: true });
    assert.match((await agent.ok("get_discussion", { document_id })).text, /^0 open threads, 1 open suggestion\./);
  });

  test("SUG8 SUG19 an agent's trial of a suggestion says so, and front matter that is left out is told", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id, version: base_version } = await makeDocument(client);
    const sent = { document_id, base_version, markdown: "---\nstatus: new\n---\nNew.", suggest: true };
    const trial = (await agent.ok("write_document", { ...sent, dry_run: true })).text;
    assert.match(
      trial,
      /^Nothing is stored; this would become a suggestion of \d+ changed blocks?\.\nThe front matter/,
    );
    assert.doesNotMatch(trial, /suggestion_id/);
    assert.match((await agent.ok("write_document", sent)).text, /The front matter is left out.*\n.*suggestion_id/);
  });

  test("MCP62 ids of comments, suggestions, relations, concepts and candidates are short, and are taken so", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id, knowledge_base_id } = await makeDocument(client, { title: "Retry", text: "One.\n" });
    const goal = await makeDocument(client, { knowledge_base_id, text: "Two.\n" });
    const [block] = (await client.get(`/documents/${document_id}/blocks`)).data;
    const relation = { source_document_id: document_id, source_block_id: block.id, target_uri: goal.uri };
    await agent.ok("change_relations", { change: { action: "add", predicate: "supports", ...relation } });
    const relation_id = shortIn((await agent.ok("get_relations", { document_id })).text, "relation_id");
    await agent.ok("change_relations", { change: { action: "remove", relation_id } });
    assert.deepEqual((await client.get(`/documents/${document_id}/relations`)).data, []);
    await agent.ok("change_concepts", { change: { action: "extract_candidates", knowledge_base_id } });
    const candidates = (await agent.ok("get_concepts", { candidates: true })).text;
    const candidate_id = shortIn(candidates, "candidate_id");
    const accept = { action: "accept_candidate", candidate_id, version: valueIn(candidates, "version") };
    const concept_id = shortIn((await agent.ok("change_concepts", { change: accept })).text, "concept_id");
    assert.match((await agent.ok("get_concepts", { concept_id })).text, /^\*\*/);
    await agent.ok("comment", { document_id, text: "Why?" });
    await agent.ok("edit_markdown", { document_id, old: "One", new: "Three", suggest: true });
    const { text } = await agent.ok("get_discussion", { document_id });
    await agent.ok("comment", { comment_id: shortIn(text, "comment_id"), text: "So.", resolve: true });
    const suggestion_id = shortIn(text, "suggestion_id");
    const stranger = await Agent.connect(world.url, (await world.person()).token);
    await stranger.refused("not_found", "decide_suggestion", { suggestion_id, accept: true });
    await agent.ok("decide_suggestion", { suggestion_id: `sug_${suggestion_id}`, accept: true });
  });

  test("MCP62 an end that two ids share answers with both of them whole", async () => {
    const person = await world.person();
    const agent = await Agent.connect(world.url, person.token);
    const { id: document_id } = await makeDocument(person.client);
    const body = { body: { format: "markdown", content: "Why?" } };
    const [{ id }, other] = await Promise.all(
      [1, 2].map(async () => (await person.client.post(`/documents/${document_id}/comments`, body)).data),
    );
    const twin = `com_${"0".repeat(18)}${id.slice(-8)}`;
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("comments").set({ id: twin, thread_id: twin }).where("id", "=", other.id).execute(),
    );
    const text = await agent.refused("ambiguous_name", "comment", { comment_id: id.slice(-8), resolve: true });
    for (const each of [id, twin]) assert.ok(text.includes(`- ${each}`), text);
    await agent.ok("comment", { comment_id: id, resolve: true });
  });
});

function shortIn(text: string, name: string): string {
  const id = valueIn(text, name);
  assert.match(id, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  return id;
}
