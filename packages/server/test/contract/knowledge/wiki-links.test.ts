import assert from "node:assert/strict";
import { posix } from "node:path";
import { before, test } from "node:test";
import { getDocument } from "@svc/server/domain/library/documents/queries";
import { rebuild } from "@svc/server/views/relations/update-links";
import { exported, imported, unzipped } from "../../support/archives.ts";
import { png } from "../../support/attachments.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, startImport, zipOf } from "../../support/fixtures.ts";
import { jobEnded } from "../../support/jobs.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** The files that the links of a Markdown file name, from the top of the folder. */
const linksIn = (from: string, content: Buffer): string[] =>
  [...content.toString().matchAll(/\]\(<?([^)>\s]+)/g)]
    .map(([, href = ""]) => decodeURIComponent(href.replace(/#.*$/, "")))
    .filter((path) => path !== "" && !/^\w+:/.test(path))
    .map((path) => (path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path)));

onEachDatabase("links by name", (world) => {
  let ada: Person;
  let base: Loose;
  before(async () => {
    ada = await world.person();
    base = await makeKnowledgeBase(ada.client);
  });
  const make = (title: string, text: string): Promise<Loose> =>
    makeDocument(ada.client, { title, knowledge_base_id: base.id, text });
  const targets = async ({ id }: Loose) =>
    (await ada.client.get(`/documents/${id}/relations?direction=outgoing`)).data.map((one: Loose) => one.target_uri);
  const html = async ({ id }: Loose) => (await ada.client.get(`/documents/${id}/content?format=html`)).text;

  test("WIKI2 a link by name leads to the page of the name as soon as there is one, and waits when it goes", async () => {
    const text = "See [[New Page#Part|there]] and [file](sub/New%20Page.md).\n";
    const source = await make("Source", text);
    assert.deepEqual(await targets(source), []);
    assert.match(await html(source), /<a data-wiki="New Page#Part">there<\/a>/);
    const page = await make("new page", "# Part\n");
    assert.deepEqual(await targets(source), [page.uri, page.uri]);
    assert.ok((await html(source)).includes(`<a href="${page.uri}#part"`));
    const { data } = await ada.client.get(`/documents/${page.id}/relations?direction=incoming`);
    assert.deepEqual(new Set(data.map((one: Loose) => one.source_document_id)), new Set([source.id]));
    const read = await ada.client.get(`/documents/${source.id}/content?format=markdown`);
    assert.equal(read.text, text);
    assert.equal(read.etag, source.version, "the body does not change");
    await ada.client.delete(`/documents/${page.id}`);
    assert.deepEqual(await targets(source), []);
    const other = await make("Other", "");
    assertStatus(await ada.client.patch(`/documents/${other.id}`, { title: "New page" }), 200);
    assert.deepEqual(await targets(source), [other.uri, other.uri]);
    const later = await make("Later", "[[new page]]\n");
    assert.deepEqual(await targets(later), [other.uri]);
  });

  test("WIKI4 folders before a name say which page of a title is meant, also of one that comes later", async () => {
    const knowledge_base_id = (await makeKnowledgeBase(ada.client)).id;
    const folder = async (name: string, parent_id: number | null = null): Promise<number> =>
      assertStatus(await ada.client.post("/folders", { knowledge_base_id, name, parent_id }), 201).data.id;
    const [a, b] = [await folder("A"), await folder("B b")];
    const deep = await folder("Deep", b);
    const put = (folder_id: number | null, title: string, text = ""): Promise<Loose> =>
      makeDocument(ada.client, { title, knowledge_base_id, folder_id, text });
    const text =
      "[[Page]] [[b B/Page#Part|there]] [[B b/Deep/page]] [[Deep/Page]] [[Gone/Page]] [x](../B%20b/Page.md)\n";
    const early = await put(a, "Early", text);
    const top = await put(null, "Page");
    assert.deepEqual(await targets(early), Array(6).fill(top.uri), "the title alone, where no folder fits");
    const inDeep = await put(deep, "Page");
    const inB = await put(b, "Page", "# Part\n");
    const inA = await put(a, "Page");
    const right = [inA, inB, inDeep, inDeep, top, inB].map(({ uri }) => uri);
    assert.deepEqual(await targets(early), right);
    assert.ok((await html(early)).includes(`<a href="${inB.uri}#part"`));
    const late = await put(a, "Late", text);
    assert.deepEqual(await targets(late), right);
    assert.deepEqual(await targets(await put(deep, "Up", "[y](../Page.md) [z](../../Page.md) [[Page]]\n")), [
      inB.uri,
      top.uri,
      inDeep.uri,
    ]);
    for (const { id } of [top, inDeep, inA, inB]) assertStatus(await ada.client.delete(`/documents/${id}`), 200);
    assert.deepEqual(await targets(late), []);
    const back = await put(null, "Page");
    assert.deepEqual(await targets(late), Array(6).fill(back.uri));
    assertStatus(await ada.client.patch(`/documents/${(await put(null, "page")).id}`, { folder_id: b }), 200);
    const moved = (await ada.client.get(`/documents?knowledge_base_id=${knowledge_base_id}&folder_id=${b}`)).data[0];
    assert.deepEqual(
      (await targets(late)).map((uri: string) => uri === moved.uri),
      [false, true, false, false, false, true],
    );
  });

  test("WIKI4 folders that are renamed or moved take over what they fit better, of any number of pages", async () => {
    const knowledge_base_id = (await makeKnowledgeBase(ada.client)).id;
    const folder = async (name: string, parent_id: number | null = null): Promise<number> =>
      assertStatus(await ada.client.post("/folders", { knowledge_base_id, name, parent_id }), 201).data.id;
    const put = (folder_id: number | null, title: string, text = ""): Promise<Loose> =>
      makeDocument(ada.client, { title, knowledge_base_id, folder_id, text });
    const lead = (source: Loose, ...pages: Loose[]) =>
      until("links lead where they fit", async () => {
        const found = await targets(source);
        return found.length === pages.length && pages.every(({ uri }, i) => uri === found[i]);
      });
    const source = await put(null, "Source", "[[Plans/Page]] [[Old/Plans/Page]] [[Page]]\n");
    const [a, b] = [await folder("A"), await folder("B")];
    const [inA, inB] = [await put(a, "Page"), await put(await folder("Inner", b), "Page")];
    await lead(source, inA, inA, inA);
    const inner = (await ada.client.get(`/documents/${inB.id}`)).data.folder_id;
    assertStatus(await ada.client.patch(`/folders/${inner}`, { name: "Plans" }), 200);
    await lead(source, inB, inA, inA);
    assertStatus(await ada.client.patch(`/folders/${b}`, { name: "Old" }), 200);
    await lead(source, inB, inB, inA);
    assertStatus(await ada.client.patch(`/folders/${inner}`, { parent_id: null }), 200);
    assertStatus(await ada.client.patch(`/folders/${a}`, { name: "Plans", parent_id: b }), 200);
    await lead(source, inB, inA, inA);
    assertStatus(await ada.client.delete(`/documents/${inA.id}`), 200);
    await lead(source, inB, inB, inB);

    const many = await put(null, "Many", "[[Far/Readme]]\n");
    const last = await folder("Z");
    for (let i = 0; i < 54; i++) await put(await folder(`F${i}`), "Readme");
    const near = await put(await folder("Far", last), "Readme");
    await lead(many, near);
    // Behind more pages of the title than a write looks at.
    const top = await put(await folder("Far"), "Readme");
    await lead(many, top);
  });

  test("WIKI5 links by name mean pages of the knowledge base that their document has come to", async () => {
    const [from, to] = [await makeKnowledgeBase(ada.client), await makeKnowledgeBase(ada.client)];
    const folder = assertStatus(
      await ada.client.post("/folders", { knowledge_base_id: from.id, name: "Goes" }),
      201,
    ).data;
    const place = { knowledge_base_id: from.id, folder_id: folder.id };
    const text = "[[Stays]] [[Goes too]] [[Waits]] [[Guides/Later]]\n";
    const stays = await makeDocument(ada.client, { title: "Stays", knowledge_base_id: from.id });
    const goes = await makeDocument(ada.client, { title: "Goes too", ...place });
    const waits = await makeDocument(ada.client, { title: "Waits", knowledge_base_id: to.id });
    const page = await makeDocument(ada.client, { title: "Page", text, ...place });
    const targets = async () =>
      (await ada.client.get(`/documents/${page.id}/relations?direction=outgoing`)).data
        .filter(({ state }: Loose) => state === "ok")
        .map((relation: Loose) => relation.target_document_id);
    assert.deepEqual(await targets(), [stays.id, goes.id]);
    const move = { knowledge_base_id: to.id, parent_id: null };
    assertStatus(await ada.client.patch(`/folders/${folder.id}`, move), 200);
    await until("the page of the new knowledge base is found", async () => (await targets()).length === 3);
    assert.deepEqual(await targets(), [stays.id, goes.id, waits.id]);
    await makeDocument(ada.client, { title: "Later", knowledge_base_id: from.id });
    const later = await makeDocument(ada.client, { title: "Later", knowledge_base_id: to.id });
    assert.deepEqual(await targets(), [stays.id, goes.id, waits.id, later.id]);
    const rows = () =>
      world.app.services.database.read
        .selectFrom("inline_relations")
        .selectAll()
        .where("document_id", "=", page.id)
        .orderBy("id")
        .execute();
    const before = await rows();
    await world.app.services.database.transaction(async (tx) =>
      rebuild(tx, await getDocument(tx, ada.workspaceId, page.id)),
    );
    assert.deepEqual(await rows(), before);
  });

  test("WIKI3 a vault is imported with its links, pictures and properties", async () => {
    const archive = await zipOf({
      "Vault/Home.md": "---\ntags: [start]\n---\nTo [[Deep Page#Second Part|it]], [[Nowhere]], ![[pic.png]]\n",
      "Vault/Folder/Deep Page.md": "Intro.\n\n## Second Part\n\nBack to [[Home]].\n",
      "Vault/assets/pic.png": png,
      "Vault/.obsidian/app.json": "{}",
    });
    const job = await jobEnded(ada.client, "import-jobs", (await startImport(ada.client, archive)).id);
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.equal(job.attachments, 1);
    assert.ok(job.warnings.some((warning: string) => warning.includes("[[Nowhere]]")));
    const { data } = await ada.client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`);
    const [home, deep]: Loose[] = ["Home", "Deep Page"].map((title) => data.find((one: Loose) => one.title === title));
    assert.deepEqual(home.properties, { tags: ["start"] });
    const [link] = await targets(home);
    assert.ok(link.startsWith(`${deep.uri}#block=`), link);
    const text = (await ada.client.get(`/documents/${home.id}/content?format=markdown`)).text;
    assert.equal(text, "To [[Deep Page#Second Part|it]], [[Nowhere]], ![[pic.png]]\n");
    const { data: files } = await ada.client.get(`/documents/${home.id}/attachments`);
    assert.equal(files[0].reference_count, 1);
    const written = unzipped(await exported(world, ada, job.knowledge_base_id));
    const leads = [...written]
      .filter(([path]) => path.endsWith(".md"))
      .flatMap(([path, content]) => linksIn(path, content));
    assert.ok(leads.length >= 3, leads.join("\n"));
    const lost = leads.filter((path) => !written.has(path));
    assert.deepEqual(lost, [], "an editor of vaults and a Git host find every file that is linked to");
  });

  test("EXP11 links to headings have the anchors of Git hosts in an export, and lead to the same blocks when it comes back", async () => {
    const { id: knowledge_base_id } = await makeKnowledgeBase(ada.client);
    const target = await makeDocument(ada.client, {
      title: "Target",
      knowledge_base_id,
      text: "# A & B\n\n## Same\n\nText.\n\n## Same\n",
    });
    const { data: blocks } = await ada.client.get(`/documents/${target.id}/blocks`);
    const [first, second, paragraph, third] = blocks.map((block: Loose) => block.id);
    const addresses = [first, second, third, paragraph].map((id) => `${target.uri}#block=${id}`);
    const text = `${addresses.map((href) => `[x](${href})`).join(" ")} [[Target#Same]] [y](Target.md#a--b)\n`;
    await makeDocument(ada.client, { title: "Source", knowledge_base_id, text });
    const files = unzipped(await exported(world, ada, knowledge_base_id));
    const hrefs = [...String(files.get("Source.md")).matchAll(/\]\(([^)]*)\)/g)].map(([, href]) => href);
    const anchors = ["#a--b", "#same", "#same-1", "", "#same", "#a--b"];
    assert.deepEqual(
      hrefs,
      anchors.map((anchor) => `/Target.md${anchor}`),
    );
    const texts = [...files].filter(([path]) => /^(?:Source|Target)\.md$/.test(path));
    const job = await imported(ada.client, await zipOf(Object.fromEntries(texts)));
    assert.equal(job.status, "succeeded", JSON.stringify(job.error));
    assert.deepEqual(job.warnings, []);
    const { data } = await ada.client.get(`/documents?knowledge_base_id=${job.knowledge_base_id}`);
    const [source, again] = ["Source", "Target"].map((title) => data.find((one: Loose) => one.title === title));
    const { data: copies } = await ada.client.get(`/documents/${again.id}/blocks`);
    const places = [0, 1, 3, undefined, 1, 0].map((at) => (at === undefined ? "" : `#block=${copies[at].id}`));
    assert.deepEqual((await targets(source)).sort(), places.map((place) => again.uri + place).sort());
  });
});
