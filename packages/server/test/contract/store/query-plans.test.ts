import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { exported } from "../../support/archives.ts";
import { assertStatus, type Loose } from "../../support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, markdown, upload } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { type Person, World } from "../../support/world.ts";

/** Tables with as many rows of a workspace as it has documents, or more. */
const LARGE = ["documents", "inline_relations", "comments", "suggestions", "attachments", "watches", "events"];

/** A step of a plan that goes through all rows of a workspace, or of a knowledge base. */
const goesThroughAll = (step: string): boolean =>
  LARGE.some((table) => new RegExp(`\\b${table}(_[a-z_]*|_\\d)?\\b`).test(step)) &&
  /^SCAN|\(workspace_id=\?( AND knowledge_base_id=\?)?( AND id>\?)?\)/.test(step);

/** Statements that may scan: an archive reads all documents of a base; the others read one row or the newest ones. */
const MEANT = [
  /from "events" where "workspace_id" = \? and "id" > \? order by "id" limit \(\? \+ 0\)$/,
  /^select .* from "documents" where "workspace_id" = \? and "knowledge_base_id" = \? (and "id" > \? )?order by "id"/,
  /max\("id"\)|where "workspace_id" = \? limit \(\? \+ 0\)$/,
];

const world = new World("sqlite", {});
const seen = new Set<string>();
const { prepare } = DatabaseSync.prototype;
let ada: Person;
let base: Loose;

before(async () => {
  await world.start();
  ada = await world.person();
  base = await makeKnowledgeBase(ada.client);
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    seen.add(sql);
    return prepare.call(this, sql, ...more);
  };
});
after(async () => {
  DatabaseSync.prototype.prepare = prepare;
  await world.stop();
});

/** The query plans of all statements sent during `work`. */
async function costly(work: () => Promise<unknown>): Promise<string[]> {
  seen.clear();
  await work();
  const statements = [...seen];
  const store = new DatabaseSync(join(defined(world.settings.SVC_DATA_DIR), "svc.db"), { readOnly: true });
  const plan = (sql: string) =>
    prepare
      .call(store, `explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  const found = statements
    .filter((sql) => /^(select|update|delete)/.test(sql) && !MEANT.some((meant) => meant.test(sql)))
    .flatMap((sql) =>
      plan(sql)
        .filter(goesThroughAll)
        .map((step) => `${step}: ${sql}`),
    );
  store.close();
  return found;
}

const make = (title: string, text = "", folder_id: number | null = null): Promise<Loose> =>
  makeDocument(ada.client, { title, knowledge_base_id: base.id, text, folder_id });

test("links by name read only pages of their title, on creation and when pages appear, move and disappear", async () => {
  const folder = async (name: string): Promise<number> =>
    assertStatus(await ada.client.post("/folders", { knowledge_base_id: base.id, name }), 201).data.id;
  const [a, b] = [await folder("A"), await folder("B")];
  const work = async () => {
    const source = await make("Source", "[[Page]] and [[B/Page]]\n");
    const targets = async () =>
      (await ada.client.get(`/documents/${source.id}/relations?direction=outgoing`)).data.map(
        (one: Loose) => one.target_uri,
      );
    const first = await make("Page", "", a);
    const second = await make("Page", "", b);
    assert.deepEqual(new Set(await targets()), new Set([first.uri, second.uri]));
    assertStatus(await ada.client.patch(`/folders/${b}`, { name: "C" }), 200);
    await ada.client.delete(`/documents/${second.id}`);
    await until("links lead to the page that is left", async () =>
      (await targets()).every((uri: string) => uri === first.uri),
    );
  };
  assert.deepEqual(await costly(work), []);
});

test("replies, mentions and watchers are found through their document", async () => {
  const { id } = await make("Discussed", "Text.\n");
  const work = async () => {
    assertStatus(await ada.client.put(`/documents/${id}/watch`, {}), 200);
    const opened = assertStatus(
      await ada.client.post(`/documents/${id}/comments`, { body: markdown("Why?") }),
      201,
    ).data;
    assertStatus(await ada.client.post(`/comments/${opened.id}/replies`, { body: markdown("So.") }), 201);
    assertStatus(await ada.client.get(`/documents/${id}/comments`), 200);
  };
  assert.deepEqual(await costly(work), []);
});

test("an export reads the comments and files of each document by its id, not the whole workspace's", async () => {
  await make("One", "1\n");
  await make("Two", "2\n");
  assert.deepEqual(await costly(() => exported(world, ada, base.id)), []);
});

test("no LIMIT is a bare parameter, which would make SQLite plan the statement again", async () => {
  seen.clear();
  await ada.client.get("/documents?limit=3");
  await ada.client.get("/audit-log?limit=3");
  const limited = [...seen].filter((sql) => sql.includes("limit"));
  assert.ok(limited.length > 0);
  assert.deepEqual(
    limited.filter((sql) => /limit \?/.test(sql)),
    [],
  );
});

test("a public site's file is found through its document, without reading the site's pages", async () => {
  const { client } = ada;
  const folder = await makeFolder(client, { knowledge_base_id: base.id });
  const below = await makeFolder(client, { knowledge_base_id: base.id, parent_id: folder.id });
  const { id } = await make("Pictures", "", below.id);
  const file = await upload(client, id);
  await client.put(`/documents/${id}/content`, markdown(`![p](${file.url})`), { ifMatch: "*" });
  const { url } = (await client.post(`/folders/${folder.id}/public-share`)).data;
  const statuses: number[] = [];
  const read = async () => statuses.push((await fetch(`${url}/attachments/${file.id}`)).status);
  assert.deepEqual(await costly(read), []);
  assert.deepEqual(
    [...seen].filter((sql) => sql.includes('"folder_id" in')),
    [],
  );
  assertStatus(await client.patch(`/documents/${id}`, { folder_id: null }), 200);
  await read();
  assert.deepEqual(statuses, [200, 404]);
});
