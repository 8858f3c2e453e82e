import { defined } from "@svc/document/defined";
import { article, type Random, randomFrom, sentence } from "../corpus/text.ts";
import { type Api, bytesOf } from "../harness/api.ts";
import type { Requests } from "../harness/drive.ts";
import { type Blocks, blockPath, makeBlocks, type Stand } from "../harness/stand.ts";
import { least, type Operation, side } from "./operation.ts";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const anyMatch = { "if-match": "*" };

/** Material for edits. */
interface Editor {
  readonly api: Api;
  readonly random: Random;
}

/** Edits of single blocks, in one document after another, each time with another text. */
export const edits =
  ({ api, random }: Editor, documents: readonly Blocks[]): Requests =>
  (i) => {
    const { id, blocks } = defined(documents[i % documents.length]);
    const block = defined(blocks[Math.floor(i / documents.length) % blocks.length]);
    const body = { node: paragraph(sentence(random, 9)) };
    return api.bytes({ method: "PATCH", path: blockPath(id, block), headers: anyMatch, body });
  };

/** Batches that replace up to a hundred blocks. */
export const batches =
  ({ api, random }: Editor, documents: readonly Blocks[]): Requests =>
  (i) => {
    const { id, blocks } = defined(documents[i % documents.length]);
    const operations = blocks.map((block_id) => ({ op: "replace", block_id, node: paragraph(sentence(random, 9)) }));
    const path = `/api/v1/documents/${id}/batch`;
    return api.bytes({ method: "POST", path, headers: anyMatch, body: { operations } });
  };

/** The number at the end of a sentence: of the one before bold text, or of the first. */
const numberIn = (text: string): RegExp => (text.includes(". **") ? /\d+\.(?= \*\*)/ : /\d+\.(?=\n)/);

/** The whole body of one document after another, of which one paragraph changes. */
export const rewrites =
  ({ api }: Editor, documents: readonly { readonly id: string; readonly anchored: string }[]): Requests =>
  (i) => {
    const { id, anchored } = defined(documents[i % documents.length]);
    const content = anchored.replace(numberIn(anchored), `${i}.`);
    const path = `/api/v1/documents/${id}/content`;
    return api.bytes({ method: "PUT", path, headers: anyMatch, body: { format: "markdown", content } });
  };

/** Bodies as Markdown with the ids of their blocks. */
export async function anchoredOf(api: Api, ids: readonly string[]): Promise<{ id: string; anchored: string }[]> {
  const path = (i: number) => `/api/v1/documents/${ids[i]}/content?format=markdown&annotate=anchors`;
  const texts = await api.each(ids.length, (i) => ({ method: "GET", path: path(i) }));
  return texts.map((anchored, i) => ({ id: defined(ids[i]), anchored }));
}

const random = randomFrom(3);
const articles = Array.from({ length: 97 }, () => article(random));

const ROW = "the row alone, durably";
const SAVE = "the row with its index by block, a snapshot and a hash, durably";

/** A bare write of a whole body to one document after another. */
const bareWrite =
  (route: "row" | "save", { read }: Stand): Requests =>
  (i) =>
    bytesOf({
      method: "PUT",
      path: `/${route}/${defined(read[i % read.length]).id}`,
      body: { text: `${articles[i % 97]}${i}` },
    });

/** The documents that edits use, made once for each stand. */
const made = new WeakMap<Stand, Map<string, Promise<Blocks[]>>>();
function documentsOf(stand: Stand, count: number, blocks: number): Promise<Blocks[]> {
  const known = made.get(stand) ?? new Map<string, Promise<Blocks[]>>();
  made.set(stand, known);
  const name = `${count} of ${blocks}`;
  const documents = known.get(name) ?? makeBlocks(stand, count, blocks);
  known.set(name, documents);
  return documents;
}
const spread = (stand: Stand) => documentsOf(stand, stand.scale.editDocuments, 100);
const hot = (stand: Stand) => documentsOf(stand, 1, 100);
const large = (stand: Stand) => documentsOf(stand, 1, stand.scale.largeBlocks);

const replaceAll: Operation = {
  name: "replace a body, wholly new",
  against: SAVE,
  kind: "write",
  goal: least(0.8),
  bound: "parsing Markdown, then indexing 45 blocks",
  prepare: (stand) => ({
    limit: side(stand.bare, bareWrite("save", stand)),
    ours: side(stand.svc, (i) =>
      stand.api.bytes({
        method: "PUT",
        path: `/api/v1/documents/${defined(stand.read[i % stand.read.length]).id}/content`,
        headers: anyMatch,
        body: { format: "markdown", content: `${articles[i % 97]}${i}` },
      }),
    ),
  }),
};

const replaceOne: Operation = {
  name: "replace a body, one paragraph changed",
  against: SAVE,
  kind: "write",
  goal: least(2),
  bound: "parsing and comparing 10 KB of Markdown; one block is indexed",
  prepare: async (stand) => ({
    limit: side(stand.bare, bareWrite("save", stand)),
    ours: side(
      stand.svc,
      rewrites(
        stand,
        await anchoredOf(
          stand.api,
          stand.read.map(({ id }) => id),
        ),
      ),
    ),
  }),
};

const edit = (name: string, documents: (stand: Stand) => Promise<Blocks[]>): Operation => ({
  name,
  against: ROW,
  kind: "write",
  goal: least(0.5),
  bound: "manifest, segment, snapshot, change, index and event rows in one transaction, where the limit writes one",
  prepare: async (stand) => ({
    limit: side(stand.bare, bareWrite("row", stand)),
    ours: side(stand.svc, edits(stand, await documents(stand))),
  }),
});

const editLarge: Operation = {
  name: "edit one block of 10,000",
  against: "svc, one block of 100",
  kind: "write",
  goal: least(1 / 3),
  isOwnLimit: true,
  bound: "the manifest is longer; the edited segment is not",
  prepare: async (stand) => ({
    limit: side(stand.svc, edits(stand, await hot(stand))),
    ours: side(stand.svc, edits(stand, await large(stand))),
  }),
};

const batch: Operation = {
  name: "batch of 100 edits",
  against: "svc, one edit",
  kind: "slow",
  goal: least(0.1),
  isOwnLimit: true,
  bound: "100 blocks checked, compared and indexed",
  prepare: async (stand) => ({
    limit: side(stand.svc, edits(stand, await spread(stand))),
    ours: side(stand.svc, batches(stand, await spread(stand))),
  }),
};

const create: Operation = {
  name: "create with 10 KB",
  against: ROW,
  kind: "write",
  goal: least(0.25),
  bound: "parsing Markdown, then indexing 45 blocks, where the limit writes one row",
  prepare: async (stand) => {
    const { id } = await stand.api.data("POST", "/api/v1/knowledge-bases", { name: "New ones" });
    return {
      limit: side(stand.bare, (i) =>
        bytesOf({ method: "POST", path: `/create/new-${i}`, body: { text: articles[i % 97] } }),
      ),
      ours: side(stand.svc, (i) =>
        stand.api.bytes({
          method: "POST",
          path: "/api/v1/documents",
          body: {
            title: `New ${i}`,
            knowledge_base_id: id,
            content: { format: "markdown", content: `${articles[i % 97]}${i}` },
          },
        }),
      ),
    };
  },
};

export const writes: readonly Operation[] = [
  replaceAll,
  replaceOne,
  edit("edit one block of 100, spread over documents", spread),
  edit("edit one block of 100, one hot document", hot),
  editLarge,
  batch,
  create,
];
