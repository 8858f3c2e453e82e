/**
 * The limit of each document operation: Fastify and SQLite doing only the storage work, with ready strings and no
 * checks. Prints its address. `BENCH_DATA` names the directory of its store.
 */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";

const db = new DatabaseSync(`${process.env.BENCH_DATA}/bare.db`);
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table docs (id text primary key, kb integer, meta text, version text, body text, outline text, block text);
  create index docs_kb on docs (kb, id);
  create table snapshots (id text, seq integer, body text, primary key (id, seq));
  create virtual table words using fts5 (id unindexed, body)`);

const one = db.prepare("select * from docs where id = ?");
const column = (name: string) => db.prepare(`select ${name} from docs where id = ?`);
const [meta, version, body, outline, block] = ["meta", "version", "body", "outline", "block"].map(column);
const page = db.prepare("select meta from docs where id > ? order by id limit 25");
const all = db.prepare("select id, meta from docs where kb = ? order by id");
const insert = db.prepare("insert into docs values (?, 1, ?, ?, ?, ?, ?)");
const update = db.prepare("update docs set body = ?, version = ? where id = ?");
const snapshot = db.prepare("insert or replace into snapshots values (?, ?, ?)");
const forget = db.prepare("delete from words where rowid = ?");
const index = db.prepare("insert or replace into words (rowid, id, body) values (?, ?, ?)");

const server = Fastify({ bodyLimit: 2 ** 24 });
type Id = { Params: { id: string } };
const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const json = "application/json; charset=utf-8";

server.get<Id>("/meta/:id", (request, reply) => reply.type(json).send(meta!.get(request.params.id)!.meta));
server.get<Id>("/body/:id", (request, reply) => reply.type("text/plain").send(body!.get(request.params.id)!.body));
server.get<Id>("/outline/:id", (request, reply) => reply.type(json).send(outline!.get(request.params.id)!.outline));
server.get<Id>("/block/:id", (request, reply) => reply.type(json).send(block!.get(request.params.id)!.block));
server.get<Id>("/same/:id", (request, reply) => reply.code(version!.get(request.params.id) ? 304 : 404).send());
server.get("/list", (_request, reply) => {
  const rows = page.all("") as { meta: string }[];
  return reply.type(json).send(`{"data":[${rows.map((row) => row.meta).join(",")}]}`);
});
server.get("/tree", () => ({ data: all.all(1) }));
server.post<Id & { Body: { text: string; meta: string } }>("/create/:id", (request) => {
  const { text, meta } = request.body;
  insert.run(request.params.id, meta, hash(text), text, meta, meta);
  return {};
});
server.put<Id & { Body: { text: string } }>("/row/:id", (request) => {
  update.run(request.body.text, "v", request.params.id);
  return {};
});
let seq = 0;
server.put<Id & { Body: { text: string } }>("/save/:id", (request) => {
  const { id } = request.params;
  db.exec("begin immediate");
  snapshot.run(id, seq++ % 20, (one.get(id) as { body: string }).body);
  update.run(request.body.text, hash(request.body.text), id);
  forget.run(1);
  index.run(1, id, request.body.text);
  db.exec("commit");
  return {};
});

const address = await server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ address })}\n`);
