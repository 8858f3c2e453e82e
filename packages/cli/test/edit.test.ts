import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SVC } from "../../server/test/support/process.ts";
import { shelf, withTerminal } from "./support.ts";

describe("svc edit", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  const folder = () => join(svc().home, "state/svc/drafts");
  const drafts = () => (existsSync(folder()) ? readdirSync(folder()) : []);
  const edit = (script: string, ...args: string[]) => svc().run(["edit", "Notes/Page", ...args], svc().editor(script));
  /** Another person's save, from within the editor of the first: of the text with its anchors. */
  const theirSave = (file: string) => `"${process.execPath}" "${SVC}" write Notes/Page ${file} > /dev/null`;
  const theirEdit = async (from: string | RegExp, to: string) =>
    theirSave(svc().file("theirs.md", (await svc().text("cat", "--anchors", "Notes/Page")).replace(from, to)));
  const fresh = async (content: string) => {
    const { client } = context.person;
    const [page] = (await client.get("/documents?q=page")).data;
    if (!page) return shelf(context.person, "Notes", { Page: content });
    await client.put(`/documents/${page.id}/content`, { format: "markdown", content }, { ifMatch: "*" });
  };
  const body = () => svc().text("cat", "Notes/Page");

  test("CMD20 the text comes with anchors, so that what is kept keeps its id", async () => {
    await fresh("one\n\ntwo");
    const before = await svc().text("cat", "--anchors", "Notes/Page");
    const done = await edit(`cp "$1" ${svc().home}/seen; sed -i s/two/three/ "$1"`);
    assert.equal(done.stdout, "Notes/Page is saved: 1 block changed.\n");
    assert.equal(readFileSync(join(svc().home, "seen"), "utf8"), before);
    assert.equal(await svc().text("cat", "--anchors", "Notes/Page"), before.replace("two", "three"));
    assert.deepEqual(drafts(), []);
  });

  test("CMD20 a text that was not changed is not written; an emptied one is not taken", async () => {
    await fresh("one\n\ntwo");
    assert.equal((await edit("true")).stdout, "Notes/Page is as it was: nothing changed.\n");
    assert.equal((await edit(': > "$1"')).code, 1);
    assert.equal(await body(), "one\n\ntwo\n");
    assert.deepEqual(drafts(), []);
  });

  test("CMD20 without a terminal and an editor in the settings nothing is opened or made", async () => {
    for (const command of [
      ["edit", "Notes/Page"],
      ["new", "Notes/Unmade", "--edit"],
    ])
      assert.match((await svc().refused(2, ...command)).message, /^There is no terminal to edit at/);
    await svc().refused(3, "cat", "Notes/Unmade");
  });

  test("CMD20 new --edit opens the editor at once", async () => {
    const done = await svc().run(["new", "Notes/Fresh", "--edit", "--json"], svc().editor('echo hello > "$1"'));
    assert.equal(done.code, 0, done.stderr);
    assert.equal((await svc().json("cat", "Notes/Fresh")).version, JSON.parse(done.stdout).version);
    assert.equal(await svc().text("cat", "Notes/Fresh"), "hello\n");
  });

  test("CMD21 changes of others in other places are merged, and nothing is asked", async () => {
    await fresh("one\n\ntwo\n\nthree");
    const anchored = await svc().text("cat", "--anchors", "Notes/Page");
    const done = await edit(`${await theirEdit("three", "THREE")}; sed -i s/one/ONE/ "$1"`);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stderr, /both changes are kept/);
    assert.equal(await body(), "ONE\n\ntwo\n\nTHREE\n");
    assert.equal(
      await svc().text("cat", "--anchors", "Notes/Page"),
      anchored.replace("one", "ONE").replace("three", "THREE"),
    );
    assert.deepEqual(drafts(), []);
  });

  test("CMD21 a block that one side moved and the other edited is moved and edited; other words of one block meet", async () => {
    await fresh("one word\n\ntwo\n\nthree");
    const anchored = await svc().text("cat", "--anchors", "Notes/Page");
    const [first = "", ...rest] = anchored.trimEnd().split("\n\n");
    const theirs = svc().file("theirs.md", `${[...rest, first.replace("word", "sentence")].join("\n\n")}\n`);
    const done = await edit(`${theirSave(theirs)}; sed -i 's/one/ONE/; s/three/THREE/' "$1"`);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(await body(), "two\n\nTHREE\n\nONE sentence\n");
    assert.deepEqual(drafts(), []);
  });

  test("CMD22 a block that one side deleted and the other edited is for the person to decide", async () => {
    await fresh("one\n\ntwo\n\nthree");
    const gone = await edit(`${await theirEdit(/<!--.*-->\ntwo\n\n/, "")}; sed -i s/two/mine/ "$1"`);
    assert.equal(gone.code, 4, gone.stderr);
    assert.match(gone.stderr, /<{7} your edit\nmine\n\|{7} as you opened it\ntwo\n={7}\n>{7} on the server now/);
    assert.equal(await body(), "one\n\nthree\n");
    const cut = await edit(
      `${await theirEdit("three", "theirs")}; sed -i 's/one/ONE/; /three/d' "$1"; sed -i '$d' "$1"`,
    );
    assert.equal(cut.code, 4, cut.stderr);
    assert.match(cut.stderr, /={7}\ntheirs\n>{7}/);
    assert.equal(await body(), "one\n\ntheirs\n");
    for (const draft of drafts()) rmSync(join(folder(), draft));
  });

  test("CMD22 a conflict is shown three ways, ends with 4, and the text is kept until it is saved", async () => {
    await fresh("one\n\ntwo");
    const done = await edit(`${await theirEdit("one", "theirs")}; sed -i s/one/mine/ "$1"`, "--json");
    assert.equal(done.code, 4, done.stderr);
    assert.equal(done.stdout, "");
    for (const part of [
      "<<<<<<< your edit",
      "mine",
      "||||||| as you opened it",
      "one",
      "=======",
      "theirs",
      ">>>>>>> on the server now",
    ])
      assert.ok(done.stderr.includes(part), part);
    const { error } = JSON.parse(done.stderr.trimEnd().split("\n").at(-1) ?? "");
    const { draft, current_version } = error.details;
    assert.equal(statSync(draft).mode & 0o777, 0o600);
    assert.equal(await body(), "theirs\n\ntwo\n");
    assert.match(
      (await svc().refused(1, "write", "Notes/Page", draft, "--if-match", current_version)).message,
      /unresolved conflicts/,
    );
    const decided = readFileSync(draft, "utf8").replace(/^(<{7} .*|\|{7} [\s\S]*?^>{7} .*)\n/gm, "");
    svc().file("decided.md", decided);
    const [, ...save] = error.next[1].split(" ");
    await svc().json(...save.map((word: string) => (word === draft ? join(svc().home, "decided.md") : word)));
    assert.equal(await body(), "mine\n\ntwo\n");
  });

  test("CMD22 whatever else goes wrong, the text is kept and the message says where", async () => {
    await fresh("one");
    const before = drafts().length;
    const crashed = await edit('sed -i s/one/mine/ "$1"; exit 3');
    assert.equal(crashed.code, 1);
    const refused = await edit('sed -i "p" "$1"');
    assert.equal(refused.code, 1);
    for (const { stderr } of [crashed, refused]) {
      const file = /Your text is in (\S+)\.\n/.exec(stderr)?.[1] ?? "";
      assert.ok(existsSync(file), stderr);
      assert.match(stderr, new RegExp(`→ svc write doc_\\w+ ${file} --if-match sha256:\\w+\n$`));
    }
    assert.match(refused.stderr, /anchor/);
    assert.equal(drafts().length, before + 2);
    assert.equal(await body(), "one\n");
  });
});
