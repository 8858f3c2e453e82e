import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Loose } from "../../server/test/support/client.ts";
import { withTerminal } from "./support.ts";

const PAGE = "Handbook/Page";

describe("svc comments and suggestions", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  before(async () => {
    await svc().json("kb", "create", "Handbook");
    await svc().json("new", PAGE, "--text", "The meeting is every Friday.");
  });

  test("CMD31 a thread is opened on a passage, answered and resolved", async () => {
    const { blocks } = await svc().json("append", PAGE, "--text", "Bring cake.");
    const at = ["--block", blocks[0].id, "--quote", "cake"];
    const { id } = await svc().json("comments", "add", PAGE, "--text", "Which one?", ...at);
    await svc().json("comments", "reply", id, "--text", "Cheese.");
    assert.match(await svc().text("comments", PAGE), /> cake\n {2}.*: Which one\?\n {2}\w{8} {2}.*: Cheese\./);
    await svc().json("comments", "resolve", id);
    assert.deepEqual((await svc().json("comments", PAGE)).threads, []);
    assert.equal((await svc().json("comments", PAGE, "--all")).threads.length, 1);
  });

  test("CMD31 a comment is changed and reacted to", async () => {
    const { id } = await svc().json("comments", "add", PAGE, "--text", "Frist.");
    assert.equal((await svc().json("comments", "edit", id, "--text", "First.")).body.markdown, "First.");
    assert.match(await svc().text("comments", "react", id, "👍"), /👍 1/);
    assert.match(await svc().text("comments", "react", id, "👍", "--remove"), /No reactions/);
    await svc().json("comments", "rm", id);
    assert.equal((await svc().json("comments", "restore", id)).id, id);
    await svc().json("comments", "rm", id);
  });

  test("CMD39 the end of an id that a table shows stands for a comment or a suggestion", async () => {
    const ending = /^Said: (\w{8})\.$/m.exec(await svc().text("comments", "add", PAGE, "--text", "Short?"))?.[1] ?? "";
    await svc().json("comments", "reply", ending, "--text", "Yes.");
    await svc().json("comments", "edit", ending, "--text", "Shorter?");
    await svc().json("comments", "rm", ending);
    assert.ok((await svc().json("comments", "restore", ending)).id.endsWith(ending));
    await svc().json("comments", "resolve", ending);
    await svc().refused(3, "comments", "resolve", "00000000");
    const { suggestion_id } = await svc().json("append", PAGE, "--text", "And jam.", "--suggest");
    const short = suggestion_id.slice(-8);
    assert.match(await svc().text("suggestions", "show", short), /^\+And jam\.$/m);
    assert.match(await svc().text("suggestions", "reject", short), /is rejected/);
    assert.equal((await svc().json("suggestions", "reopen", short)).id, suggestion_id);
    await svc().json("suggestions", "withdraw", short);
  });

  test("CMD37 notifications are listed and marked as read, places watched, settings changed", async () => {
    const { people } = await svc().json("people");
    assert.match(await svc().text("people", people[0].name.slice(0, 3)), new RegExp(`svc://user/${people[0].id}`));
    for (const place of [PAGE, "Handbook"]) {
      assert.equal((await svc().json("notifications", "watch", place)).watching, true);
      assert.equal((await svc().json("notifications", "unwatch", place)).watching, false);
    }
    await svc().json("notifications", "watch", PAGE);
    const bob = await context.world.person({ workspace: context.person.workspaceId, role: "editor" });
    const [page] = (await bob.client.get("/documents")).data;
    await bob.client.post(`/documents/${page.id}/comments`, { body: { format: "markdown", content: "Ding" } });
    const { notifications } = await svc().json("notifications");
    assert.match(await svc().text("notifications"), /comment.*Page.*Ding/);
    assert.equal((await svc().json("notifications", "read", notifications[0].id)).read, 1);
    assert.match(await svc().text("notifications"), /No unread/);
    assert.equal((await svc().json("notifications", "--all")).notifications.length, notifications.length);
    const change = ["--kind", "comment", "--email", "daily", "--page", "off"];
    assert.deepEqual((await svc().json("notifications", "settings", ...change)).kinds.comment, {
      page: false,
      email: "daily",
      webhook: true,
    });
    assert.match(await svc().text("notifications", "settings"), /comment +off +daily +on/);
  });

  test("CMD38 comments are searched, suggestions narrowed, and a change is accepted in one's own words", async () => {
    const { id } = await svc().json("comments", "add", PAGE, "--text", "A quokka sat here");
    assert.equal((await svc().json("search", "quokka", "--comments")).hits.length, 1);
    await svc().json("comments", "rm", id);
    const { suggestion_id } = await svc().json("append", PAGE, "--text", "And milk.", "--suggest");
    const narrowed = ["suggestions", "--kb", "Handbook", "--author"];
    assert.equal((await svc().json(...narrowed, context.person.userId)).suggestions.length, 1);
    const [other] = (await svc().json("people")).people.filter((one: Loose) => one.id !== context.person.userId);
    assert.deepEqual((await svc().json(...narrowed, other?.id ?? "user_0")).suggestions, []);
    await svc().json("suggestions", "withdraw", suggestion_id);
    assert.equal((await svc().json("suggestions", "reopen", suggestion_id)).status, "open");
    const [change] = (await svc().json("suggestions", "show", suggestion_id)).changes;
    await svc().json("suggestions", "accept", suggestion_id, "--change", change.id, "--text", "And oat milk.");
    assert.match(await svc().text("cat", PAGE), /And oat milk\./);
  });

  test("CMD32 what is suggested is shown, accepted or rejected", async () => {
    const { suggestion_id } = await svc().json("append", PAGE, "--text", "And tea.", "--suggest");
    assert.doesNotMatch(await svc().text("cat", PAGE), /tea/);
    assert.match(await svc().text("suggestions"), new RegExp(`^${suggestion_id.slice(-8)} `, "m"));
    assert.match(await svc().text("suggestions", "show", suggestion_id), /^\+And tea\.$/m);
    assert.match(await svc().text("suggestions", "accept", suggestion_id), /is accepted/);
    assert.match(await svc().text("cat", PAGE), /tea/);
    const other = await svc().json("write", PAGE, "--text", "Nothing.", "--suggest");
    assert.match(await svc().text("suggestions", "reject", other.suggestion_id, "--reason", "No."), /is rejected/);
    assert.deepEqual((await svc().json("suggestions", PAGE)).suggestions, []);
  });

  test("SUG8 SUG19 a trial of a suggestion says so, and front matter that is left out is told", async () => {
    const send = ["write", PAGE, "--text", "---\nstatus: new\n---\nNothing.", "--suggest"];
    const trial = await svc().text(...send, "--dry-run");
    assert.match(
      trial,
      /would be kept as a suggestion for people to decide, \d+ blocks? changed\. The front matter is/,
    );
    assert.equal((await svc().json(...send, "--dry-run")).suggestion_id, null);
    assert.deepEqual((await svc().json("suggestions", PAGE)).suggestions, []);
    assert.match(
      await svc().text(...send),
      /kept as suggestion sug_\w+ for people to decide\. The front matter is left out/,
    );
  });
});
