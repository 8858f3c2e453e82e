import { defined } from "@svc/document/defined";
import { randomFrom } from "../corpus/random.ts";
import { drawPairs, drawWords, realArticles } from "../corpus/real-text.ts";
import type { Requests } from "../harness/drive.ts";
import { bytesOf } from "../harness/request.ts";
import type { Run } from "../harness/run.ts";
import { makeStand, type Stand } from "../harness/stand.ts";
import type { DatabaseKind } from "../harness/store.ts";
import { least, measure, type Operation, round, side } from "./operation.ts";

const anyMatch = { "if-match": "*" };
const STORED = "one row by id, its stored text sent";
const SAVE = "the row with its index by block, a snapshot and a hash, durably";
/** Different words and pairs: more than are asked for in a second. */
const QUERIES = 5000;

/** Any document, by chance. */
function anyOf(stand: Stand, bytes: (id: string) => Buffer): Requests {
  const random = randomFrom(11);
  const ready = stand.read.map(({ id }) => bytes(id));
  return () => defined(ready[random(ready.length)]);
}

const readRandom = (name: string, barePath: string, path: string, goal: number, encoding?: string): Operation => ({
  name: `${name}, any of all`,
  against: STORED,
  kind: "read",
  goal: least(goal),
  bound: "what is not in a cache is one row of ready text for each segment of the body",
  prepare: (stand) => ({
    limit: side(
      stand.bare,
      anyOf(stand, (id) => bytesOf({ method: "GET", path: `/${barePath}/${id}` })),
    ),
    ours: side(
      stand.svc,
      anyOf(stand, (id) =>
        stand.api.bytes({
          method: "GET",
          path: `/api/v1/documents/${id}${path}`,
          headers: encoding ? { "accept-encoding": encoding } : {},
        }),
      ),
    ),
  }),
});

const search = (name: string, draw: typeof drawWords, goal: number): Operation => ({
  name,
  against: "the database's own full-text index by block, best 25 with an excerpt",
  kind: "read",
  goal: least(goal),
  bound: "context, heading path, explanation and exact counts, which the limit does not give",
  prepare: ({ svc, bare, api, documents }) => {
    const texts = documents.map(({ text }) => text);
    const queries = draw(texts, QUERIES, randomFrom(12));
    const barePath = (q: string) => `/excerpts?q=${encodeURIComponent(q)}`;
    return {
      limit: side(bare, round(queries.map((q) => bytesOf({ method: "GET", path: barePath(q) })))),
      ours: side(svc, round(queries.map((q) => api.bytes({ method: "GET", path: searchPath(q) })))),
    };
  },
});

const searchPath = (q: string): string => `/api/v1/search/v2?q=${encodeURIComponent(q)}&limit=25`;

/** What somebody who types sends: the last word is still growing. */
const searchBeginnings: Operation = {
  name: "search, the beginning of another word each time",
  against: "svc, the whole words",
  kind: "read",
  isOwnLimit: true,
  goal: least(0.5),
  bound: "several words begin alike, and the hits of all of them are ranked together",
  prepare: ({ svc, api, documents }) => {
    const texts = documents.map(({ text }) => text);
    const words = drawWords(texts, QUERIES, randomFrom(13)).filter((word) => word.length > 3);
    const asked = (queries: readonly string[]) =>
      side(svc, round(queries.map((q) => api.bytes({ method: "GET", path: searchPath(q) }))));
    return { limit: asked(words), ours: asked(words.map((word) => `${word.slice(0, -1)}*`)) };
  },
};

/** A bare full save of one of the texts. */
const bareSave = ({ bare, read }: Stand, texts: readonly string[]) =>
  side(bare, (i) =>
    bytesOf({
      method: "PUT",
      path: `/save/${defined(read[i % read.length]).id}`,
      body: { text: `${texts[i % texts.length]}${i}` },
    }),
  );

const write = ({ svc, api, read }: Stand, query: string, textFor: (i: number) => string) =>
  side(svc, (i) =>
    api.bytes({
      method: "PUT",
      path: `/api/v1/documents/${defined(read[i % read.length]).id}/content${query}`,
      headers: anyMatch,
      body: { format: "markdown", content: textFor(i) },
    }),
  );

const replaceAll: Operation = {
  name: "replace a body, wholly new, real text",
  against: SAVE,
  kind: "write",
  goal: least(1),
  bound: "parsing Markdown, then indexing every block",
  prepare: (stand) => {
    const texts = realArticles(97, 6);
    return { limit: bareSave(stand, texts), ours: write(stand, "", (i) => `${texts[i % 97]}${i}`) };
  },
};

/** So many documents are written again and again, so that most of each text is what is stored. */
const REWRITTEN = 100;

const replaceOne: Operation = {
  name: "replace a body, one paragraph changed, plain Markdown with ids=match",
  against: SAVE,
  kind: "write",
  goal: least(3),
  bound: "parsing and comparing 10 KB of Markdown; one block is indexed",
  prepare: async (stand) => {
    const some = { ...stand, read: stand.read.slice(0, REWRITTEN) };
    const texts = some.read.map(({ text }) => text);
    return {
      limit: bareSave(some, texts),
      ours: write(some, "?ids=match", (i) => `${texts[i % texts.length]}Changed for the time ${i}.\n`),
    };
  },
};

const create: Operation = {
  name: "create with 10 KB, real text",
  against: "the row alone, durably",
  kind: "write",
  bound: "parsing Markdown, then indexing every block, where the limit writes one row",
  prepare: async (stand) => {
    const texts = realArticles(97, 7);
    const { id } = await stand.api.data("POST", "/api/v1/knowledge-bases", { name: "New ones" });
    const content = (i: number) => ({ format: "markdown", content: `${texts[i % 97]}${i}` });
    return {
      limit: side(stand.bare, (i) =>
        bytesOf({ method: "POST", path: `/create/new-${i}`, body: { text: texts[i % 97] } }),
      ),
      ours: side(stand.svc, (i) =>
        stand.api.bytes({
          method: "POST",
          path: "/api/v1/documents",
          body: { title: `New ${i}`, knowledge_base_id: id, content: content(i) },
        }),
      ),
    };
  },
};

export const realOperations: readonly Operation[] = [
  readRandom("metadata", "meta", "", 0.6),
  readRandom("body as Markdown", "markdown", "/content?format=markdown", 0.6),
  readRandom("body as HTML", "html", "/content?format=html", 0.6),
  readRandom("body as Tiptap JSON", "tiptap", "/content", 0.6),
  readRandom("body as Markdown, gzip", "markdown", "/content?format=markdown", 0.42, "gzip, deflate"),
  readRandom("body as Tiptap JSON, zstd", "tiptap", "/content", 0.42, "gzip, deflate, br, zstd"),
  search("search, another word each time", drawWords, 1),
  search("search, another pair of words each time", drawPairs, 1),
  searchBeginnings,
  replaceAll,
  replaceOne,
  create,
];

/** Documents that people wrote, any of them by chance: what caches do not know beforehand. */
export async function measureReal(run: Run, kind: DatabaseKind): Promise<void> {
  const part = `real-${kind}`;
  const wanted = realOperations.filter(({ name }) => run.wants(part, name));
  if (wanted.length === 0) return;
  const { documents } = run.scale;
  run.say(`${part}: ${documents} documents of about 10 KB that people wrote`);
  const stand = await makeStand(
    kind,
    { ...run.scale, readDocuments: documents },
    { texts: realArticles(documents, 5) },
  );
  try {
    for (const operation of wanted) await run.attempt(operation.name, () => measure(run, part, operation, stand));
  } finally {
    await stand.close();
  }
}
