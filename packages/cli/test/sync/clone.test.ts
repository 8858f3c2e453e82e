import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { type Client, createClient, listAll } from "@svc/sdk";
import { png } from "../../../server/test/support/attachments.ts";
import { World } from "../../../server/test/support/world.ts";
import { syncFolder } from "../../src/sync/sync-folder.ts";

/** A repository as people have them: every way to write Markdown, to end lines and to name files. */
const repository: Readonly<Record<string, string | Buffer>> = {
  "README.md":
    "---\ntitle: 'Start'\ntags: [ a,b ]\n---\n\nTitle\n=====\n\nSee [guide](docs/Handbook.md#setup), [[Guide|wiki]], [[Handbook]] and <kbd>F1</kbd>.\n",
  "docs/Handbook.md": "# Guide\r\n\r\n## Setup\r\n\r\n* one\r\n* two\r\n\r\n![dot](../assets/dot%20one.png)\r\n",
  "docs/bom.md": "\uFEFF# With a mark\n\nText.\n",
  "docs/bom and front matter.md": "\uFEFF---\nstatus: open\n---\n# Marked\n",
  "docs/no end.md": "no line end at the end",
  "docs/empty.md": "",
  "docs/blank.md": "\n\n",
  "docs/only front matter.md": "---\nstatus: open\n---\n",
  "docs/not yaml.md": "---\n: [\n---\n\nText.\n",
  "docs/mixed ends.md": "one\r\n\r\ntwo\n\nthree\r\n",
  "docs/trailing.md": "hard  \nbreak \n\n\n\nfar\t\n",
  "docs/html.md": '<div align="center">\n  <b>x</b>\n</div>\n\n<details><summary>s</summary>\n\n- [ ] y\n</details>\n',
  "docs/Guide/Guide.md": "One [[Guide]].\n",
  "docs/Guide.md": "Another [[Handbook]] and [file](Handbook.md).\n",
  "weird & names/a #1 [draft] (x).md": "Hash, brackets and [back](../README.md).\n",
  "weird & names/ünïcode 日本.md": "Letters: [self](%C3%BCn%C3%AFcode%20%E6%97%A5%E6%9C%AC.md)\n",
  "weird & names/100%.md": "Percent.\n",
  "weird & names/.hidden.md": "Hidden.\n",
  "UPPER.MD": "Upper.\n",
  "assets/dot one.png": png,
  ".obsidian/app.json": "{}\n",
  ".obsidian/workspace.md": "not a note\n",
  "src/code.ts": "export {};\n",
};

describe("a clone of a repository", () => {
  const world = new World("sqlite", {});
  const work = mkdtempSync(join(tmpdir(), "svc-clone-"));
  const root = join(work, "clone");
  let client: Client;
  let kb = 0;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "core.quotepath=off", "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  const sync = async () => {
    const { actions, problems } = await syncFolder({ client, directory: root, knowledgeBase: kb });
    return { actions: actions.map(({ action, path }) => `${action} ${path}`), problems };
  };
  const document = async (title: string) =>
    defined(
      (await Array.fromAsync(listAll(client, "/documents", { query: { knowledge_base_id: kb } }))).find(
        (one) => one.title === title,
      ),
    );

  before(async () => {
    await world.start();
    const { token } = await world.person();
    client = createClient({ baseUrl: world.url, token });
    kb = (await client.post("/knowledge-bases", { body: { name: "Clone" } })).data.id;
    for (const [path, content] of Object.entries(repository)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    git("init", "-q", "-b", "main");
    git("-c", "core.autocrlf=false", "add", "-A", "-f");
    git("commit", "-qm", "all");
  });
  after(async () => {
    await world.stop();
    rmSync(work, { recursive: true });
  });

  test("SYNC13 a fresh clone with every kind of file is clean after the first run and the next", async () => {
    const first = await sync();
    assert.deepEqual(first.problems, []);
    assert.equal(git("status", "--porcelain"), "");
    assert.deepEqual(await sync(), { actions: [], problems: [] });
    assert.equal(git("status", "--porcelain"), "");
  });

  test("SYNC13 an edit of one paragraph in the service changes that line alone, in a file with Windows line ends too", async () => {
    for (const [title, old, changed] of [
      ["Handbook", "Setup", "Set-up"],
      ["no end", "no line end", "a line end"],
      ["bom", "Text", "Words"],
      ["bom and front matter", "Marked", "Noted"],
      ["mixed ends", "three", "four"],
    ] as const) {
      const { id } = await document(title);
      const body = {
        base_version: (await client.get("/documents/{id}", { path: { id } })).data.version,
        operations: [{ op: "edit_markdown" as const, old, new: changed }],
      };
      await client.post("/documents/{id}/batch", { path: { id }, body });
    }
    const { problems } = await sync();
    assert.deepEqual(problems, []);
    const changed = git("diff", "--numstat").trim().split("\n");
    assert.deepEqual(
      changed.map((line) => line.split("\t").slice(0, 2).join(" ")),
      Array(5).fill("1 1"),
      changed.join("\n"),
    );
    git("commit", "-qam", "edited");
  });

  test("SYNC13 an edit of a file reaches its document, which keeps its other blocks", async () => {
    const path = join(root, "docs/trailing.md");
    const id = (await document("trailing")).id;
    const before = (await client.get("/documents/{id}/blocks", { path: { id } })).data.map((block) => block.id);
    writeFileSync(path, readFileSync(path, "utf8").replace("far", "near"));
    assert.deepEqual(await sync(), { actions: ["push docs/trailing.md"], problems: [] });
    const { data } = await client.get("/documents/{id}/blocks", { path: { id } });
    assert.deepEqual(
      data.map((block) => block.id),
      before,
    );
    assert.equal(data.at(-1)?.text, "near");
    assert.equal(git("status", "--porcelain"), " M docs/trailing.md\n");
  });
});
