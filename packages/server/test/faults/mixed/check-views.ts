import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Node } from "@svc/document/types";
import { searchableBlocks } from "@svc/search/text/searchable";
import type { Database } from "@svc/server/db/database";
import type { DocumentRow } from "@svc/server/db/schema/tables/documents";
import { listSourceBlocks, listTextBlocks } from "@svc/server/domain/knowledge/localization/blocks/text-blocks";
import { count, emptyTally } from "@svc/server/domain/knowledge/localization/units/unit-state";
import { wantedLinks } from "@svc/server/views/relations/wanted-links";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import type { Client, Loose } from "../../support/client.ts";
import { WORD } from "./scene.ts";
import { storedTally, tallyOf } from "./stored-postings.ts";

export type Bodies = ReadonlyMap<string, { readonly row: DocumentRow; readonly blocks: Node[] }>;

/** Links in bodies and stored relations are the same. */
export async function checkRelations({ read }: Database, bodies: Bodies): Promise<void> {
  for (const [id, { row, blocks }] of bodies) {
    const stored = await read.selectFrom("inline_relations").selectAll().where("document_id", "=", id).execute();
    const shown = (links: readonly Loose[]) =>
      links
        .map((link) => [link.source_block_id, link.top_block_id, link.target_uri, link.anchor_text].join("|"))
        .sort();
    assert.deepEqual(shown(stored), shown(wantedLinks(blocks, row.knowledge_base_id)), id);
    const views = await read.selectFrom("relation_views").select("version").where("document_id", "=", id).execute();
    assert.deepEqual(
      views.map(({ version }) => version),
      [row.version],
    );
  }
}

/** Every translation unit says what the two bodies say, and the tallies are those of a recount. */
export async function checkUnits({ read }: Database, bodies: Bodies): Promise<void> {
  for (const state of await read.selectFrom("translation_states").selectAll().execute()) {
    const source = bodies.get(state.source_document_id);
    const target = bodies.get(state.document_id);
    assert.ok(source && target, "a translation without its documents");
    const units = await read
      .selectFrom("translation_units")
      .selectAll()
      .where("document_id", "=", state.document_id)
      .execute();
    const lines = { blocks: source.blocks, documentType: source.row.document_type };
    const sources = new Map(listSourceBlocks(lines).map((block) => [block.id, block]));
    const targets = new Map(listTextBlocks(target.blocks).map((block) => [block.id, block]));
    for (const unit of units) {
      assert.equal(unit.source_hash, sources.get(unit.source_block_id)?.hash ?? null);
      const there = targets.get(unit.target_block_id ?? "");
      assert.equal(unit.target_present, there ? 1 : 0);
      assert.equal(unit.target_hash, there?.hash ?? null);
    }
    const known = new Set(units.map((unit) => unit.source_block_id));
    for (const id of sources.keys()) assert.ok(known.has(id), "a block without its unit");
    const tally = units.reduce((sum, unit) => count(sum, unit, 1), emptyTally);
    assert.deepEqual(tally, Object.fromEntries(Object.keys(tally).map((key) => [key, Reflect.get(state, key)])));
    assert.equal(state.source_version, source.row.version);
  }
}

/** Search finds what a look through all bodies finds, and the same again from an index that was built anew. */
export async function checkSearch(
  database: Database,
  client: Client,
  workspaceId: string,
  bodies: Bodies,
): Promise<void> {
  await settled(client);
  const found = await walk(client);
  const texts = [...bodies].flatMap(([id, { row, blocks }]) => [
    ...(row.title.includes(WORD) ? [`${id}/null`] : []),
    ...searchableBlocks(blocks).flatMap((block) => (block.text.includes(WORD) ? [`${id}/${block.id}`] : [])),
  ]);
  assert.deepEqual([...found.keys()].sort(), texts.sort());
  const before = await totals(database, workspaceId);
  await checkPostings(database, workspaceId, bodies);
  await database.transaction((tx) => requestReindex(tx, workspaceId));
  await settled(client);
  const again = await walk(client);
  assert.deepEqual([...again.keys()].sort(), texts);
  for (const [name, score] of again)
    assert.ok(Math.abs(score - defined(found.get(name))) < 1e-9, `the score of ${name}`);
  assert.deepEqual(await totals(database, workspaceId), before);
  await checkPostings(database, workspaceId, bodies);
}

/** Every posting of every term, not only of the word that all texts have: none is missing, none is left over. */
async function checkPostings({ snapshot }: Database, workspaceId: string, bodies: Bodies): Promise<void> {
  const texts = [...bodies.values()].flatMap(({ row, blocks }) => [
    row.title,
    ...searchableBlocks(blocks).map(({ text }) => text),
  ]);
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const stored = await snapshot((db) => storedTally(db, workspaceId));
    if (stored) return assert.deepEqual(stored, tallyOf(texts));
    assert.ok(Date.now() < deadline, "what was deleted stays in the index");
  }
}

async function totals({ read }: Database, workspaceId: string): Promise<number[]> {
  const row = await read
    .selectFrom("search_counters")
    .select(["blocks", "total_length"])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return [row.blocks, row.total_length];
}

async function walk(client: Client): Promise<Map<string, number>> {
  const hits = new Map<string, number>();
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`/search/v2?q=${WORD}&mode=exhaustive&limit=100&locale=all${cursor}`);
    for (const hit of body.data) {
      const name = `${hit.document_id}/${hit.block_id}`;
      assert.ok(!hits.has(name), `${name} was found twice`);
      hits.set(name, hit.score);
    }
    if (!body.page.has_more) return hits;
    cursor = `&cursor=${encodeURIComponent(body.page.next_cursor)}`;
  }
}

/** Until nothing waits to be indexed. */
async function settled(client: Client): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const { body } = await client.get(`/search/v2?q=${WORD}&locale=all`);
    if (body?.projection?.complete) return;
    assert.ok(Date.now() < deadline, "the index was not completed");
  }
}
