import { defined } from "@svc/document/defined";
import type { Seed } from "../bare/serve.ts";
import { article, paragraphs, type Random, randomFrom } from "../corpus/text.ts";
import { Api } from "./api.ts";
import { bareServer, ours, type Programs, type Running, startServer } from "./processes.ts";
import type { Scale } from "./run.ts";
import { type DatabaseKind, makeStore, type Store } from "./store.ts";

const BASES = 10;

interface Document {
  readonly id: string;
  readonly text: string;
}

/** A document whose blocks are edited. */
export interface Blocks {
  readonly id: string;
  readonly blocks: readonly string[];
}

/** svc and the bare server of one database side by side, with the same documents in them. */
export interface Stand {
  readonly scale: Scale;
  readonly store: Store;
  readonly svc: Running;
  readonly bare: Running;
  /** svc on the same store, with caches that hold next to nothing; where it is needed. */
  readonly forgetful?: Running;
  readonly api: Api;
  readonly random: Random;
  readonly documents: readonly Document[];
  /** The documents that warm reads cycle through; the bare server has every answer about them. */
  readonly read: readonly Document[];
  /** One of the knowledge bases that the documents are spread over. */
  readonly base: number;
  close(): Promise<void>;
}

interface StandOptions {
  readonly nodeOptions?: readonly string[];
  /** Bodies of the documents; synthetic ones unless given. */
  readonly texts?: readonly string[];
  /** The same server at another commit. */
  readonly programs?: Programs;
}

export async function makeStand(kind: DatabaseKind, scale: Scale, options: StandOptions = {}): Promise<Stand> {
  const { programs = ours } = options;
  const store = await makeStore(kind, programs);
  const svc = await startServer(programs.server, store.settings, options.nodeOptions);
  const bare = await startServer(bareServer(`documents-${kind}`), store.bare);
  const api = new Api(svc.address, store.headers);
  const random = randomFrom(2);
  const texts = options.texts ?? Array.from({ length: scale.documents }, () => article(random));
  const bases: number[] = [];
  for (let i = 0; i < BASES; i++)
    bases.push((await api.data("POST", "/api/v1/knowledge-bases", { name: `Base ${i}` })).id);
  const made = await api.each(texts.length, (i) => ({
    method: "POST",
    path: "/api/v1/documents",
    body: {
      title: `Document ${i}`,
      knowledge_base_id: bases[i % BASES],
      content: { format: "markdown", content: texts[i] },
    },
  }));
  const documents = made.map((answer, i) => ({ id: String(JSON.parse(answer).data.id), text: defined(texts[i]) }));
  const read = documents.slice(0, scale.readDocuments);
  await seedBare(new Api(bare.address), api, documents, read.length);
  await store.analyze();
  return {
    scale,
    store,
    svc,
    bare,
    api,
    random,
    documents,
    read,
    base: defined(bases[0]),
    close: async () => {
      await svc.stop();
      await bare.stop();
      await store.remove();
    },
  };
}

/** Gives the bare server what svc answers, so that both send the same bytes. */
async function seedBare(bare: Api, api: Api, documents: readonly Document[], readCount: number): Promise<void> {
  const get = (path: (id: string) => string, count = documents.length) =>
    api.each(count, (i) => ({ method: "GET", path: `/api/v1/documents/${path(defined(documents[i]).id)}` }));
  const metas = await get((id) => id);
  const lists = await get((id) => `${id}/blocks?limit=2`, readCount);
  const blocks = new Map(lists.map((answer, i) => [defined(documents[i]).id, secondBlock(answer)]));
  const kinds = {
    tiptap: await get((id) => `${id}/content`, readCount),
    html: await get((id) => `${id}/content?format=html`, readCount),
    outline: await get((id) => `${id}/outline`, readCount),
    block: await get((id) => `${id}/blocks/${blocks.get(id)}`, readCount),
  };
  const markdown = await get((id) => `${id}/content?format=markdown`, readCount);
  const seeds = documents.map(({ id, text }, i): Seed => {
    const { data } = JSON.parse(defined(metas[i]));
    const { title, document_type, folder_id, updated_at } = data;
    return {
      id,
      base: data.knowledge_base_id,
      meta: JSON.stringify(data),
      item: JSON.stringify({ type: "document", id, title, document_type, folder_id, updated_at }),
      version: data.version,
      markdown: markdown[i] ?? text,
      answers:
        i < readCount
          ? Object.fromEntries(Object.entries(kinds).map(([kind, answers]) => [kind, defined(answers[i])]))
          : {},
    };
  });
  for (let from = 0; from < seeds.length; from += 100) await bare.text("POST", "/seed", seeds.slice(from, from + 100));
}

const secondBlock = (answer: string): string => JSON.parse(answer).data[1].id;

/** The path of a block. */
export const blockPath = (document: string, block: string): string => `/api/v1/documents/${document}/blocks/${block}`;

/** The path of the second block of each document that is read. */
export async function blockPaths({ api, read }: Stand): Promise<string[]> {
  const path = (i: number) => `/api/v1/documents/${defined(read[i]).id}/blocks?limit=2`;
  const answers = await api.each(read.length, (i) => ({ method: "GET", path: path(i) }));
  return answers.map((answer, i) => blockPath(defined(read[i]).id, secondBlock(answer)));
}

/** New documents of one-line paragraphs, and the ids of up to 100 of their blocks, spread over the whole body. */
export async function makeBlocks(
  { api, random, base }: Pick<Stand, "api" | "random" | "base">,
  count: number,
  blocks: number,
): Promise<Blocks[]> {
  const made = await api.each(count, (i) => ({
    method: "POST",
    path: "/api/v1/documents",
    body: {
      title: `Blocks ${i}`,
      knowledge_base_id: base,
      content: { format: "markdown", content: paragraphs(random, blocks) },
    },
  }));
  const ids = made.map((answer) => String(JSON.parse(answer).data.id));
  const lists = await api.each(count, (i) => ({ method: "GET", path: `/api/v1/documents/${ids[i]}/blocks` }));
  return lists.map((answer, i) => {
    const all = Array.from<{ id: string }, string>(JSON.parse(answer).data, (block) => block.id);
    const step = Math.max(1, Math.floor(all.length / 100));
    return { id: defined(ids[i]), blocks: all.filter((_, at) => at % step === 0).slice(0, 100) };
  });
}
