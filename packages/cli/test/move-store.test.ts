import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { p } from "@svc/document/testing/builders";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { routes } from "@svc/server/routes";
import { makeBody } from "../../server/test/support/bodies.ts";
import { assertStatus, Client, type Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase, ownedPath, upload } from "../../server/test/support/fixtures.ts";
import { isSaved, openEditor, signIn, type } from "../../server/test/support/live-editor.ts";
import { runProgram, SVC, startServer, svc } from "../../server/test/support/process.ts";
import { until } from "../../server/test/support/until.ts";
import { differentRows, workspaceRows } from "../../server/test/support/workspace-rows.ts";
import { databases, makeStore, type Person, World } from "../../server/test/support/world.ts";

type DatabaseKind = (typeof databases)[number];

/** Answers that a server makes anew for each request or that move by themselves. */
const IS_MOVING = /\/(events|export|quota|presence|notifications|updates)|\/me$|sessions|stream/;
/** Fields that depend on the moment of the request. */
const MOMENT = new Set([
  "request_id",
  "at",
  "history",
  "generated_at",
  "last_used_at",
  "last_seen_at",
  "expires_in",
  "took_ms",
  "url",
]);

/** Every answer of the API about one thing of each kind, by path. */
async function fillStore(world: World, ada: Person): Promise<string[]> {
  const paths: string[] = [];
  for (const route of routes)
    if (route.method === "GET" && !IS_MOVING.test(route.path)) paths.push(await ownedPath(route, ada, world));
  const { id: knowledge_base_id } = await makeKnowledgeBase(ada.client);
  for (let number = 0; number < 30; number++) {
    const { id } = await makeDocument(ada.client, {
      knowledge_base_id,
      title: `Page ${number}`,
      text: `# Page ${number}\n\nThe ${number}th albatross flies over Ünïcode 🐦 ${"and on ".repeat(number * 20)}.\n`,
    });
    const text = { format: "markdown", content: `# Page ${number}\n\nChanged albatross.\n` };
    assertStatus(await ada.client.put(`/documents/${id}/content`, text, { ifMatch: "*" }), 200);
    const file = await upload(ada.client, id, Buffer.alloc(10_000 * number, `${number} `), `file-${number}.txt`);
    paths.push(`/documents/${id}`, `/documents/${id}/content`, `/documents/${id}/versions`);
    paths.push(`/attachments/${file.id}`, `/attachments/${file.id}/metadata`);
    for (const { seq } of (await ada.client.get(`/documents/${id}/versions`)).data)
      paths.push(`/documents/${id}/versions/${seq}`);
  }
  const search = "/search/v2?q=albatross&match=all";
  await until("search has every page", async () => (await ada.client.get(search)).body.hits?.total !== 0);
  return [...paths, search, "/documents?limit=100", "/knowledge-bases?limit=100", "/trash?limit=100"];
}

/** A document with an edit that may not be in its body yet. */
async function editLive(world: World, ada: Person): Promise<string> {
  const { id } = await makeBody(ada.client, [p("One."), p("Two.")]);
  const tab = await openEditor({ url: world.directUrl, cookie: await signIn(world, ada), documentId: id });
  type(tab, 0, " typed");
  await isSaved(tab);
  tab.close();
  return id;
}

async function answersOf(client: Client, paths: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of new Set(paths)) {
    const { status, body, headers, text: bytes } = await client.get(path);
    const text = body ? JSON.stringify(body, (key, value) => (MOMENT.has(key) ? undefined : value)) : bytes;
    answers.set(path, `${status} ${headers.get("etag")} ${text}`);
  }
  return answers;
}

const differences = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] =>
  [...before].flatMap(([path, answer]) =>
    now.get(path) === answer ? [] : [`${path}: ${answer.slice(0, 400)} became ${now.get(path)?.slice(0, 400)}`],
  );

async function rowsOf(settings: Record<string, string>, workspaceId: string) {
  const database = await connect(readConfig(settings), { warn: () => undefined });
  const rows = await workspaceRows(database, workspaceId);
  await database.close();
  return rows;
}

for (const from of databases) {
  const to: DatabaseKind = from === "sqlite" ? "postgres" : "sqlite";
  describe(`a full store moves from ${from} to ${to} and back`, () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-move-"));
    const world = new World(from, { SVC_MAX_KNOWLEDGE_BASES: "1000" });
    const stores: Awaited<ReturnType<typeof makeStore>>[] = [];
    before(() => world.start());
    after(async () => {
      await world.stop();
      await Promise.all(stores.map((store) => store.remove()));
      rmSync(folder, { recursive: true });
    });

    test("CLI9 every answer, document, version and file is the same after each move", async () => {
      const ada = await world.person();
      const paths = await fillStore(world, ada);
      const live = await editLive(world, ada);
      paths.push(`/documents/${live}/content`);
      const expected = await answersOf(ada.client, paths);
      assert.ok(paths.length > 250, `${paths.length} paths`);
      const ok = [...expected.values()].filter((answer) => answer.startsWith("200"));
      assert.ok(ok.length > 200, `${ok.length} of ${expected.size} answers are 200`);

      const first = join(folder, "first.svc");
      await svc(world.settings, "backup", first);
      await world.app.server.close();
      const original = await rowsOf(world.settings, ada.workspaceId);
      let file = first;
      for (const kind of [to, from]) {
        const store = await makeStore(kind);
        stores.push(store);
        await svc(store.settings, "restore", file);
        const lost = differentRows(original, await rowsOf(store.settings, ada.workspaceId));
        assert.deepEqual(
          lost.filter((row) => !IS_LIVE.test(row)),
          [],
        );
        file = join(folder, `${kind}.svc`);
        const { attachments } = await svc(store.settings, "backup", file);
        assert.ok(attachments >= 29, `${attachments} files`);
        const verified = await svc(store.settings, "restore", "--verify", file);
        assert.equal(verified.attachments, attachments);
        await using server = await startServer({ ...store.settings, SVC_RATE_LIMIT: "1000000" });
        const client = new Client(server.url, ada.token);
        assert.deepEqual(differences(expected, await answersOf(client, paths)), []);
        const text = JSON.stringify((await client.get(`/documents/${live}/content`)).body);
        assert.match(text, /One\. typed/);
        const { id } = await makeDocument(client);
        assert.ok(!paths.includes(`/documents/${id}`), "ids are not given out again");
      }
    });

    test("CLI9 a backup is only restored into an empty store, unless it is told to replace the store", async () => {
      const file = join(folder, "first.svc");
      const [store] = stores;
      assert.ok(store);
      const refused = await runProgram(SVC, ["restore", file], store.settings);
      assert.deepEqual([refused.code, refused.stdout], [1, ""]);
      assert.match(refused.stderr, /^svc: There is a store with accounts already: add --replace/);
      const server = await startServer(store.settings);
      const { users } = await svc(store.settings, "users", "list");
      await svc(store.settings, "users", "create", "--email", "late@example.com", "--name", "L", "--password", "x");
      await svc(store.settings, "restore", "--replace", file);
      const { users: left }: Loose = await svc(store.settings, "users", "list");
      assert.deepEqual(left, users, "the account that was made after the backup is gone");
      await until("the server that ran all the time serves the restored store", async () => {
        const answer = await fetch(`${server.url}/readyz`);
        return answer.ok;
      });
      await server.stop();
    });
  });
}

/** Live states begin a new epoch, and the background works on others. */
const IS_LIVE = /^(gone|new): (live_|recent_states|events|search_|rate_windows|audit)/;
