import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { code, h, id, li, p, quote, ul } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { changeBody } from "@svc/server/bodies/change-body";
import { withManifest } from "@svc/server/bodies/history/read-state";
import { getBodyState, loadSegments, readBody, readBodyOnce } from "@svc/server/bodies/load-body";
import { manifestOf, versionOf } from "@svc/server/bodies/manifest";
import { cut } from "@svc/server/bodies/segment";
import { getSnapshot } from "@svc/server/bodies/snapshots";
import type { DocumentKey } from "@svc/server/db/document-key";
import { loadVersion } from "@svc/server/domain/content/versions/load-version";
import type { ChangeReason } from "@svc/server/services/body-views";
import fc from "fast-check";
import { makeBody } from "../../support/bodies.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

const RETENTION = 4;
/** Snapshots beyond the limit are removed eight at a time. */
const MAX_STORED = RETENTION + 7;

const actorOf = (person: Person) => ({
  userId: person.userId,
  tokenId: person.tokenId,
  client: { name: null, version: null, isAgent: false } as never,
});

const write = (
  world: World,
  person: Person,
  key: DocumentKey,
  blocks: readonly Node[],
  reason: ChangeReason = "content",
) =>
  world.app.services.database.transaction((tx) =>
    changeBody(world.app.services, tx, {
      key,
      reason,
      actor: actorOf(person),
      expected: undefined,
      edit: (current) => {
        const stored = new Map(current.blocks.map((block) => [JSON.stringify(block), block]));
        return blocks.map((block) => stored.get(JSON.stringify(block)) ?? block);
      },
    }),
  );

/** How often the event loop turns while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  return turns;
}

/** Hashes of the segments that are stored, and of those that the body, its snapshots and its history need. */
async function segmentsOf(world: World, key: DocumentKey): Promise<{ stored: Set<string>; needed: Set<string> }> {
  const { read } = world.app.services.database;
  const rows = await read.selectFrom("segments").select("hash").where("document_id", "=", key.documentId).execute();
  const body = await read
    .selectFrom("bodies")
    .selectAll()
    .where("document_id", "=", key.documentId)
    .executeTakeFirstOrThrow();
  const snapshots = await read
    .selectFrom("snapshots")
    .select("seq")
    .where("document_id", "=", key.documentId)
    .execute();
  const needed = new Set(manifestOf(body).map((entry) => entry.hash));
  assert.ok(snapshots.length <= MAX_STORED, `${snapshots.length} snapshots are stored`);
  for (const { seq } of snapshots)
    for (const entry of (await getSnapshot(read, key, seq, MAX_STORED)).manifest) needed.add(entry.hash);
  const states = await read
    .selectFrom("history_states")
    .select("id")
    .where("document_id", "=", key.documentId)
    .execute();
  for (const { id } of states)
    await withManifest(read, key, id, async (manifest) => {
      for (const { hash } of manifest) needed.add(hash);
    });
  return { stored: new Set(rows.map((row) => row.hash)), needed };
}

const size = fc.constantFrom(1, 30, 400, 2000, 20_000);
const node = fc.tuple(fc.nat(4), size, fc.nat(9)).map(([kind, length, salt]): Node => {
  const value = String(salt).repeat(length);
  return defined(
    [p(value), h(1 + (salt % 6), value), code(value), quote(p(value)), ul(li(p(value)), li(p("x")))][kind],
  );
});
/** Replaces a run of blocks: where it begins and how long it is as parts of the body, and what comes in. */
const edit = fc.record({
  at: fc.nat(1000),
  remove: fc.nat(12),
  insert: fc.array(node, { maxLength: 12 }),
  live: fc.boolean(),
});

const sortKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortKeys)
    : value && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sortKeys(v)]),
        )
      : value;

let nextId = 1;
/** In canonical form, with ids in all blocks, as bodies are stored. */
const withIds = (block: Node): Node =>
  sortKeys(
    id(nextId++, {
      ...block,
      ...(block.content && defined(block.content[0]).type !== "text" && { content: block.content.map(withIds) }),
    }),
  ) as Node;

