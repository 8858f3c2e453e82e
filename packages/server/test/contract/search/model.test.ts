import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { parseQuery, type Query } from "@svc/search/query/query";
import { type ReferenceBlock, referenceSearch } from "@svc/search/testing/reference";
import { searchableBlocks } from "@svc/search/text/searchable";
import { readBody } from "@svc/server/bodies/load-body";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import type { Client, Loose } from "../../support/client.ts";
import { makeFolder, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

/** Deterministic numbers in [0, 1). */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const words = [
  "cat",
  "Dog",
  "naïve",
  "über",
  "文档",
  "知识库",
  "검색은",
  "getUserName",
  "user_name",
  "the",
  "a",
  "of",
  "x1",
  "ไทย",
];
const queries = [
  "cat",
  "dog",
  "the a",
  '"the cat"',
  "naive",
  "文档",
  "知识",
  "검색",
  "user",
  "the -cat",
  "getuser*",
  "a of the",
  "用",
  "zzz",
];

/** Writes at random, through the API alone. */
class Writer {
  readonly #client: Client;
  readonly #random: () => number;
  readonly #base: Loose;
  readonly #folder: Loose;
  /** In order of creation; deleted ones stay. */
  readonly ids: string[] = [];
  readonly #deleted: string[] = [];

  constructor(client: Client, random: () => number, base: Loose, folder: Loose) {
    this.#client = client;
    this.#random = random;
    this.#base = base;
    this.#folder = folder;
  }

  /** One of them, which may be null; undefined where there is none. */
  #pick = <T>(items: readonly T[]): T => items[Math.floor(this.#random() * items.length)]!;
  #line = (): string => Array.from({ length: 1 + Math.floor(this.#random() * 8) }, () => this.#pick(words)).join(" ");
  #text = (): string =>
    Array.from(
      { length: 1 + Math.floor(this.#random() * 6) },
      () => this.#pick(["", "# ", "- ", "> "]) + this.#line(),
    ).join("\n\n");
  #living = (): string[] => this.ids.filter((id) => !this.#deleted.includes(id));

  async write(): Promise<void> {
    const id = this.#pick<string | undefined>(this.#living());
    const path = `/documents/${id}`;
    const roll = this.#random();
    if (!id || roll < 0.2) await this.#create();
    else if (roll < 0.4) await this.#client.put(`${path}/content`, markdown(this.#text()), { ifMatch: "*" });
    else if (roll < 0.6) await this.#editBlock(path);
    else if (roll < 0.7) await this.#client.patch(path, { title: this.#line() });
    else if (roll < 0.75) await this.#client.patch(path, { folder_id: this.#pick([null, this.#folder.id]) });
    else if (roll < 0.85) await this.#delete(id);
    else if (roll < 0.92) await this.#restore();
    else if (roll < 0.97) await this.#rollback(path);
    else await this.#client.put(`${path}/content`, markdown(this.#text()), { ifMatch: "sha256:wrong" });
  }

  async #create(): Promise<void> {
    const body = { title: this.#line(), knowledge_base_id: this.#base.id, content: markdown(this.#text()) };
    this.ids.push((await this.#client.post("/documents", body, { key: `k${this.ids.length}` })).data.id);
  }

  async #editBlock(path: string): Promise<void> {
    const block = this.#pick<Loose>((await this.#client.get(`${path}/blocks`)).data);
    const content = [{ type: "text", text: this.#line() }];
    if (block?.type === "paragraph") await this.#client.patch(`${path}/blocks/${block.id}`, { content });
    else if (block) await this.#client.delete(`${path}/blocks/${block.id}`);
  }

  async #delete(id: string): Promise<void> {
    if (this.#living().length < 3) return;
    await this.#client.delete(`/documents/${id}`);
    this.#deleted.push(id);
  }

  async #restore(): Promise<void> {
    const [entry] = (await this.#client.get("/trash")).data;
    if (!entry) return;
    await this.#client.post(`/trash/${entry.id}/restore`);
    this.#deleted.splice(this.#deleted.indexOf(entry.item_id), 1);
  }

  async #rollback(path: string): Promise<void> {
    const [version] = (await this.#client.get(`${path}/versions`)).data;
    if (version) await this.#client.post(`${path}/versions/${version.seq}/rollback`, undefined, { ifMatch: "*" });
  }
}

interface Text extends ReferenceBlock {
  documentId: string;
  blockId: string | null;
}

/** Every text that search should know, from the bodies themselves. */
async function textsOf({ app }: World, workspaceId: string): Promise<Text[]> {
  const { read } = app.services.database;
  const documents = await read.selectFrom("documents").selectAll().where("workspace_id", "=", workspaceId).execute();
  const texts: Text[] = [];
  for (const [document, { id: documentId, title }] of documents.entries()) {
    const body = await readBody(read, { workspaceId, documentId });
    texts.push({ number: texts.length, document, documentId, blockId: null, field: "title", text: title });
    for (const { id, text } of searchableBlocks(body.blocks))
      texts.push({ number: texts.length, document, documentId, blockId: id, field: "content", text });
  }
  return texts;
}

const nameOf = (hit: { document_id: string; block_id: string | null }) => `${hit.document_id}/${hit.block_id}`;

async function walk(
  client: Client,
  q: string,
  mode: string,
): Promise<{ hits: Loose[]; counts: Loose; projection: Loose }> {
  const hits: Loose[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await client.get(`/search/v2?q=${encodeURIComponent(q)}&mode=${mode}&match=all&limit=40${cursor}`);
    hits.push(...body.data);
    if (!body.page.has_more) return { hits, counts: body.hits, projection: body.projection };
    cursor = `&cursor=${encodeURIComponent(body.page.next_cursor)}`;
  }
}

/** The API's answers are those of a scan of all texts, in both modes; tells scores by place for the other database. */
async function assertEqualsReference(client: Client, texts: readonly Text[]): Promise<number[][]> {
  const seen: number[][] = [];
  for (const q of queries) {
    const expected = referenceSearch(texts, parseQuery(q) as Query);
    const scores = new Map(
      expected.map((hit) => {
        const { documentId, blockId } = defined(texts[hit.number]);
        return [`${documentId}/${blockId}`, hit.score];
      }),
    );
    for (const mode of ["topk", "exhaustive"]) {
      const { hits, counts, projection } = await walk(client, q, mode);
      assert.deepEqual(projection, { complete: true, stale_count: 0, stale_document_ids: [] });
      assert.deepEqual(hits.map(nameOf).sort(), [...scores.keys()].sort(), `${mode} ${q}`);
      assert.equal(counts.total, hits.length);
      for (const hit of hits) assert.ok(Math.abs(hit.score - defined(scores.get(nameOf(hit)))) < 1e-9, `${mode} ${q}`);
      if (mode === "topk") {
        const free = hits.map((hit) => hit.score).filter((_, i) => hits[i].title.toLowerCase() !== q);
        assert.deepEqual(
          free,
          [...free].sort((a, b) => b - a),
        );
        seen.push(free);
      }
    }
  }
  return seen;
}

/** Until the index is complete again. */
const settled = (client: Client): Promise<void> =>
  until(
    "the index is complete",
    async () => (await client.get("/search/v2?q=the&locale=all")).body.projection.complete,
  );

const scoresByDatabase: number[][][] = [];

onEachDatabase("search against a scan of all texts", (world) => {
  test("SRCH16 incremental, rebuilt and scanned results are the same, on every database", async () => {
    const ada: Person = await world.person();
    const base = await makeKnowledgeBase(ada.client);
    const folder = await makeFolder(ada.client, { knowledge_base_id: base.id });
    const writer = new Writer(ada.client, randomSource(20), base, folder);
    for (let i = 0; i < 10; i++) await writer.write();
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 45; i++) await writer.write();
      await assertEqualsReference(ada.client, await textsOf(world, ada.workspaceId));
    }
    const texts = await textsOf(world, ada.workspaceId);
    const incremental = await assertEqualsReference(ada.client, texts);
    await world.app.services.database.transaction((tx) => requestReindex(tx, ada.workspaceId));
    await settled(ada.client);
    const rebuilt = await assertEqualsReference(ada.client, texts);
    assert.deepEqual(rebuilt, incremental);
    scoresByDatabase.push(incremental);
    assert.deepEqual(scoresByDatabase[0], incremental);
  });
});
