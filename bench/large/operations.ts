import { randomUUID } from "node:crypto";
import { defined } from "@svc/document/defined";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { type Random, randomFrom } from "../corpus/random.ts";
import { sentence, wordsOfRank } from "../corpus/text.ts";
import type { Api } from "../harness/api.ts";
import type { Call } from "../harness/request.ts";
import { markerOf, PER_ARCHIVE, PER_MARKER } from "./corpus.ts";
import type { LargeStore } from "./place.ts";

/** What requests are made of: documents of the store by chance, and where things are. */
export interface Sample {
  readonly random: Random;
  readonly archives: number;
  readonly ids: readonly string[];
  /** A block of each of the first ones. */
  readonly blocks: readonly string[];
  readonly bases: readonly number[];
  readonly folders: readonly number[];
  /** The cursor of a page deep in the list. */
  readonly cursor: string;
}

export interface Operation {
  readonly name: string;
  /** Requests of one round. */
  readonly count: number;
  call(sample: Sample, index: number): Call;
}

const SAMPLED = 1000;
/** So many pages of 100 are turned for the page that is deep in the list: half of a store of ten thousand. */
const DEEP_PAGES = 50;

/** Chosen by their ids, which follow the time: evenly over the store, without a look at every row. */
export async function takeSample(store: LargeStore, api: Api): Promise<Sample> {
  const database = await connect(readConfig(store.settings), { warn: () => undefined });
  const random = randomFrom(11);
  const { read } = database;
  try {
    const bases = await read.selectFrom("knowledge_bases").select("id").where("document_count", ">", 0).execute();
    const ids: string[] = [];
    const folders: number[] = [];
    const each = Math.max(1, Math.ceil(SAMPLED / bases.length));
    for (const { id } of bases) {
      const inside = read.selectFrom("documents").select(["id", "folder_id"]).where("knowledge_base_id", "=", id);
      for (const row of (await inside.execute()).sort(() => random(3) - 1).slice(0, each)) {
        ids.push(row.id);
        if (row.folder_id !== null) folders.push(row.folder_id);
      }
    }
    const blocks: string[] = [];
    for (const id of ids.slice(0, SAMPLED / 2))
      blocks.push((await api.data("GET", `/api/v1/documents/${id}/blocks?limit=2`))[1].id);
    return {
      random,
      archives: store.known.archives,
      ids,
      blocks,
      bases: bases.map(({ id }) => id),
      folders,
      cursor: await turnPages(api),
    };
  } finally {
    await database.close();
  }
}

async function turnPages(api: Api): Promise<string> {
  let cursor = "";
  for (let page = 0; page < DEEP_PAGES; page++) {
    const answer = JSON.parse(await api.text("GET", `/api/v1/documents?limit=100${cursor}`));
    if (!answer.page.has_more) break;
    cursor = `&cursor=${encodeURIComponent(answer.page.next_cursor)}`;
  }
  return cursor;
}

const any = <T>({ random }: Sample, list: readonly T[]): T => defined(list[random(list.length)]);
const get = (path: string): Call => ({ method: "GET", path: `/api/v1${path}` });
const search = (words: string): Call => get(`/search/v2?q=${encodeURIComponent(words)}&limit=10`);

/** In 3 to 45 of a hundred documents, and in 1 to 3: so many that hardly any is asked for twice. */
const frequent = wordsOfRank(10, 200);
const usual = wordsOfRank(200, 1000);

export const operations: readonly Operation[] = [
  { name: "list of documents, first page of 25", count: 100, call: () => get("/documents?limit=25") },
  { name: "list of documents, page 200 of 25", count: 100, call: ({ cursor }) => get(`/documents?limit=25${cursor}`) },
  { name: "list by the time of change", count: 100, call: () => get("/documents?limit=25&sort=updated_at") },
  { name: "list of knowledge bases", count: 50, call: () => get("/knowledge-bases?limit=25") },
  {
    name: "tree of a knowledge base of 10,000 documents",
    count: 5,
    call: (sample) => get(`/knowledge-bases/${any(sample, sample.bases)}/tree`),
  },
  {
    name: "folder of 100 documents",
    count: 100,
    call: (sample) => get(`/folders/${any(sample, sample.folders)}/children`),
  },
  { name: "metadata, any document", count: 200, call: (sample) => get(`/documents/${any(sample, sample.ids)}`) },
  {
    name: "body as Markdown, any document",
    count: 200,
    call: (sample) => get(`/documents/${any(sample, sample.ids)}/content?format=markdown`),
  },
  {
    name: `search, a word of ${PER_MARKER} documents`,
    count: 100,
    call: (sample) => search(markerOf(sample.random(sample.archives), sample.random(PER_ARCHIVE / PER_MARKER))),
  },
  { name: "search, a frequent word", count: 20, call: (sample) => search(any(sample, frequent)) },
  {
    name: "search, two usual words",
    count: 40,
    call: (sample) => search(`${any(sample, usual)} ${any(sample, usual)}`),
  },
  {
    name: "edit a block, any document",
    count: 50,
    call: (sample) => {
      const at = sample.random(sample.blocks.length);
      const id = sample.blocks[at];
      const content = [{ type: "text", text: sentence(sample.random, 25) }];
      return {
        method: "PATCH",
        path: `/api/v1/documents/${sample.ids[at]}/blocks/${id}`,
        body: { node: { type: "paragraph", attrs: { id }, content } },
      };
    },
  },
  {
    name: "create a document",
    count: 50,
    call: (sample) => ({
      method: "POST",
      path: "/api/v1/documents",
      body: {
        title: `New ${randomUUID()}`,
        knowledge_base_id: any(sample, sample.bases),
        content: { format: "markdown", content: sentence(sample.random, 60) },
      },
    }),
  },
];
