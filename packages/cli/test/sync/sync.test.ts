import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { type Client, createClient, listAll, updateMarkdown } from "@svc/sdk";
import { World } from "../../../server/test/support/world.ts";
import { ChangedMeanwhile, FolderDisk } from "../../src/sync/disk.ts";
import { type SyncOptions, syncFolder } from "../../src/sync/sync-folder.ts";
import { watchFolder } from "../../src/sync/watch-folder.ts";

describe("sync", () => {
  const world = new World("sqlite", {});
  const work = mkdtempSync(join(tmpdir(), "svc-sync-"));
  let connection = { baseUrl: "", token: "" };
  let client: Client;
  let kb = 0;
  let root = "";

  before(() => world.start());
  after(async () => {
    await world.stop();
    rmSync(work, { recursive: true });
  });
  beforeEach(async () => {
    const { token } = await world.person();
    connection = { baseUrl: world.url, token };
    client = createClient(connection);
    kb = (await client.post("/knowledge-bases", { body: { name: "Notes" } })).data.id;
    root = mkdtempSync(join(work, "folder-"));
  });

  const sync = async (options: Partial<SyncOptions> = {}) => {
    const { actions, problems } = await syncFolder({
      ...{ client, directory: root, knowledgeBase: kb, lookAgainMs: 0 },
      ...options,
    });
    return { actions: actions.map(({ action, path }) => `${action} ${path}`), problems };
  };
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const plain = (text: string) => text.replace(/<!--.*?-->\n/g, "");
  const files = () => globSync("**/*.md", { cwd: root }).sort();
  const documents = () => Array.fromAsync(listAll(client, "/documents", { query: { knowledge_base_id: kb } }));
  const create = async (title: string, content: string, folder_id: number | null = null) => {
    const body = { title, knowledge_base_id: kb, folder_id, content: { format: "markdown", content } as const };
    return (await client.post("/documents", { body })).data.id;
  };
  const folder = async (name: string, parent_id: number | null = null) =>
    (await client.post("/folders", { body: { name, knowledge_base_id: kb, parent_id } })).data.id;

  test("SYNC18 an index page is the file index.md of its folder, whichever side makes it", async () => {
    write("Guides/index.md", "From here.\n");
    write("Guides/First.md", "One.\n");
    assert.deepEqual((await sync()).problems, []);
    const { data: tree } = await client.get("/knowledge-bases/{id}/tree", { path: { id: kb } });
    const [folder] = tree.children;
    assert.ok(folder?.type === "folder" && folder.name === "Guides");
    const page = (await documents()).find(({ id }) => id === folder.index_document_id);
    assert.equal(page?.title, "Guides");
    assert.deepEqual((await sync()).actions, [], "and that is all");
    const made = await client.post("/documents", { body: { title: "Top", knowledge_base_id: kb } });
    await sync();
    assert.deepEqual(files(), ["Guides/First.md", "Guides/index.md", "Top.md"]);
    await client.post("/documents/{id}/subpages", { path: { id: made.data.id }, body: { title: "Below" } });
    assert.deepEqual((await sync()).problems, []);
    assert.deepEqual(files(), ["Guides/First.md", "Guides/index.md", "Top/Below.md", "Top/index.md"]);
    await client.patch("/documents/{id}", { path: { id: page.id }, body: { title: "Manuals" } });
    assert.deepEqual((await sync()).problems, []);
    assert.deepEqual(files(), ["Manuals/First.md", "Manuals/index.md", "Top/Below.md", "Top/index.md"]);
    assert.deepEqual((await sync()).actions, []);
    assert.equal(plain(read("Manuals/index.md")), "From here.\n");
  });

  test("SYNC1 what is new on one side comes to the other, folders included", async () => {
    await create("Remote", "From there.\n", await folder("Inner", await folder("Outer")));
    await folder("Empty");
    write("Mine/Local.md", "From here.");
    mkdirSync(join(root, "Bare"));
    await sync();
    assert.deepEqual(files(), ["Mine/Local.md", "Outer/Inner/Remote.md"]);
    assert.equal(plain(read("Outer/Inner/Remote.md")), "From there.\n");
    assert.ok(existsSync(join(root, "Empty")));
    const { data } = await client.get("/knowledge-bases/{id}/tree", { path: { id: kb } });
    const names = data.children.map((item) => (item.type === "folder" ? item.name : item.title));
    assert.deepEqual(names, ["Bare", "Empty", "Mine", "Outer"]);
    assert.deepEqual(await sync(), { actions: [], problems: [] });
  });

  test("SYNC2 an edit of either side reaches the other, and blocks keep their ids", async () => {
    const id = await create("Note", "One.\n\nTwo.\n");
    await sync();
    const blocks = async () =>
      (await Array.fromAsync(listAll(client, "/documents/{id}/blocks", { path: { id } }))).map((b) => b.id);
    const before = await blocks();
    write("Note.md", `${read("Note.md").replace("Two.", "Two, changed.")}\nThree.\n`);
    assert.deepEqual((await sync()).actions, ["push Note.md"]);
    assert.deepEqual((await blocks()).slice(0, 2), before);
    assert.match(read("Note.md"), /changed\.\n\nThree\.\n$/, "a file that was sent stays as it is");
    await updateMarkdown(client, id, (text) => text.replace("One.", "One, changed."));
    assert.deepEqual((await sync()).actions, ["pull Note.md"]);
    assert.equal(plain(read("Note.md")), "One, changed.\n\nTwo, changed.\n\nThree.\n");
  });

  test("SYNC13 a fresh clone stays clean: no file is written whose document did not change, and git sees no state", async () => {
    const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
    git("init", "-q");
    write("README.md", "---\n# mine\ntitle: 'A'\ntags: [ a,b ]\n---\n\nTitle\n=====\n\n* one\n* [two](docs/Two.md)\n");
    write("docs/Two.md", "Back to [[README|home]], __bold__\\\nand <div>raw\n</div> needle.\r\n");
    git("add", "-A");
    await sync();
    assert.deepEqual(await sync(), { actions: [], problems: [] });
    assert.equal(git("status", "--porcelain"), "A  README.md\nA  docs/Two.md\n");
    const found = spawnSync("grep", ["-rl", "needle", "."], { cwd: root, encoding: "utf8" }).stdout;
    assert.equal(found, "./docs/Two.md\n");
  });

  test("SYNC13 front matter goes both ways: as it was written, and when only it has changed", async () => {
    const text = "---\nstatus: 'open' # mine\n---\nText.\n";
    write("Note.md", text);
    await sync();
    const { id, properties } = defined((await documents())[0]);
    assert.deepEqual(properties, { status: "open" });
    const path = { id };
    await client.put("/documents/{id}/properties", {
      path,
      ifMatch: "*",
      body: { properties: { status: "open", n: 1 } },
    });
    assert.deepEqual((await sync()).actions, ["pull Note.md"]);
    assert.equal(read("Note.md"), text.replace("mine\n", "mine\nn: 1\n"));
    write("Note.md", "Text.\n");
    assert.deepEqual((await sync()).actions, ["push Note.md"]);
    assert.deepEqual((await client.get("/documents/{id}/properties", { path })).data.properties, {});
    write("Note.md", "---\na: [1\n---\nText.\n");
    const { problems } = await sync();
    assert.equal(problems.length, 1, "what the service refuses is told, and the file stays");
    assert.equal(read("Note.md"), "---\na: [1\n---\nText.\n");
  });

  test("SYNC2 a run asks only about what events name", async () => {
    for (const title of ["A", "B", "C"]) await create(title, title);
    const id = await create("D", "D");
    await sync();
    await updateMarkdown(client, id, () => "Other.");
    const asked: string[] = [];
    const spying = {
      ...client,
      get: ((path: string, options: { path?: { id?: string } }) => {
        asked.push(path.replace("{id}", String(options?.path?.id)));
        return client.get(path as never, options as never);
      }) as Client["get"],
    };
    await sync({ client: spying });
    const aboutDocuments = asked.filter((path) => path.startsWith("/documents"));
    assert.ok(aboutDocuments.length > 0 && aboutDocuments.every((path) => path.includes(id)), asked.join(" "));
  });

  test("SYNC3 renames and moves are followed on both sides, with the edits made meanwhile", async () => {
    const outer = await folder("Outer");
    const [a, b] = [await create("A", "Text of A.", outer), await create("B", "Text of B.")];
    await sync();
    renameSync(join(root, "Outer/A.md"), join(root, "Renamed.md"));
    write("Renamed.md", `${read("Renamed.md")}\nMore.\n`);
    await client.patch("/documents/{id}", { path: { id: b }, body: { title: "B/2: why?", folder_id: outer } });
    await sync();
    assert.deepEqual(files(), ["Outer/B_2_ why_.md", "Renamed.md"]);
    const { data } = await client.get("/documents/{id}", { path: { id: a } });
    assert.deepEqual([data.title, data.folder_id], ["Renamed", null]);
    assert.equal((await documents()).length, 2);
  });

  test("SYNC3 a renamed directory stays the same folder, and a renamed folder the same directory", async () => {
    const [one, two] = [await folder("One"), await folder("Two")];
    const ids = [await create("In one", "1", one), await create("In two", "2", two)];
    await sync();
    renameSync(join(root, "One"), join(root, "Uno"));
    await client.patch("/folders/{id}", { path: { id: two }, body: { name: "Dos" } });
    await sync();
    assert.deepEqual(files(), ["Dos/In two.md", "Uno/In one.md"]);
    assert.equal((await client.get("/folders/{id}", { path: { id: one } })).data.name, "Uno");
    assert.deepEqual((await documents()).map(({ id }) => id).sort(), ids.sort());
  });

  test("SYNC3 a name that changes in its case alone is followed, both ways", async () => {
    write("docs/In.md", "Text.");
    await sync();
    renameSync(join(root, "docs"), join(root, "Docs"));
    assert.deepEqual((await sync()).actions, ["move_folder Docs"]);
    const [item] = (await client.get("/knowledge-bases/{id}/tree", { path: { id: kb } })).data.children;
    assert.ok(item?.type === "folder");
    const { id, name } = item;
    assert.equal(name, "Docs");
    await client.patch("/folders/{id}", { path: { id }, body: { name: "DOCS" } });
    assert.deepEqual((await sync()).actions, ["move_directory DOCS"]);
    assert.deepEqual(files(), ["DOCS/In.md"]);
    assert.deepEqual((await sync()).actions, []);
  });

  test("SYNC4 edits of different paragraphs are merged", async () => {
    const id = await create("Note", "One.\n\nTwo.\n\nThree.");
    await sync();
    write("Note.md", read("Note.md").replace("One.", "One, here."));
    await updateMarkdown(client, id, (text) => text.replace("Three.", "Three, there."));
    assert.deepEqual((await sync()).actions, ["merge Note.md"]);
    assert.equal(plain(read("Note.md")), "One, here.\n\nTwo.\n\nThree, there.\n");
  });

  test("SYNC5 a conflict keeps the local text in a file beside, which is never sent", async () => {
    const id = await create("Note", "Old.\n");
    await sync();
    write("Note.md", read("Note.md").replace("Old.", "Mine."));
    await updateMarkdown(client, id, (text) => text.replace("Old.", "Theirs."));
    const { actions } = await sync();
    const { data } = await client.get("/documents/{id}", { path: { id } });
    const copy = `Note.conflict-${data.version.slice(7, 19)}.md`;
    assert.deepEqual(actions, [`conflict ${copy}`]);
    assert.deepEqual([plain(read("Note.md")), plain(read(copy))], ["Theirs.\n", "Mine.\n"]);
    assert.deepEqual((await sync()).actions, []);
    assert.equal((await documents()).length, 1);
  });

  test("SYNC5 the same name on both sides at the first time: equal texts are one, others are kept both", async () => {
    await create("Equal", "Same words.");
    await create("Unequal", "Their words.");
    write("Equal.md", "Same words.");
    write("Unequal.md", "My words.");
    await sync();
    const [copy] = files().filter((path) => path.includes(".conflict-"));
    assert.deepEqual([files().length, plain(read(defined(copy)))], [3, "My words."]);
    assert.equal((await documents()).length, 2);
  });

  test("SYNC6 a deletion reaches the other side; what was changed there stays", async () => {
    const ids = new Map<string, string>();
    for (const title of ["A", "B", "C", "D"]) ids.set(title, await create(title, `Text of ${title}.`));
    await sync();
    rmSync(join(root, "A.md"));
    rmSync(join(root, "B.md"));
    await updateMarkdown(client, defined(ids.get("B")), (text) => `${text}\n\nNew.`);
    await client.delete("/documents/{id}", { path: { id: defined(ids.get("C")) } });
    await client.delete("/documents/{id}", { path: { id: defined(ids.get("D")) } });
    write("D.md", `${read("D.md")}\nNew.\n`);
    await sync();
    assert.deepEqual(files(), ["B.md", "D.md"]);
    assert.deepEqual((await documents()).map(({ title }) => title).sort(), ["B", "D"]);
    assert.match(read("D.md"), /New\./);
  });

  test("SYNC6 what a program empties or takes away before it saves is no deletion", async () => {
    write("Emptied.md", "# Old\n\nFirst.\n\nSecond.");
    write("Taken.md", "# Other\n\nThird.\n\nFourth.");
    await sync();
    const before = (await documents()).map(({ id, title }) => `${title} ${id}`);
    write("Emptied.md", "");
    rmSync(join(root, "Taken.md"));
    let looks = 0;
    const disk = new (class extends FolderDisk {
      override scan() {
        if (++looks === 2) write("Emptied.md", "# Old\n\nFirst, saved.\n\nSecond.");
        if (looks === 2) write("Taken.md", "# Other\n\nThird, saved.\n\nFourth.");
        return super.scan();
      }
    })(root);
    assert.deepEqual((await sync({ disk })).actions, ["push Emptied.md", "push Taken.md"]);
    assert.deepEqual(
      (await documents()).map(({ id, title }) => `${title} ${id}`),
      before,
    );
  });

  test("SYNC6 a spreadsheet that is deleted there and changed here is made again as one", async () => {
    const body = { title: "Sums", knowledge_base_id: kb, document_type: "spreadsheet" } as const;
    const content = { format: "markdown", content: "| a |\n| - |\n| 1 |\n" } as const;
    const { data } = await client.post("/documents", { body: { ...body, content } });
    await sync();
    await client.delete("/documents/{id}", { path: { id: data.id } });
    write("Sums.md", "| a |\n| - |\n| 2 |\n");
    assert.deepEqual((await sync()).actions, ["create_document Sums.md"]);
    const [again] = await documents();
    assert.deepEqual([again?.title, again?.document_type], ["Sums", "spreadsheet"]);
  });

  test("SYNC6 a deleted directory takes its folder along, unless something in it is new", async () => {
    const [gone, kept] = [await folder("Gone"), await folder("Kept")];
    await create("In gone", "1", gone);
    await create("In kept", "2", kept);
    await sync();
    rmSync(join(root, "Gone"), { recursive: true });
    rmSync(join(root, "Kept"), { recursive: true });
    await create("New", "3", kept);
    await sync();
    assert.deepEqual(files(), ["Kept/New.md"]);
    const { data } = await client.get("/knowledge-bases/{id}/tree", { path: { id: kb } });
    assert.equal(data.children.length, 1);
  });

  test("SYNC7 deleting most of it needs a word", async () => {
    for (let n = 0; n < 12; n++) await create(`Note ${n}`, "Text.");
    await sync();
    for (const path of files()) rmSync(join(root, path));
    await assert.rejects(sync(), /would delete 12 of 12 documents/);
    assert.equal((await documents()).length, 12);
    await sync({ allowDeletions: true });
    assert.equal((await documents()).length, 0);
  });

  test("SYNC7 a folder stays with its knowledge base and service", async () => {
    await sync();
    const other = (await client.post("/knowledge-bases", { body: { name: "Other" } })).data.id;
    await assert.rejects(sync({ knowledgeBase: other }), /belongs to the knowledge base/);
    await assert.rejects(sync({ client: { ...client, baseUrl: "http://elsewhere" } }), /belongs to http/);
    await assert.rejects(syncFolder({ client, directory: join(work, "never") }), /which knowledge base/);
    await sync({ knowledgeBase: undefined });
  });

  test("SYNC8 links are not followed, and no path leads out", async () => {
    const outside = mkdtempSync(join(work, "outside-"));
    writeFileSync(join(outside, "Secret.md"), "Secret.");
    symlinkSync(outside, join(root, "Linked"));
    symlinkSync(join(outside, "Secret.md"), join(root, "Link.md"));
    await create("In linked", "Text.", await folder("Linked"));
    await create("../../escape", "Text.");
    const { problems } = await sync();
    assert.deepEqual(
      problems.map(({ path }) => path),
      ["Link.md", "Linked"],
    );
    assert.deepEqual(readdirSync(outside), ["Secret.md"]);
    assert.deepEqual((await documents()).length, 2);
    assert.ok(files().includes("_._.._escape.md"));
    const disk = new FolderDisk(root);
    for (const path of ["../x.md", "/x.md", "a/../../x.md", "Linked/x.md"])
      await assert.rejects(disk.write(path, "x", undefined), /not a path inside|leads through a link/, path);
  });

  test("SYNC8 hidden files, other files and files that are no text are left alone", async () => {
    const id = await create("Note", "Text.");
    await sync();
    write(".hidden/Secret.md", "x");
    write("Pictures/photo.png", "x");
    writeFileSync(join(root, "Note.md"), Buffer.from([0xff, 0xfe, 0x00]));
    const { actions, problems } = await sync();
    assert.deepEqual(actions, []);
    assert.match(defined(problems[0]).message, /not UTF-8/);
    assert.equal((await client.get("/documents/{id}", { path: { id } })).data.title, "Note");
  });

  test("SYNC8 what may not be opened or has no name is told, and neither stops the others nor counts as deleted", async () => {
    write("Shut/Below.md", "Below.");
    write("Shut/Empty/Gone.md", "Gone.");
    await sync();
    rmSync(join(root, "Shut/Empty/Gone.md"));
    await sync();
    write("Fine.md", "Fine.");
    mkdirSync(Buffer.concat([Buffer.from(`${root}/no name `), Buffer.from([0xff])]));
    const disk = new (class extends FolderDisk {
      // The tests may run as somebody who may open everything.
      override async scan() {
        const found = await super.scan();
        const isOpen = (path: string) => !path.startsWith("Shut/");
        const directories = new Map([...found.directories].filter(([path]) => isOpen(path)));
        return { ...found, directories, files: found.files.filter(isOpen), closed: ["Shut"] };
      }
      override async read(path: string) {
        if (path === "Fine.md") throw Object.assign(new Error("may not be opened"), { code: "EACCES" });
        return super.read(path);
      }
    })(root);
    const { problems } = await sync({ disk });
    assert.deepEqual(
      problems.map(({ path }) => path),
      ["Shut", "no name \uFFFD", "Fine.md"],
    );
    assert.equal((await documents()).length, 1);
    assert.deepEqual((await sync()).actions, ["create_document Fine.md"]);
    const { data } = await client.get("/knowledge-bases/{id}", { path: { id: kb } });
    assert.equal(data.folder_count, 2);
  });

  test("SYNC9 copied text and copied files bring no foreign blocks along", async () => {
    await create("A", "One.\n");
    await sync();
    write("Copy.md", read("A.md"));
    write("A.md", `${read("A.md")}\n${read("A.md")}`);
    assert.deepEqual((await sync()).problems, []);
    assert.equal(plain(read("A.md")), "One.\n\nOne.\n");
    assert.equal(plain(read("Copy.md")), "One.\n");
    assert.notEqual(read("Copy.md"), read("A.md"));
    assert.equal((await documents()).length, 2);
  });

  test("SYNC9 one file that the service refuses does not stop the others", async () => {
    write("Too long.md", "x".repeat(2_000_001));
    write("Fine.md", "Fine.");
    const { problems } = await sync();
    assert.deepEqual(
      problems.map(({ path }) => path),
      ["Too long.md"],
    );
    assert.deepEqual(
      (await documents()).map(({ title }) => title),
      ["Fine"],
    );
  });

  test("SYNC11 two runs in one folder do not meet, and a killed one does not block the next", async () => {
    await sync();
    const lock = (text: string) => writeFileSync(join(root, ".svc-sync/lock"), text);
    const start = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[19];
    for (const held of [`${process.pid} ${start}`, String(process.ppid)]) {
      lock(held);
      await assert.rejects(sync(), /Another svc sync \(process \d+\) is at work/);
    }
    // In a container that is started again the new process mostly has the number of the killed one.
    for (const left of ["999999999", `${process.pid} 1`, String(process.pid), ""]) {
      lock(left);
      await sync();
    }
  });

  test("SYNC12 watching outlives directories that come and go, and what it holds ends with it", async () => {
    let looks = 0;
    const disk = new (class extends FolderDisk {
      override scan() {
        if (++looks === 3) throw new ChangedMeanwhile("Directories come and go.");
        if (looks === 6) throw new Error("Something else.");
        return super.scan();
      }
    })(root);
    const troubles: string[] = [];
    const onTrouble = ({ message }: Error) => void troubles.push(message);
    const signal = new AbortController().signal;
    let ended = false;
    const watched = createClient({
      ...connection,
      fetch: (input, init) => {
        if (String(input).includes("/events")) init?.signal?.addEventListener("abort", () => (ended = true));
        return fetch(input, init);
      },
    });
    const options = { client: watched, directory: root, knowledgeBase: kb, signal, settleMs: 10, everyMs: 30 };
    await assert.rejects(watchFolder({ ...options, disk, onTrouble, onRun: () => {} }), /Something else/);
    assert.deepEqual(troubles, ["Directories come and go."]);
    assert.ok(ended, "the stream of events is left open");
  });

  test("SYNC12 watching follows both sides until it is ended", async () => {
    const stop = new AbortController();
    const watching = watchFolder({
      client,
      directory: root,
      knowledgeBase: kb,
      signal: stop.signal,
      settleMs: 20,
      onRun: () => {},
      onTrouble: () => {},
    });
    const until = async (holds: () => Promise<boolean> | boolean) => {
      for (const end = Date.now() + 120_000; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 50)))
        assert.ok(Date.now() < end, "waited in vain");
    };
    await until(() => existsSync(join(root, ".svc-sync/state/settings.state")));
    await create("Remote", "There.");
    await until(() => existsSync(join(root, "Remote.md")));
    write("Local.md", "Here.");
    await until(async () => (await documents()).length === 2);
    stop.abort();
    await watching;
  });
});