onEachDatabase(
  "the body store",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });

    test("BODY20 any history of edits, live ones among them: the version follows from content alone, snapshots are exact, segments neither miss nor linger", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 14 }), fc.boolean(), async (edits, goBack) => {
          const document = await makeBody(ada.client, []);
          const key = { workspaceId: ada.workspaceId, documentId: document.id };
          const states: { version: string; blocks: readonly Node[] }[] = [{ version: document.version, blocks: [] }];
          for (const [index, { at, remove, insert, live }] of edits.entries()) {
            const current = defined(states.at(-1)).blocks;
            const start = at % (current.length + 1);
            const changed = [...current.slice(0, start), ...insert.map(withIds), ...current.slice(start + remove)];
            const blocks = (goBack && index % 3 === 2 && states.at(-2)?.blocks) || changed;
            const { version, changed: isNew } = await write(world, ada, key, blocks, live ? "live" : "content");
            assert.equal(version, versionOf(cut(JSON.parse(JSON.stringify(blocks)))));
            assert.equal(isNew, version !== defined(states.at(-1)).version);
            // A live change leaves no snapshot of what was before it.
            if (isNew && live) states.pop();
            if (isNew) states.push({ version, blocks });
          }
          await checkStore(key, states);
        }),
        { numRuns: world.kind === "sqlite" ? 25 : 10, seed: 4 },
      );
    });

    // On PostgreSQL the event loop turns with every statement.
    if (world.kind === "sqlite")
      test("BODY30 between the steps of a write that brings or takes much others run, of a small edit not", async () => {
        const document = await makeBody(ada.client, []);
        const key = { workspaceId: ada.workspaceId, documentId: document.id };
        const blocks = Array.from({ length: 60 }, (_, i) => withIds(p(String(i).repeat(5000))));
        const long = await turnsDuring(() => write(world, ada, key, blocks));
        const short = await turnsDuring(() => write(world, ada, key, [...blocks.slice(1), withIds(p("new"))]));
        const emptying = await turnsDuring(() => write(world, ada, key, [withIds(p("left"))]));
        assert.ok(long >= short + 5, `${long} and ${short} turns of the event loop`);
        assert.ok(emptying >= short + 5, `${emptying} and ${short} turns of the event loop`);
      });

    if (world.kind === "sqlite")
      test("BODY30 others run between the parts of very many links that come or go", async () => {
        const document = await makeBody(ada.client, []);
        const key = { workspaceId: ada.workspaceId, documentId: document.id };
        const link = (i: number): Node => ({
          type: "text",
          text: `${i}`,
          marks: [{ type: "link", attrs: { href: `svc://doc/doc_${i}` } }],
        });
        const linksFrom = (first: number) => {
          const line = Array.from({ length: 4000 }, (_, i) => link(first + i));
          return [withIds({ type: "paragraph", content: line })];
        };
        const few = await turnsDuring(() => write(world, ada, key, [withIds(p("none"))]));
        const coming = await turnsDuring(() => write(world, ada, key, linksFrom(0)));
        const going = await turnsDuring(() => write(world, ada, key, linksFrom(4000)));
        assert.ok(coming >= few + 4, `${coming} and ${few} turns of the event loop`);
        assert.ok(going >= few + 8, `${going} and ${few} turns of the event loop`);
      });

    async function checkStore(key: DocumentKey, states: { version: string; blocks: readonly Node[] }[]): Promise<void> {
      const { read } = world.app.services.database;
      assert.deepEqual((await readBody(read, key)).blocks, defined(states.at(-1)).blocks);
      const first = Math.max(1, states.length - RETENTION);
      if (first > 1) await assert.rejects(loadVersion(read, key, first - 1, RETENTION), { code: "not_found" });
      for (let seq = first; seq < states.length; seq++) {
        const snapshot = await loadVersion(read, key, seq, RETENTION);
        assert.equal(snapshot.version, defined(states[seq - 1]).version);
        assert.deepEqual(snapshot.blocks, defined(states[seq - 1]).blocks);
      }
      const { stored, needed } = await segmentsOf(world, key);
      assert.deepEqual([...stored].sort(), [...needed].sort());
    }
  },
  { SVC_VERSION_RETENTION: String(RETENTION) },
);

