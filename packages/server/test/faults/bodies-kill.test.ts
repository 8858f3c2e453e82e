import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { characterCount } from "@svc/document/read/text";
import { p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { type Manifest, readManifest, versionOf } from "@svc/server/bodies/manifest";
import { cut } from "@svc/server/bodies/segment";
import { getSnapshot } from "@svc/server/bodies/snapshots";
import { tiptap } from "../support/bodies.ts";
import { Client, type Loose, type Reply } from "../support/client.ts";
import { ServerProcess } from "../support/server-process.ts";
import { databases, type Person, World } from "../support/world.ts";

const KILLS = 6;
const WRITERS = 5;

/** A small generator of numbers below `n`, the same in every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** What a writer knows of its document: the last acknowledged version, and the write that was under way. */
interface Known {
  id: string | undefined;
  version: string | undefined;
  acknowledged: number;
  /** Deleted, and that was acknowledged. */
  gone: boolean;
  /** A write was sent and not answered: it may have happened or not. */
  open: boolean;
  isOpenDelete: boolean;
}

for (const kind of databases)
  describe(`kill -9 under load [${kind}]`, () => {
    const world = new World(kind, {});
    let ada: Person;
    let base: number;
    before(async () => {
      await world.start();
      ada = await world.person();
      base = (await ada.client.post("/knowledge-bases", { name: "Base" })).data.id;
    });
    after(() => world.stop());

    test("BODY23 every acknowledged write is there, and every body and snapshot is whole", async () => {
      const random = numbers(7);
      const all: Known[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const server = await ServerProcess.start(world.settings);
        const client = new Client(server.url, ada.token);
        const stop = { now: false };
        const writers = Array.from({ length: WRITERS }, (_, i) =>
          writeOn(client, base, all, stop, numbers(kill * 100 + i)),
        );
        await acknowledged(all, (kill + 1) * WRITERS * 2);
        await sleep(random(350));
        await server.kill();
        stop.now = true;
        await Promise.all(writers);
        await checkAll(world, ada, all);
      }
    });
  });

/** A kill tells something only after some writes, however slow the machine is. */
async function acknowledged(all: Known[], count: number): Promise<void> {
  const written = () => all.reduce((sum, known) => sum + known.acknowledged, 0);
  const deadline = Date.now() + 60_000;
  while (written() < count) {
    assert.ok(Date.now() < deadline, `only ${written()} writes were acknowledged`);
    await sleep(20);
  }
}

/** One writer with one document after another: creations, replacements, block edits, batches, deletions. */
async function writeOn(
  client: Client,
  base: number,
  all: Known[],
  stop: { now: boolean },
  random: (n: number) => number,
): Promise<void> {
  let known: Known | undefined;
  while (!stop.now) {
    if (!known || known.gone) {
      known = { id: undefined, version: undefined, acknowledged: 0, gone: false, open: true, isOpenDelete: false };
      all.push(known);
    }
    known.open = true;
    const reply = await step(client, base, known, random).catch(() => undefined);
    if (!reply) return;
    assert.ok(reply.status < 300, reply.text);
    known.open = false;
    known.acknowledged++;
    known.gone = reply.data.deleted === true && reply.data.id === known.id;
    known.id ??= reply.data.id;
    known.version = reply.etag ?? known.version;
  }
}

const someNodes = (random: (n: number) => number): Node[] =>
  Array.from({ length: 1 + random(60) }, () => p("some words ".repeat(1 + random(40)) + random(1e9)));

function step(client: Client, base: number, known: Known, random: (n: number) => number): Promise<Reply> {
  const path = `/documents/${known.id}`;
  if (!known.id)
    return client.post("/documents", { title: "T", knowledge_base_id: base, content: tiptap(...someNodes(random)) });
  const position = random(2) ? { document_start: true } : { document_end: true };
  switch (random(10)) {
    case 0:
      known.isOpenDelete = true;
      return client.delete(path);
    case 1:
    case 2:
      return client.put(`${path}/content`, tiptap(...someNodes(random)), { ifMatch: known.version! });
    case 3:
    case 4: {
      const operations = Array.from({ length: 1 + random(20) }, () => ({
        op: "insert",
        position,
        nodes: someNodes(random).slice(0, 3),
      }));
      return client.post(`${path}/batch`, { base_version: known.version, operations });
    }
    default:
      return client.post(
        `${path}/blocks`,
        { position, nodes: someNodes(random).slice(0, 2) },
        { ifMatch: known.version! },
      );
  }
}

/** Compares what the store holds with what was acknowledged. */
async function checkAll(world: World, ada: Person, all: Known[]): Promise<void> {
  const { read } = world.app.services.database;
  const documents = new Map<string, Loose>();
  for (const row of await read
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", ada.workspaceId)
    .execute())
    documents.set(row.id, row);
  for (const known of all) {
    if (!known.id) continue;
    const row = documents.get(known.id);
    if (!row) assert.ok(known.gone || (known.open && known.isOpenDelete), `${known.id} is lost`);
    else {
      assert.ok(!known.gone, `${known.id} is back`);
      if (!known.open) assert.equal(row.version, known.version);
    }
  }
  const unknown = [...documents.keys()].filter((id) => !all.some((known) => known.id === id));
  assert.ok(unknown.length <= all.filter((known) => !known.id).length, "documents that nobody made");
  for (const row of documents.values()) await checkDocument(world, row);
  const counters = await read
    .selectFrom("workspace_counters")
    .selectAll()
    .where("workspace_id", "=", ada.workspaceId)
    .executeTakeFirstOrThrow();
  assert.equal(counters.documents, documents.size);
}

async function checkDocument(world: World, row: Loose): Promise<void> {
  const { read } = world.app.services.database;
  const key = { workspaceId: row.workspace_id, documentId: row.id };
  const stored = await storedSegments(world, row.id);
  const body = await read.selectFrom("bodies").selectAll().where("document_id", "=", row.id).executeTakeFirstOrThrow();
  const blocks = checkVersion(stored, readManifest(body.manifest), body.version);
  assert.equal(body.version, row.version);
  assert.equal(blocks.length, row.block_count);
  assert.equal(characterCount({ type: "doc", content: blocks }), row.character_count);
  const snapshots = await read
    .selectFrom("snapshots")
    .select(["seq", "version"])
    .where("document_id", "=", row.id)
    .orderBy("seq")
    .execute();
  assert.equal(snapshots.at(-1)?.seq ?? 0, body.revision - 1);
  assert.equal(snapshots.length, Math.min(20, body.revision - 1));
  for (const { seq, version } of snapshots) checkVersion(stored, (await getSnapshot(read, key, seq)).manifest, version);
}

/** The segments as the store holds them, not as memory does; each is what its hash says. */
async function storedSegments(world: World, documentId: string): Promise<Map<string, Node[]>> {
  const rows = await world.app.services.database.read
    .selectFrom("segments")
    .select(["hash", "content"])
    .where("document_id", "=", documentId)
    .execute();
  for (const row of rows) assert.equal(hash("sha256", row.content, "base64url"), row.hash);
  return new Map(rows.map((row) => [row.hash, JSON.parse(row.content)]));
}

/** All segments are there, and the version is that of the content, cut anew. */
function checkVersion(stored: ReadonlyMap<string, Node[]>, manifest: Manifest, version: string): Node[] {
  const blocks = manifest.flatMap((entry) => {
    const segment = stored.get(entry.hash);
    assert.equal(segment?.length, entry.count);
    return segment!;
  });
  assert.equal(versionOf(cut(blocks)), version);
  return blocks;
}
