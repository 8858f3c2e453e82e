import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { type Client, createClient, listAll, updateMarkdown, uploadAttachment } from "@svc/sdk";
import { World } from "../../../server/test/support/world.ts";
import { FolderDisk } from "../../src/sync/disk.ts";
import { FolderStateFiles } from "../../src/sync/store.ts";
import { syncFolder } from "../../src/sync/sync-folder.ts";
import { type Cut, cuttingDisk, cuttingFetch, cuttingState } from "./interruptions.ts";
import { Random } from "./random.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Another picture: what follows the end of one is not looked at. */
const OTHER = Buffer.concat([PNG, Buffer.from("x")]);

describe("sync: links and files", () => {
  const world = new World("sqlite", {});
  const work = mkdtempSync(join(tmpdir(), "svc-links-"));
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

  const sync = async (directory = root) => {
    const { actions, problems, notCarried } = await syncFolder({ client, directory, knowledgeBase: kb });
    assert.deepEqual(problems, []);
    return { actions: actions.map(({ action, path }) => `${action} ${path}`), notCarried };
  };
  const read = (path: string, directory = root) => readFileSync(join(directory, path), "utf8");
  const write = (path: string, content: string | Buffer, directory = root) => {
    mkdirSync(join(directory, path, ".."), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  const fresh = () => mkdtempSync(join(work, "other-"));
  const idOf = async (title: string) => {
    const all = await Array.fromAsync(listAll(client, "/documents", { query: { knowledge_base_id: kb } }));
    return defined(all.find((one) => one.title === title)).id;
  };
  const markdown = async (id: string) =>
    (await client.get("/documents/{id}/content", { path: { id }, query: { format: "markdown" } })).data.content ?? "";
  const attachments = (id: string) => Array.fromAsync(listAll(client, "/documents/{id}/attachments", { path: { id } }));

  const README = [
    "# Start\n",
    "See [two](./docs/Two.md#a--b), [again](docs/Two.md), [[Two|by name]] and",
    "![picture](img/dot%20one.png). `[code](docs/Two.md)`\n",
    "* the [spec](<files/the spec.txt> 'Spec')\n",
    '<img src="img/dot one.png" width="20">\n',
    "![[dot one.png]]\n",
    "[gone](missing.md) and [out](../out.md) and [web](https://example.com/a.md)\n",
  ].join("\n");

  const fill = () => {
    write("README.md", README);
    write("docs/Two.md", "Top\n===\n\n## A & B\n\nBack to [start](../README.md#start), ![](../img/dot%20one.png).\n");
    write("img/dot one.png", PNG);
    write("files/the spec.txt", "Words.");
    write("files/unused.txt", "Nobody links here.");
  };

  test("SYNC14 links between files become links between documents, and no file changes", async () => {
    fill();
    const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
    git("init", "-q");
    git("add", "-A");
    const committed = git("status", "--porcelain");
    const { notCarried } = await sync();
    assert.equal(git("status", "--porcelain"), committed, "a fresh clone stays clean");
    assert.equal(git("diff"), "");
    assert.deepEqual(
      notCarried.map(({ path, message }) => `${path}: ${message}`),
      [
        "README.md: missing.md is not in the folder; the link is sent as it is.",
        ".: Files that no page links to stay in this folder alone: files/unused.txt",
      ],
    );
    const [start, two] = [await idOf("README"), await idOf("Two")];
    const { data } = await client.get("/documents/{id}/outline", { path: { id: two } });
    const heading = data.items[0]?.children[0]?.block_id;
    const text = await markdown(start);
    assert.ok(
      text.includes(`[two](svc://doc/${two}#block=${heading}), [again](svc://doc/${two}), [[Two|by name]]`),
      text,
    );
    assert.match(text, /!\[picture\]\(\/api\/v1\/attachments\/att_\w+\)\. `\[code\]\(docs\/Two\.md\)`/);
    assert.match(text, /\[spec\]\(\/api\/v1\/attachments\/att_\w+ 'Spec'\)/);
    assert.match(text, /<img src="\/api\/v1\/attachments\/att_\w+" width="20">/);
    assert.match(text, /\[gone\]\(missing\.md\) and \[out\]\(\.\.\/out\.md\)/);
    assert.match(await markdown(two), new RegExp(`\\[start\\]\\(svc://doc/${start}#block=block_\\w+\\)`));
    assert.deepEqual((await attachments(start)).map(({ file_name }) => file_name).sort(), [
      "dot one.png",
      "the spec.txt",
    ]);
    const relations = await Array.fromAsync(listAll(client, "/documents/{id}/relations", { path: { id: two } }));
    assert.ok(relations.some((one) => JSON.stringify(one).includes(start)));
    assert.deepEqual(await sync(), { actions: [], notCarried: [] });
  });

  test("SYNC14 a link waits for its page", async () => {
    write("A.md", "To [b](B.md).\n");
    await sync();
    assert.equal(await markdown(await idOf("A")), "To [b](B.md).\n");
    write("B.md", "Here.\n");
    await sync();
    assert.equal(await markdown(await idOf("A")), `To [b](svc://doc/${await idOf("B")}).\n`);
    assert.equal(read("A.md"), "To [b](B.md).\n");
  });

  test("SYNC15 a second machine gets links and files that work there, and edits of both go to and fro", async () => {
    fill();
    await sync();
    const other = fresh();
    await sync(other);
    const there = read("README.md", other);
    assert.match(there, /\[two\]\(\.\/docs\/Two\.md#a--b\), \[again\]\(docs\/Two\.md\), \[\[Two\|by name\]\]/);
    assert.match(there, /!\[picture\]\(img\/dot%20one\.png\)/);
    assert.match(there, /\[spec\]\(files\/the%20spec\.txt 'Spec'\)/);
    assert.match(read("docs/Two.md", other), /\[start\]\(\.\.\/README\.md#start\), !\[\]\(\.\.\/img\/dot%20one\.png\)/);
    assert.deepEqual(readFileSync(join(other, "img/dot one.png")), PNG);
    assert.equal(read("files/the spec.txt", other), "Words.");
    assert.deepEqual(await sync(other), { actions: [], notCarried: [] });

    write("README.md", there.replace("# Start", "# Start there"), other);
    await sync(other);
    await sync();
    assert.equal(read("README.md"), README.replace("# Start", "# Start there"), "only the edited line changes");
    write("docs/Two.md", `${read("docs/Two.md")}\nMore [links](../README.md).\n`);
    await sync();
    await sync(other);
    assert.match(read("docs/Two.md", other), /More \[links\]\(\.\.\/README\.md\)\.\n$/);
    assert.deepEqual(
      [await sync(), await sync(other)],
      [
        { actions: [], notCarried: [] },
        { actions: [], notCarried: [] },
      ],
    );
  });

  test("SYNC15 a second clone of the same files finds everything equal, and uploads nothing again", async () => {
    fill();
    await sync();
    const [count, version] = [(await attachments(await idOf("README"))).length, await markdown(await idOf("README"))];
    root = fresh();
    fill();
    assert.deepEqual((await sync()).actions, []);
    assert.equal(read("README.md"), README);
    assert.equal((await attachments(await idOf("README"))).length, count);
    assert.equal(await markdown(await idOf("README")), version);
  });

  test("SYNC15 runs that are cut off anywhere end with every link and file carried, and each file once", async () => {
    fill();
    const random = new Random(15);
    const run = (cut: Cut) =>
      syncFolder({
        client: createClient({ ...connection, fetch: cuttingFetch(cut), retry: { attempts: 1 } }),
        directory: root,
        knowledgeBase: kb,
        disk: cuttingDisk(new FolderDisk(root), cut),
        stateFiles: cuttingState(new FolderStateFiles(root), cut),
      });
    for (let cuts = 0; cuts < 12; cuts++) {
      let left = random.below(90);
      await run(() => (left-- === 0 ? random.pick(["before", "after"] as const) : undefined)).catch(() => undefined);
    }
    await sync();
    assert.equal(read("README.md"), README);
    const id = await idOf("README");
    const text = await markdown(id);
    assert.doesNotMatch(text.replaceAll(/`.*?`|!\[\[.*?\]\]/g, ""), /Two\.md|dot|the spec/, text);
    assert.deepEqual((await attachments(id)).map(({ file_name }) => file_name).sort(), ["dot one.png", "the spec.txt"]);
    const other = fresh();
    await sync(other);
    assert.deepEqual(readFileSync(join(other, "img/dot one.png")), PNG);
    assert.deepEqual((await sync()).actions, []);
  });

  test("SYNC15 a picture that changes reaches the other side, and one that comes from there this one", async () => {
    write("A.md", "![](dot.png)\n");
    write("dot.png", PNG);
    await sync();
    const other = fresh();
    await sync(other);
    write("dot.png", OTHER);
    utimesSync(join(root, "dot.png"), new Date(), new Date(Date.now() + 5000));
    await sync();
    await sync(other);
    assert.equal(read("A.md"), "![](dot.png)\n");
    const shown = defined(/\((.*)\)/.exec(read("A.md", other))?.[1]);
    assert.deepEqual(readFileSync(join(other, decodeURIComponent(shown))), OTHER);
    const id = await idOf("A");
    const file = { documentId: id, fileName: "notes.md", content: new Uint8Array(Buffer.from("# Not a page\n")) };
    const { url } = await uploadAttachment(client, file);
    await updateMarkdown(client, id, (text) => `${text}\n[notes](${url})\n`);
    await sync();
    assert.equal(read("A.md"), "![](dot.png)\n\n[notes](attachments/notes.md.txt)\n");
    assert.equal(read("attachments/notes.md.txt"), "# Not a page\n");
    assert.deepEqual((await sync()).actions, []);
  });

  test("SYNC14 a picture by name keeps its name and width in the document and in every folder", async () => {
    write("A.md", "![[E.png|100]]\n");
    write("img/E.png", PNG);
    await sync();
    const id = await idOf("A");
    assert.equal(await markdown(id), "![[E.png|100]]\n");
    const attachmentId = defined((await attachments(id))[0]).id;
    const { data } = await client.get("/documents/{id}/content", { path: { id } });
    const shown = JSON.stringify(data.document);
    assert.match(shown, new RegExp(`"src":"/api/v1/attachments/${attachmentId}"`));
    assert.match(shown, /"width":100/);
    const other = fresh();
    await sync(other);
    assert.equal(read("A.md", other), "![[E.png|100]]\n");
    assert.deepEqual(readFileSync(join(other, "attachments/E.png")), PNG);
    assert.deepEqual((await sync()).actions, []);
  });

  test("SYNC8 a page whose name is dots alone is no hidden file", async () => {
    write("..md", "# .\n");
    write(".hidden.md", "x\n");
    await sync();
    assert.equal(await markdown(await idOf(".")), "# .\n");
    const other = fresh();
    await sync(other);
    assert.equal(read("..md", other), "# .\n");
    assert.deepEqual((await sync()).actions, []);
  });

  test("SYNC3 a document that keeps the name of its file is synchronised under that name", async () => {
    write("ch01-intro.md", "# Introduction\n");
    await sync();
    const id = await idOf("ch01-intro");
    const body = { title: "Introduction", file_name: "ch01-intro" };
    const { data } = await client.patch("/documents/{id}", { path: { id }, body });
    assert.deepEqual([data.title, data.file_name], ["Introduction", "ch01-intro"]);
    assert.deepEqual((await sync()).actions, []);
    const other = fresh();
    await sync(other);
    assert.equal(read("ch01-intro.md", other), "# Introduction\n");
    renameSync(join(other, "ch01-intro.md"), join(other, "ch02-intro.md"));
    await sync(other);
    await sync();
    assert.equal(read("ch02-intro.md"), "# Introduction\n");
    assert.equal((await client.get("/documents/{id}", { path: { id } })).data.title, "Introduction");
    await client.patch("/documents/{id}", { path: { id }, body: { title: "Start" } });
    await sync();
    assert.equal(read("Start.md"), "# Introduction\n");
  });

  test("SYNC14 links follow pages that move or are renamed in the service, in files that nobody edited", async () => {
    write("A.md", "To [b](B.md).\n");
    write("B.md", "To [a](A.md).\n");
    await sync();
    const { data: folder } = await client.post("/folders", { body: { name: "Sub", knowledge_base_id: kb } });
    await client.patch("/documents/{id}", { path: { id: await idOf("B") }, body: { folder_id: folder.id } });
    await sync();
    assert.equal(read("Sub/B.md"), "To [a](../A.md).\n");
    assert.equal(read("A.md"), "To [b](Sub/B.md).\n");
    await client.patch("/documents/{id}", { path: { id: await idOf("B") }, body: { title: "C" } });
    await sync();
    assert.equal(read("A.md"), "To [b](Sub/C.md).\n");
    const clone = fresh();
    cpSync(root, clone, { recursive: true, filter: (path) => !path.includes(".svc-sync") });
    assert.deepEqual(await sync(clone), { actions: [], notCarried: [] }, "a fresh clone is clean");
    write("A.md", "To [b](Sub/C.md), still.\n");
    await sync();
    assert.equal(await markdown(await idOf("A")), `To [b](svc://doc/${await idOf("C")}), still.\n`);
  });

  test("SYNC15 a server that does not know file_addresses gets the texts without it", async () => {
    const refused: string[] = [];
    // The server of the test refuses the other name as an older one refuses this one.
    const old: typeof fetch = async (input, init) => {
      const body = typeof init?.body === "string" ? init.body.replace('"file_addresses"', '"file_words"') : init?.body;
      const reply = await fetch(input, { ...init, ...(body !== undefined && { body }) });
      if (reply.status === 400) refused.push(await reply.clone().text());
      return reply;
    };
    client = createClient({ ...connection, fetch: old });
    write("A.md", "To [b](B.md).\n");
    write("B.md", "To [a](A.md).\n");
    await sync();
    assert.equal(await markdown(await idOf("A")), `To [b](svc://doc/${await idOf("B")}).\n`);
    write("A.md", "To [b](B.md), changed.\n");
    assert.deepEqual((await sync()).actions, ["push A.md"]);
    assert.equal(await markdown(await idOf("A")), `To [b](svc://doc/${await idOf("B")}), changed.\n`);
    assert.equal(refused.length, 1, "it is tried once");
    assert.match(refused.join(), /file_words/);
  });

  test("SYNC15 a byte order mark goes along into other folders", async () => {
    write("A.md", "\uFEFFText\n");
    write("B.md", "\uFEFF---\nk: v\n---\nText\n");
    await sync();
    assert.deepEqual((await sync()).actions, []);
    const other = fresh();
    await sync(other);
    for (const name of ["A.md", "B.md"]) assert.equal(read(name, other), read(name));
  });

  test("SYNC15 hidden files and files behind links are never uploaded, and what the service refuses is told", async () => {
    write("A.md", "[secret](.env) [up](../../etc/passwd) [big](big.bin) [film](film.mp4)\n");
    write(".env", "SECRET");
    write("big.bin", Buffer.alloc(53_000_000));
    // More than a program can read at once; it takes no room on the disk.
    write("film.mp4", "");
    truncateSync(join(root, "film.mp4"), 3 * 2 ** 30);
    const { notCarried } = await sync();
    assert.equal(await markdown(await idOf("A")), read("A.md"));
    assert.match(notCarried.map(({ message }) => message).join(), /big\.bin is not carried.*film\.mp4 is not carried/);
    assert.deepEqual(await attachments(await idOf("A")), []);
    assert.ok(!existsSync(join(root, "attachments")));
  });
});