onEachDatabase("the room that versions take", (world) => {
  /** Bytes of all that is stored of a body. */
  async function storedBytes(documentId: string): Promise<number> {
    const { read } = world.app.services.database;
    const tables = ["bodies", "segments", "snapshots"] as const;
    let bytes = 0;
    for (const table of tables)
      for (const row of await read.selectFrom(table).selectAll().where("document_id", "=", documentId).execute())
        bytes += Object.values(row).reduce((sum: number, value) => sum + Buffer.byteLength(String(value)), 0);
    return bytes;
  }

  for (const [title, count, length] of [
    ["250 blocks of 4 KB", 250, 4000],
    ["2,500 blocks of 400 bytes", 2500, 320],
    ["10,000 blocks of 100 bytes", 10_000, 25],
  ] as const)
    test(`BODY21 20 snapshots of a body of 1 MB, one block edited each, take at most 1.2 times the room of one: ${title}`, async () => {
      const ada = await world.person();
      const texts = Array.from({ length: count }, (_, i) => `${i} `.padEnd(length, "lorem ipsum "));
      const document = await makeBody(
        ada.client,
        texts.map((value, i) => id(i + 1, p(value))),
      );
      const key = { workspaceId: ada.workspaceId, documentId: document.id };
      const once = await storedBytes(document.id);
      for (let i = 0; i < 20; i++) {
        const blocks = (await readBody(world.app.services.database.read, key)).blocks;
        const at = Math.floor((i + 0.5) * (count / 20));
        await write(
          world,
          ada,
          key,
          blocks.with(at, { ...defined(blocks[at]), content: defined(p(`edit ${i} ${texts[at]}`).content) }),
        );
      }
      const ratio = (await storedBytes(document.id)) / once;
      assert.ok(ratio <= 1.2, `${ratio.toFixed(3)} times`);
    });
});

onEachDatabase("the row of a long body", (world) => {
  const rowOf = (key: DocumentKey) =>
    world.app.services.database.read
      .selectFrom("bodies")
      .selectAll()
      .where("document_id", "=", key.documentId)
      .executeTakeFirstOrThrow();

  test("BODY20 most edits of a long body leave its manifest as it is stored and add a short step; each state and snapshot is exact", async () => {
    const ada = await world.person();
    const text = "lorem ipsum ".repeat(60);
    const document = await makeBody(
      ada.client,
      Array.from({ length: 500 }, (_, i) => id(i + 1, p(`${i} ${text}`))),
    );
    const key = { workspaceId: ada.workspaceId, documentId: document.id };
    const { read } = world.app.services.database;
    let { blocks } = await readBody(read, key);
    const stored = new Set([(await rowOf(key)).manifest]);
    const edited = async (next: readonly Node[]) => {
      blocks = next;
      const { version } = await write(world, ada, key, blocks);
      const row = await rowOf(key);
      assert.equal(version, versionOf(cut(JSON.parse(JSON.stringify(blocks)))));
      assert.equal(versionOf(manifestOf(row)), version);
      // Reads it in a process with an empty cache.
      const segments = await loadSegments(read, key, manifestOf(row), false);
      const parsed = segments.flatMap((segment) => segment.readBlocks());
      // As JSON: blocks that are parsed for one use name members that they do not have.
      assert.deepEqual(JSON.parse(JSON.stringify(parsed)), blocks);
      assert.ok(row.steps.length < 2000, `${row.steps.length} characters of steps`);
      stored.add(row.manifest);
    };
    const versions: string[] = [];
    for (let i = 0; i < 36; i++) {
      versions.push((await readBody(read, key)).version);
      const at = (i * 37) % blocks.length;
      const changed = sortKeys({ ...defined(blocks[at]), content: defined(p(`edit ${i} ${text}`).content) }) as Node;
      // Now and then a block goes, or the one before it comes again under another id.
      await edited(
        blocks.toSpliced(at, 1, ...(i % 7 === 3 ? [] : i % 7 === 5 ? [changed, withIds(p(text))] : [changed])),
      );
    }
    assert.ok(stored.size <= 6, `the manifest was written ${stored.size} times`);
    for (let back = 1; back <= 20; back++) {
      const snapshot = await getSnapshot(read, key, versions.length + 1 - back, 20);
      assert.equal(versionOf(snapshot.manifest), versions.at(-back));
    }
    await edited(blocks.slice(0, 90));
    await edited(blocks.slice(0, 89));
    assert.equal((await rowOf(key)).steps, "");
    assert.notEqual((await getBodyState(read, key)).manifest, null);
  });
});

onEachDatabase("bodies in memory", (world) => {
  test("a body that is read once is right and not kept; one that is read stays", async () => {
    const ada = await world.person();
    const document = await makeBody(ada.client, [id(1, p(`of ${ada.userId}`)), id(2, p("two"))]);
    const key = { workspaceId: ada.workspaceId, documentId: document.id };
    const { database } = world.app.services;
    // A revision that no process has in memory.
    await database.transaction((tx) =>
      tx.updateTable("bodies").set({ revision: 7 }).where("document_id", "=", document.id).execute(),
    );
    const state = await getBodyState(database.read, key);
    const once = await readBodyOnce(database.read, key, state);
    assert.equal(once.revision, 7);
    assert.notEqual(await readBodyOnce(database.read, key, state), once);
    const kept = await readBody(database.read, key, state);
    assert.equal(await readBodyOnce(database.read, key, state), kept);
    assert.deepEqual(once.blocks, kept.blocks);
  });
});
