import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
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
    assert.match(await svc().text("comments", PAGE), /> cake\n {2}.*: Which one\?\n {2}com_\w+ {2}.*: Cheese\./);
    await svc().json("comments", "resolve", id);
    assert.deepEqual((await svc().json("comments", PAGE)).threads, []);
    assert.equal((await svc().json("comments", PAGE, "--all")).threads.length, 1);
  });

  test("CMD32 what is suggested is shown, accepted or rejected", async () => {
    const { suggestion_id } = await svc().json("append", PAGE, "--text", "And tea.", "--suggest");
    assert.doesNotMatch(await svc().text("cat", PAGE), /tea/);
    assert.match(await svc().text("suggestions"), new RegExp(suggestion_id));
    assert.match(await svc().text("suggestions", "show", suggestion_id), /^\+And tea\.$/m);
    assert.match(await svc().text("suggestions", "accept", suggestion_id), /is accepted/);
    assert.match(await svc().text("cat", PAGE), /tea/);
    const other = await svc().json("write", PAGE, "--text", "Nothing.", "--suggest");
    assert.match(await svc().text("suggestions", "reject", other.suggestion_id, "--reason", "No."), /is rejected/);
    assert.deepEqual((await svc().json("suggestions", PAGE)).suggestions, []);
  });
});
