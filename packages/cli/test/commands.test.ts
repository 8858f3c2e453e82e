import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { shelf, until, withTerminal } from "./support.ts";

const BODY = "# Hi\n\nFirst words.\n\n## Steps\n\nOne.\n\n## End\n\nBye.\n";

describe("svc", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  before(async () => {
    await svc().json("kb", "create", "Handbook");
    await svc().json("new", "Handbook/Guides/Hello", "--parents", "--text", BODY);
  });

  const shelved = (name: string, documents?: Record<string, string>) => shelf(context.person, name, documents);

  test("CMD6 results are all that is on standard output; a failure is a line, and the next command", async () => {
    const done = await svc().run(["cat", "Handbook/Guides/Helo"]);
    assert.deepEqual([done.code, done.stdout], [3, ""]);
    assert.equal(
      done.stderr,
      `svc: There is no document "Helo" in "Handbook/Guides".\n     → svc ls Handbook/Guides\n`,
    );
  });

  test("CMD7 the exit code tells what kind of failure it was", async () => {
    const { world } = context;
    const reader = { SVC_TOKEN: (await world.person({ access: "read_only" })).token };
    const with_ = async (env: Record<string, string>, ...args: string[]) => (await svc().run(args, { env })).code;
    await svc().refused(3, "cat", "doc_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    await svc().refused(4, "write", "Handbook/Guides/Hello", "--text", "x", "--if-match", `sha256:${"0".repeat(64)}`);
    assert.equal(await with_({}, "cat"), 2);
    assert.match((await svc().refused(2, "nonsense")).message, /unknown command 'nonsense'/);
    assert.equal(await with_({}, "cat", "--nonsense", "x"), 2);
    assert.equal(await with_({}, "cat", "x", "--budget", "none"), 2);
    assert.equal(await with_({ SVC_TOKEN: "svc_tok_wrong" }, "kb"), 5);
    const wrong = await svc().run(["kb"], { env: { SVC_TOKEN: "svc_tok_wrong" } });
    assert.match(wrong.stderr, /SVC_TOKEN holds the token/);
    const comment = await svc().refused(3, "comments", "rm", "com_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert.deepEqual(comment.next, ["svc comments <document>"]);
    assert.equal(await with_(reader, "kb", "create", "No"), 6);
    assert.equal(await with_({ SVC_URL: "nonsense://x" }, "kb"), 2);
    assert.equal(await with_({ SVC_URL: "http://127.0.0.1:1" }, "kb"), 7);
    assert.equal(await with_({}, "--help"), 0);
  });

  test("CMD8 a document is named by its path in whatever case, its id, its URI or its page", async () => {
    const { id } = (await svc().json("ls", "handbook/GUIDES")).items[0];
    for (const address of [id, `svc://doc/${id}`, `https://svc.example.com/documents/${id}?x=1`, "kb:1/Guides/hello"])
      assert.equal((await svc().json("cat", address)).document_id, id);
    assert.equal((await svc().refused(2, "cat", "Handbook/Guides")).code, "usage");
    assert.deepEqual((await svc().refused(3, "ls", "Nobody")).next, ["svc kb", "svc kb create Nobody"]);
    const missing = await svc().refused(3, "cat", "Nobody");
    assert.deepEqual([missing.message, missing.next[0]], ['There is no document "Nobody".', "svc search Nobody"]);
    assert.match(
      (await svc().refused(3, "cat", "Nowhere/Page")).message,
      /no knowledge base "Nowhere", and no document/,
    );
  });

  test("CMD8 a slash in a name is written with a backslash; a name that two things share has to be an id", async () => {
    const made = await svc().json("new", "Handbook/this\\/that");
    assert.equal(made.title, "this/that");
    assert.ok((await svc().text("ls", "Handbook")).includes("this\\/that\n"));
    const { client } = context.person;
    const twins = await Promise.all(
      [1, 2].map(() => client.post("/documents", { title: "Twin", knowledge_base_id: 1 }).then(({ data }) => data.id)),
    );
    const refusal = await svc().refused(1, "cat", "Handbook/Twin");
    assert.equal(refusal.code, "ambiguous");
    assert.deepEqual(refusal.details.ids.sort(), twins.sort());
    await svc().json("mkdir", "Handbook/Twin");
    assert.equal((await svc().json("tree", "Handbook/Twin/")).folder.name, "Twin");
  });

  test("CMD9 knowledge bases are made, renamed and, after a word, deleted", async () => {
    const { id } = await svc().json("kb", "create", "Old name");
    assert.match((await svc().refused(1, "kb", "create", "old name")).message, /is there already/);
    assert.equal((await svc().json("kb", "rename", "old NAME", "New name")).name, "New name");
    const { knowledge_bases } = await svc().json("kb");
    assert.ok(knowledge_bases.some((one: { id: number; name: string }) => one.id === id && one.name === "New name"));
    assert.match((await svc().refused(2, "kb", "delete", "New name")).message, /--yes/);
    assert.deepEqual(await svc().json("kb", "delete", `kb:${id}`, "--yes"), { id, deleted: true });
    await svc().refused(3, "ls", `kb:${id}`);
  });

  test("RIGHT12 groups and roles in a knowledge base are set by commands", async () => {
    const { id } = await svc().json("kb", "create", "Shared");
    const group = await svc().json("groups", "create", "Writers");
    const { user } = await svc().json("whoami");
    assert.equal((await svc().json("groups", "add", group.id, user.id)).members[0].user_id, user.id);
    assert.equal((await svc().json("groups", "rename", group.id, "Authors")).name, "Authors");
    const { groups } = await svc().json("groups");
    assert.ok(groups.some((one: { id: string; name: string }) => one.id === group.id && one.name === "Authors"));
    const set = await svc().json("kb", "access", "Shared", "--default", "none", "--set", `${group.id}=editor`);
    assert.deepEqual(set, { default_role: "none", members: [], groups: [{ group_id: group.id, role: "editor" }] });
    assert.deepEqual(await svc().json("kb", "access", `kb:${id}`), set);
    const after = await svc().json("kb", "access", "Shared", "--default", "workspace", "--unset", group.id);
    assert.deepEqual(after, { default_role: null, members: [], groups: [] });
    assert.deepEqual((await svc().json("groups", "remove", group.id, user.id)).members, []);
    const off = await svc().json("kb", "settings", "Shared", "--members-may-comment", "off");
    assert.equal(off.members_may_comment, false);
    assert.match(await svc().text("kb", "settings", "Shared"), /its viewers may not comment and suggest/);
    assert.equal((await svc().json("groups", "delete", group.id)).deleted, true);
  });

  test("CMD10 ls, tree, mkdir, mv, rm and trash work like those of files", async () => {
    await shelved("Files", { One: "" });
    await svc().refused(3, "mkdir", "Files/a/b");
    await svc().json("mkdir", "-p", "Files/a/b");
    assert.equal(await svc().text("mv", "Files/One", "Files/a/"), "Files/One is now Files/a/One.\n");
    await svc().json("mv", "Files/a/One", "Files/a/b/Two");
    await svc().text("new", "Files/Zebra");
    assert.equal(
      await svc().text("mv", "Files/Zebra", "--before", "Files/a/"),
      "Files/Zebra has moved within its folder.\n",
    );
    assert.match(await svc().text("ls", "Files"), /^Zebra\na\/\n/);
    await svc().text("mv", "Files/Zebra", "--last");
    assert.match(await svc().text("ls", "Files"), /\nZebra\n$/);
    await svc().text("rm", "Files/Zebra");
    await svc().json("mv", "Files/a/b", "Files");
    assert.equal(await svc().text("tree", "Files"), "Files\n├── a/\n└── b/\n    └── Two\n");
    assert.equal(await svc().text("tree", "Files", "--depth", "1"), "Files\n├── a/\n└── b/\n");
    assert.equal(await svc().text("ls", "Files"), "a/\nb/\n");
    assert.match(await svc().text("ls", "-l", "Files/b"), /^ID +CHANGED +NAME\ndoc_\w+ +\S+Z +Two\n$/);
    assert.deepEqual((await svc().refused(2, "rm", "Files/b")).next, ["svc rm --recursive Files/b"]);
    const { trash_id } = await svc().json("rm", "-r", "Files/b");
    assert.equal(await svc().text("ls", "Files"), "a/\n");
    const [entry] = (await svc().json("trash")).trash;
    assert.deepEqual([entry.name, entry.id], ["b", trash_id]);
    assert.equal((await svc().json("trash", "restore", entry.id)).document_ids.length, 1);
    await svc().json("rm", "-r", "Files/b");
    await svc().refused(3, "trash", "restore", "nothing of that name");
    assert.equal((await svc().json("trash", "restore", "B")).document_ids.length, 1);
    assert.equal(await svc().text("ls", "Files/b"), "Two\n");
  });

  test("CMD11 cat gives Markdown: whole, with anchors, as an outline, a block, a part or an earlier version", async () => {
    const path = "Handbook/Guides/Hello";
    assert.equal(await svc().text("cat", path), BODY);
    const anchored = await svc().text("cat", "--anchors", path);
    assert.equal(anchored.match(/^<!--@block=block_\w+( #\S+)?-->$/gm)?.length, 6);
    const { items, document_id } = await svc().json("cat", "--outline", path);
    assert.equal(items[0].children[0].text, "Steps");
    assert.match(await svc().text("cat", "--outline", path), /^Hi {2}#hi {2}block_\w+\n {2}Steps {2}#steps/);
    const block = items[0].children[0].block_id;
    assert.equal(await svc().text("cat", path, "--block", block), "## Steps\n");
    assert.equal(await svc().text("cat", `svc://doc/${document_id}#block=${block}`), "## Steps\n");
    assert.equal(await svc().text("cat", path, "--section", block), "## Steps\n\nOne.\n");
    assert.match(await svc().text("cat", path, "--format", "html"), /<h1/);
    await svc().refused(3, "cat", path, "--at", "99");
  });

  test("CMD11 a budget cuts the text, and the next command leads on to its end", async () => {
    const path = "Handbook/Guides/Hello";
    const first = await svc().run(["cat", path, "--budget", "8"]);
    const cursor = /--budget 8 --cursor (\S+)\n$/.exec(first.stderr)?.[1] ?? "";
    const rest = await svc().text("cat", path, "--budget", "200000", "--cursor", cursor);
    assert.equal(`${first.stdout}\n${rest}`, BODY);
  });

  test("CMD12 new and write take a text, a file or standard input; write guards with a version", async () => {
    const file = svc().file("body.md", "From a file.\n");
    await svc().json("new", "Handbook/Written", "--file", file);
    assert.deepEqual((await svc().refused(1, "new", "Handbook/written")).next, ["svc edit Handbook/written"]);
    const { version } = await svc().json("cat", "Handbook/Written");
    const piped = await svc().run(["write", "Handbook/Written", "--if-match", version], { stdin: "From a pipe.\n" });
    assert.equal(piped.stdout, "Handbook/Written is saved: 1 block changed.\n");
    const refusal = await svc().refused(4, "write", "Handbook/Written", "--text", "No.", "--if-match", version);
    assert.equal(refusal.code, "version_conflict");
    await svc().json("write", "Handbook/Written", "--text", "Only a trial.", "--dry-run");
    assert.equal(await svc().text("cat", "Handbook/Written"), "From a pipe.\n");
    await svc().json("write", "Handbook/New/Made", "--text", "By write.", "--create");
    await svc().json("write", "Handbook/New/Made", "--text", "By write, again.", "--create");
    assert.equal(await svc().text("cat", "Handbook/New/Made"), "By write, again.\n");
    assert.match(
      (await svc().refused(1, "write", "Handbook/Written", "/no/such/file")).message,
      /\/no\/such\/file is not there/,
    );
    // A program that failed before the pipe writes nothing.
    assert.match((await svc().refused(1, "write", "Handbook/Written")).message, /Standard input is empty/);
    assert.equal(await svc().text("cat", "Handbook/Written"), "From a pipe.\n");
    for (const command of [["new"], ["write", "--create"]])
      assert.match(
        (await svc().refused(2, ...command, "Handbook/New/", "--text", "x")).message,
        /^Handbook\/New\/ names a folder/,
      );
    const marked = "<<<<<<< a\n||||||| b\n=======\n>>>>>>> c\n";
    assert.match(
      (await svc().refused(1, "write", "Handbook/Written", "--text", marked)).message,
      /unresolved conflicts/,
    );
  });

  test("CMD33 replace changes a stretch of the Markdown; one that is not clear is told with its places", async () => {
    const path = "Handbook/Replace";
    await svc().json("new", path, "--text", "# A\n\n- one\n- two\n\n# B\n\n- one");
    assert.equal((await svc().json("replace", path, "- two", "- **2**\n- three")).count, 1);
    const refused = await svc().refused(1, "replace", path, "one", "1");
    assert.equal(refused.code, "text_ambiguous");
    assert.match(refused.message, /1: - one\n {2}2: - one/);
    assert.match(refused.next[0], /--occurrence/);
    await svc().json("replace", path, "one", "1", "--section", "B");
    assert.equal((await svc().refused(1, "replace", path, "number three", "x")).code, "text_not_found");
    assert.equal((await svc().run(["cat", path])).stdout, "# A\n\n- one\n- **2**\n- three\n\n# B\n\n- 1\n");
    await svc().json("append", path, "--section", "A", "--text", "- four");
    assert.match((await svc().run(["cat", path])).stdout, /- three\n- four\n/);
  });

  test("CMD34 changes tells what changed below a path; move-section takes a section along", async () => {
    await svc().json("new", "Handbook/Moves", "--text", "# A\n\none\n\n# B\n\ntwo");
    await svc().json("new", "Handbook/Target", "--text", "# T");
    await svc().json("replace", "Handbook/Moves", "one", "1");
    const changed = await svc().text("changes", "Handbook/Moves", "--since", "1d");
    assert.match(changed, /^=== Handbook \/ Moves\n[\s\S]*@@ A\n\+1\n/);
    assert.match(await svc().text("changes", "--since", "my last visit"), /begins now/);
    await svc().json("replace", "Handbook/Moves", "two", "2");
    assert.match(await svc().text("changes", "--since", "my last visit"), /^=== Handbook \/ Moves\n@@ B\n-two\n\+2\n$/);
    assert.match(await svc().text("changes", "--since", "my last visit"), /^Nothing changed/);
    const { moved_block_ids } = await svc().json("move-section", "Handbook/Moves", "## a", "Handbook/Target");
    assert.equal(moved_block_ids.length, 2);
    assert.match(await svc().text("cat", "Handbook/Target"), /# T\n\n# A\n\n1/);
    assert.equal(
      (await svc().refused(1, "move-section", "Handbook/Moves", "C", "Handbook/Target")).code,
      "heading_not_found",
    );
  });

  test("CMD35 a section by its heading, an overview with summaries, a document by 8 characters", async () => {
    await shelved("Overview", { One: "First line.\n\n# A\n\nin a\n\n# B\n\nin b", Two: "Second line." });
    assert.equal(await svc().text("cat", "Overview/One", "--section", "## a"), "# A\n\nin a\n");
    const none = await svc().refused(1, "cat", "Overview/One", "--section", "c");
    assert.equal(none.message, 'There is no heading "c" in Overview/One. There are: A, B.');
    assert.match((await svc().refused(1, "cat", "Overview/Two", "--section", "c")).message, /It has no headings\.$/);
    const overview = await svc().text("ls", "Overview", "--summaries");
    assert.match(overview, /^One: First line\.$/m);
    assert.match(overview, /^Two: Second line\.$/m);
    const { hits } = await svc().json("search", "second line nowhere", "--in", "Overview/Two");
    assert.equal(hits.length, 1);
    const id = hits[0].document_id.slice(-8);
    assert.match(await svc().text("cat", id), /Second line/);
    assert.equal((await svc().run(["ls", "--summaries"])).code, 2);
    await shelved("Second", { Two: "Another.", Alone: "By its title." });
    assert.match(await svc().text("cat", "alone"), /By its title/);
    assert.equal((await svc().refused(1, "cat", "Two")).code, "ambiguous");
    assert.equal((await svc().refused(3, "cat", "Nobody wrote this")).code, "not_found");
  });

  test("CMD39 the first 8 digits of a version and the last 8 characters of a block's id stand for them", async () => {
    const path = "Short/Page";
    await shelved("Short", { Page: "# A\n\none\n\n# B\n\ntwo", Other: "here" });
    const { items } = await svc().json("cat", path, "--outline");
    const short = async () => (await svc().json("cat", path)).version.slice("sha256:".length, "sha256:".length + 8);
    const before = await short();
    await svc().json("append", path, "--after-block", items[0].block_id.slice(-8), "--text", "x", "--if-match", before);
    const stale = await svc().refused(4, "write", path, "--text", "no", "--if-match", before);
    assert.equal(stale.code, "version_conflict");
    await svc().json("replace", path, "two", "2", "--if-match", await short());
    assert.equal(await svc().text("cat", path, "--block", items[1].block_id.slice(-8)), "# B\n");
    const moved = ["move-section", path, items[1].block_id.slice(-8), "Short/Other", "--if-match", await short()];
    assert.equal((await svc().json(...moved)).moved_block_ids.length, 2);
    await svc().json("write", path, "--text", "last", "--if-match", await short());
  });

  test("CMD13 append adds at the end, below a heading, at the end of its section, or beside a block", async () => {
    const path = "Adding/Page";
    await shelved("Adding", { Page: "# A\n\nin a\n\n# B\n\nin b" });
    await svc().json("append", path, "--text", "end");
    const { blocks } = await svc().json("append", path, "--after-heading", " a", "--text", "below a");
    await svc().json("append", path, "--section", "a", "--text", "last of a");
    await svc().json("append", path, "--before-block", blocks[0].id, "--text", "before");
    await svc().json("append", path, "--start", "--text", "first");
    const lines = (await svc().text("cat", path)).split("\n").filter(Boolean);
    assert.deepEqual(lines, ["first", "# A", "before", "below a", "in a", "last of a", "# B", "in b", "end"]);
    assert.equal(
      (await svc().refused(1, "append", path, "--after-heading", "C", "--text", "x")).code,
      "heading_not_found",
    );
    const refused = await svc().refused(1, "append", path, "--section", "C", "--text", "x");
    assert.equal(refused.code, "heading_not_found");
    assert.deepEqual(refused.details.headings, ["A", "B"]);
    assert.equal((await svc().run(["append", path, "--start", "--section", "A", "--text", "x"])).code, 2);
    await svc().refused(2, "append", path, "--text", " ");
  });

  test("CMD14 VER10 history, diff, rollback and `cat --at` walk through the versions", async () => {
    const path = "Past/Page";
    await shelved("Past", { Page: "one\n\nsame" });
    assert.match((await svc().refused(1, "diff", path)).message, /no earlier version/);
    await svc().json("write", path, "--text", "two\n\nsame");
    await svc().json("write", path, "--text", "three\n\nsame");
    assert.deepEqual(
      (await svc().json("history", path)).versions.map((one: { seq: number }) => one.seq),
      [2, 1],
    );
    assert.equal(
      await svc().text("diff", path, "1"),
      `--- ${path} (version 1)\n+++ ${path} (now)\n@@ -1,3 +1,3 @@\n-one\n+three\n \n same\n`,
    );
    assert.match((await svc().json("diff", path, "1", "2")).unified, /^-one\n\+two$/m);
    await svc().json("rollback", path, "1", "--dry-run");
    assert.match(await svc().text("rollback", path, "1"), /is as it was in version 1 again: 1 block changed/);
    assert.equal(await svc().text("cat", path), "one\n\nsame\n");
    assert.equal(await svc().text("cat", path, "--at", "2"), "two\n\nsame\n");
    assert.match(JSON.stringify(await svc().refused(3, "rollback", path, "99")), /svc history/);
  });

  test("PROP6 properties are shown, changed, filtered by, and read with the text", async () => {
    await shelved("Books", { Emma: "A novel about a heron.", Lists: "A heron." });
    const path = "Books/Emma";
    await svc().json("properties", path, "--set", "status=done", "--set", "tags=[novel, old]");
    assert.equal(await svc().text("properties", path), 'status: done\ntags: ["novel","old"]\n');
    assert.match(await svc().text("cat", path, "--front-matter"), /^---\nstatus: done\ntags:[\s\S]+\n---\nA novel/);
    const hits = (await svc().json("search", "heron", "--in", "Books", "--property", "status=done")).hits;
    assert.deepEqual(
      hits.map((hit: { title: string }) => hit.title),
      ["Emma"],
    );
    await svc().json("properties", path, "--unset", "tags");
    assert.deepEqual((await svc().json("properties", path)).properties, { status: "done" });
  });

  test("CMD15 search shows where the words are, and tells when there is more", async () => {
    await shelved("Elsewhere", { One: "a zebra there", Two: "a zebra there" });
    assert.equal((await svc().json("search", "zebra", "--all")).hits.length, 2);
    assert.equal((await svc().json("search", "zebra", "--in", "Handbook")).hits.length, 0);
    const one = await svc().run(["search", "zebra", "there", "--limit", "1"]);
    assert.match(one.stdout, /^Elsewhere \/ One\n {4}a zebra there\n {4}svc:\/\/doc\/doc_\w+#block=block_\w+\n$/);
    assert.equal(one.stderr, "1 of 2 shown\n     → add --limit 2 or --all\n");
    await shelved("Long", { Three: `A **gnu**, ${"and so on, ".repeat(60)}to the end.` });
    const whole = await svc().run(["search", "gnu", "--blocks"]);
    assert.match(whole.stdout, /\n {4}A \*\*gnu\*\*, (?:and so on, ){60}to the end\.\n/);
    assert.equal((await svc().json("search", "zebra -there")).hits.length, 0);
    assert.match((await svc().refused(1, "search", "!!!")).message, /^query\.q: must contain a word to look for$/);
  });

  test("CMD16 watch prints events as lines, those of one document or knowledge base if asked", async () => {
    await shelved("Watching", { Watched: "" });
    const { id } = (await svc().json("ls", "Watching")).items[0];
    const { child, finished } = svc().start(["watch", "--json", "--document", id, "--count", "2"]);
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    await until(() => (said.includes("Watching") ? said : undefined), "the stream");
    await shelved("Not watched", { Other: "" });
    await svc().json("append", id, "--text", "more");
    await svc().json("rm", id);
    const done = await finished;
    assert.equal(done.code, 0, done.stderr);
    const events = done.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.map(({ type, document_id }) => [type, document_id]),
      [
        ["document.content.updated", id],
        ["document.deleted", id],
      ],
    );
    const endless = svc().start(["watch", "--since", "0"]);
    endless.child.stdout?.once("data", () => endless.child.kill("SIGINT"));
    assert.equal((await endless.finished).code, 130);
    const again = await svc().text("watch", "--since", String(events[0].event_id), "--count", "1");
    assert.match(again, new RegExp(`^\\S+Z {2}${events[1].event_id} {2}deleted {2}${id} {2}Watched\n$`));
  });

  test("CMD17 a knowledge base goes into an archive and comes back; nothing is overwritten unasked", async () => {
    await svc().json("kb", "create", "Carried");
    await svc().json("new", "Carried/In/Box", "-p", "--text", "Carried words.");
    const { file, size } = await svc().json("export", "Carried");
    assert.equal(file, "Carried.zip");
    assert.equal(readFileSync(join(svc().home, file)).length, size);
    assert.match((await svc().refused(2, "export", "Carried")).message, /--force/);
    assert.equal((await svc().refused(1, "export", "Carried", "/no/such/x.zip")).message, "/no/such is not there.");
    const piped = await svc().run(["export", "Carried", "-"]);
    assert.ok(piped.stdout.startsWith("PK"));
    const job = await svc().json("import", file, "--name", "Landed");
    assert.deepEqual([job.status, job.documents, job.folders], ["succeeded", 1, 1]);
    assert.equal(await svc().text("cat", "Landed/In/Box"), "Carried words.\n");
    const vault = join(svc().home, "Vault");
    for (const folder of [".obsidian", "Notes"]) mkdirSync(join(vault, folder), { recursive: true });
    writeFileSync(join(vault, ".obsidian/app.json"), "{}");
    writeFileSync(join(vault, "Start.md"), "[[Üben]]\n");
    writeFileSync(join(vault, "Notes/Üben.md"), "Daily.\n");
    writeFileSync(
      Buffer.concat([Buffer.from(join(vault, "Caf")), Buffer.of(0xe9), Buffer.from(".md")]),
      "Latin name.\n",
    );
    symlinkSync("Start.md", join(vault, "Link.md"));
    const { stdout, stderr } = await svc().run(["import", vault, "--json"]);
    const folder = JSON.parse(stdout);
    assert.match(
      stderr,
      /^Caf\uFFFD\.md: left out, as its name is not UTF-8\.\nLink\.md: left out, as it is a link\.$/m,
    );
    assert.deepEqual([folder.format, folder.documents, folder.links_resolved], ["obsidian", 2, 1]);
    assert.equal(await svc().text("cat", "Vault/Notes/Üben"), "Daily.\n");
    const broken = svc().file("broken.zip", "no archive");
    assert.notEqual((await svc().run(["import", broken])).code, 0);
    await svc().refused(1, "import", "/no/such.zip");
  });

  test("CMD18 files are attached, listed and fetched again, byte for byte", async () => {
    const path = "Handbook/Guides/Hello";
    const text = "bytes ".repeat(10_000);
    const { attachments } = await svc().json("upload", path, svc().file("a.txt", text), svc().file("b [1].txt", "b"));
    assert.deepEqual(
      attachments.map((one: { file_name: string }) => one.file_name),
      ["a.txt", "b [1].txt"],
    );
    assert.match(
      await svc().text("upload", path, svc().file("c.txt", "c")),
      /^att_\w+ {2}\[c\.txt\]\(\S+ "attachment"\)\n$/,
    );
    const [{ id }] = attachments;
    assert.equal((await svc().json("attachments", path)).attachments.length, 3);
    await svc().json("attachments", "rm", id);
    assert.equal((await svc().json("attachments", path)).attachments.length, 2);
    assert.equal((await svc().json("attachments", "restore", id)).file_name, "a.txt");
    assert.equal((await svc().run(["download", id, "-"])).stdout, text);
    mkdirSync(join(svc().home, "folder"));
    assert.equal((await svc().json("download", `/api/v1/attachments/${id}`, "folder")).file, "folder/a.txt");
    assert.equal(readFileSync(join(svc().home, "folder/a.txt"), "utf8"), text);
    assert.match((await svc().refused(2, "download", id, "folder")).message, /is there already/);
    await svc().refused(2, "download", "nonsense");
    assert.equal((await svc().refused(2, "upload", path, "folder")).message, "folder is not a file.");
    await svc().refused(3, "download", "att_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert.ok(!existsSync(join(svc().home, "a.txt.part")));
  });

  test("CMD19 concepts are made, found and decided upon", async () => {
    await shelved("Zoo", { Penguin: "swims", Otter: "swims" });
    const { id } = await svc().json(
      "concepts",
      "create",
      "Zoo",
      "Animal",
      "--alias",
      "beast",
      "--document",
      "Zoo/Otter",
    );
    assert.match(await svc().text("concepts", "show", "Beast"), /^Animal/);
    await svc().refused(3, "concepts", "show", "Plant");
    assert.match(await svc().text("concepts", "show", id), /^Animal {2}svc:\/\/concept\/\S+\nalso {6}beast\n/);
    assert.equal((await svc().json("concepts", "extract", "Zoo")).created, 2);
    const { candidates } = await svc().json("concepts", "candidates", "Zoo");
    const named = (name: string) => candidates.find((one: { name: string }) => one.name === name).id;
    assert.equal((await svc().json("concepts", "accept", named("Penguin"))).status, "accepted");
    assert.equal((await svc().json("concepts", "reject", "otter")).status, "rejected");
    assert.equal((await svc().json("concepts", "reopen", "Otter")).status, "pending");
    assert.match(
      await svc().text("concepts", "candidates", "Zoo"),
      new RegExp(`^${named("Otter").slice(-8)} +Otter`, "m"),
    );
    assert.equal((await svc().json("concepts", "reject", named("Otter").slice(-8))).status, "rejected");
    await svc().refused(3, "concepts", "reject", "Unicorn");
    assert.match(await svc().text("concepts", "show", id.slice(-8)), /^Animal/);
    await svc().refused(3, "concepts", "accept", "cand_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    const { concepts } = await svc().json("concepts", "Zoo");
    assert.deepEqual(concepts.map((one: { name: string }) => one.name).sort(), ["Animal", "Penguin"]);
    assert.equal((await svc().json("concepts", "Zoo", "--matching", "beast")).concepts[0].id, id);
  });
});

describe("svc at a server without a trash", () => {
  const context = withTerminal({ SVC_TRASH_RETENTION_DAYS: "0" });

  test("CMD10 rm does not promise what is not kept", async () => {
    await shelf(context.person, "Files", { One: "", Two: "" });
    const done = await context.terminal.run(["rm", "Files/One"]);
    assert.equal(done.stdout, "Files/One is gone for good: this server keeps no trash.\n");
    assert.equal(done.stderr, "");
    assert.equal((await context.terminal.json("rm", "Files/Two")).trash_id, null);
  });
});
