/**
 * The limit of each document operation on SQLite: the framework and the bare statements, with ready strings, without
 * accounts, checks, rate limit or log. `BENCH_DATA` is the directory of its store.
 */

import { DatabaseSync } from "node:sqlite";
import { defined } from "@svc/document/defined";
import {
  answer,
  BLOCKS_EACH,
  blocksOf,
  hashOf,
  type IdRequest,
  listen,
  makeBareServer,
  type SearchRequest,
  type Seed,
  type TextRequest,
} from "./serve.ts";

const db = new DatabaseSync(`${process.env.BENCH_DATA}/bare.db`);
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536;
  create table docs (number integer primary key, id text unique, base integer, meta text, item text, version text, body text);
  create index docs_base on docs (base, id);
  create table answers (id text, kind text, text text, primary key (id, kind));
  create table snapshots (id text, seq integer, body text, primary key (id, seq));
  create virtual table words using fts5 (text)`);

const meta = db.prepare("select meta from docs where id = ?");
const version = db.prepare("select version from docs where id = ?");
const body = db.prepare("select body from docs where id = ?");
const ready = db.prepare("select text from answers where id = ? and kind = ?");
const page = db.prepare("select meta from docs order by id limit 25");
const items = db.prepare("select item from docs where base = ? order by id");
const insert = db.prepare("insert into docs (id, base, meta, item, version, body) values (?, ?, ?, ?, ?, ?)");
const keep = db.prepare("insert into answers values (?, ?, ?)");
const numbered = db.prepare("select number, body from docs where id = ?");
const update = db.prepare("update docs set body = ?, version = ? where id = ?");
const snapshot = db.prepare("insert or replace into snapshots values (?, ?, ?)");
const forget = db.prepare("delete from words where rowid between ? and ?");
const index = db.prepare("insert into words (rowid, text) values (?, ?)");
const find = db.prepare("select rowid, text from words where words match ? order by rank limit 10");
const findExcerpts = db.prepare(
  "select rowid, snippet(words, 0, '', '', '…', 24) as text from words where words match ? order by rank limit 25",
);

function indexBlocks(number: number, text: string): void {
  let row = number * BLOCKS_EACH;
  for (const block of blocksOf(text)) index.run(row++, block);
}

const server = makeBareServer();
server.post<{ Body: Seed[] }>("/seed", (request) => {
  db.exec("begin immediate");
  for (const seed of request.body) {
    const { lastInsertRowid } = insert.run(seed.id, seed.base, seed.meta, seed.item, seed.version, seed.markdown);
    for (const [kind, text] of Object.entries(seed.answers)) keep.run(seed.id, kind, text);
    indexBlocks(Number(lastInsertRowid), seed.markdown);
  }
  db.exec("commit");
  return {};
});

server.get<IdRequest>("/meta/:id", (request, reply) =>
  answer(reply, String(defined(meta.get(request.params.id)).meta)),
);
server.get<IdRequest>("/markdown/:id", (request, reply) =>
  reply.type("text/markdown; charset=utf-8").send(defined(body.get(request.params.id)).body),
);
for (const kind of ["tiptap", "html", "outline", "block"])
  server.get<IdRequest>(`/${kind}/:id`, (request, reply) =>
    answer(reply, String(defined(ready.get(request.params.id, kind)).text)),
  );
server.get<IdRequest>("/same/:id", (request, reply) => {
  const current = `"${defined(version.get(request.params.id)).version}"`;
  return reply.code(request.headers["if-none-match"] === current ? 304 : 200).send();
});
server.get("/list", (_request, reply) => {
  const rows = page.all();
  return answer(reply, `{"data":[${rows.map((row) => row.meta).join(",")}]}`);
});
server.get<IdRequest>("/tree/:id", (request, reply) => {
  const rows = items.all(Number(request.params.id));
  return answer(reply, `{"data":[${rows.map((row) => row.item).join(",")}]}`);
});
const expressionOf = (text: string): string =>
  text
    .split(" ")
    .map((word) => `"${word}"`)
    .join(" ");
server.get<SearchRequest>("/search", (request) => ({ data: find.all(expressionOf(request.query.q)) }));
const anyOf = (text: string): string =>
  text
    .split(" ")
    .map((word) => `"${word}"`)
    .join(" OR ");
server.get<SearchRequest>("/any", (request) => ({ data: findExcerpts.all(anyOf(request.query.q)) }));
server.get<SearchRequest>("/excerpts", (request) => ({ data: findExcerpts.all(expressionOf(request.query.q)) }));

server.post<TextRequest>("/create/:id", (request) => {
  const { text } = request.body;
  insert.run(request.params.id, 0, "{}", "{}", hashOf(text), text);
  return {};
});
server.put<TextRequest>("/row/:id", (request) => {
  update.run(request.body.text, "", request.params.id);
  return {};
});
let seq = 0;
server.put<TextRequest>("/save/:id", (request) => {
  const { id } = request.params;
  const { text } = request.body;
  db.exec("begin immediate");
  const before = numbered.get(id) as { number: number; body: string };
  snapshot.run(id, seq++ % 20, before.body);
  update.run(text, hashOf(text), id);
  // node:sqlite binds numbers as reals, and for bounds that are no integers FTS5 reads all of its rows.
  const first = BigInt(before.number * BLOCKS_EACH);
  forget.run(first, first + BigInt(BLOCKS_EACH - 1));
  indexBlocks(before.number, text);
  db.exec("commit");
  return {};
});
await listen(server);
