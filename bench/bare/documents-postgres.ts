/** The limit of each document operation on PostgreSQL: as documents-sqlite.ts, in the database `BENCH_DATABASE_URL`. */
import { defined } from "@svc/document/defined";
import pg from "pg";
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

const pool = new pg.Pool({ connectionString: defined(process.env.BENCH_DATABASE_URL), max: 16 });
await pool.query(`
  create table docs (number serial primary key, id text unique, base integer, meta text, item text, version text, body text);
  create index docs_base on docs (base, id);
  create table answers (id text, kind text, text text, primary key (id, kind));
  create table snapshots (id text, seq integer, body text, primary key (id, seq));
  create table words (id bigint primary key, text text, terms tsvector);
  create index words_terms on words using gin (terms)`);

type Client = pg.Pool | pg.PoolClient;
type Row = Record<string, string>;

/** A statement that each connection prepares once. */
const prepare =
  (name: string, text: string) =>
  async (client: Client, ...values: unknown[]) =>
    (await client.query<Row>({ name, text, values })).rows;

const meta = prepare("meta", "select meta from docs where id = $1");
const version = prepare("version", "select version from docs where id = $1");
const body = prepare("body", "select body from docs where id = $1");
const ready = prepare("ready", "select text from answers where id = $1 and kind = $2");
const page = prepare("page", "select meta from docs order by id limit 25");
const items = prepare("items", "select item from docs where base = $1 order by id");
const insert = prepare(
  "insert",
  "insert into docs (id, base, meta, item, version, body) values ($1, $2, $3, $4, $5, $6) returning number",
);
const keep = prepare("keep", "insert into answers values ($1, $2, $3)");
const numbered = prepare("numbered", "select number, body from docs where id = $1 for update");
const update = prepare("update", "update docs set body = $1, version = $2 where id = $3");
const snapshot = prepare(
  "snapshot",
  "insert into snapshots values ($1, $2, $3) on conflict (id, seq) do update set body = excluded.body",
);
const forget = prepare("forget", "delete from words where id between $1 and $2");
const index = prepare(
  "index",
  "insert into words select $1 + n - 1, text, to_tsvector('simple', text) from unnest($2::text[]) with ordinality as given (text, n)",
);
const find = prepare(
  "find",
  "select id, text from words, plainto_tsquery('simple', $1) as query where terms @@ query order by ts_rank(terms, query) desc limit 10",
);
const findExcerpts = prepare(
  "find-excerpts",
  `select id, ts_headline('simple', text, query, 'MaxWords=24, MinWords=12') as text from (select id, text, query from words,
   plainto_tsquery('simple', $1) as query where terms @@ query order by ts_rank(terms, query) desc limit 25) as best`,
);
const findAny = prepare(
  "find-any",
  `select id, ts_headline('simple', text, query, 'MaxWords=24, MinWords=12') as text from (select id, text, query from words,
   to_tsquery('simple', $1) as query where terms @@ query order by ts_rank(terms, query) desc limit 25) as best`,
);

async function transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<object> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await work(client);
    await client.query("commit");
    return {};
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const server = makeBareServer();
server.post<{ Body: Seed[] }>("/seed", (request) =>
  transaction(async (client) => {
    for (const seed of request.body) {
      const [row] = await insert(client, seed.id, seed.base, seed.meta, seed.item, seed.version, seed.markdown);
      for (const [kind, text] of Object.entries(seed.answers)) await keep(client, seed.id, kind, text);
      await index(client, Number(defined(row).number) * BLOCKS_EACH, blocksOf(seed.markdown));
    }
  }),
);

server.get<IdRequest>("/meta/:id", async (request, reply) =>
  answer(reply, defined(defined((await meta(pool, request.params.id))[0]).meta)),
);
server.get<IdRequest>("/markdown/:id", async (request, reply) =>
  reply.type("text/markdown; charset=utf-8").send(defined((await body(pool, request.params.id))[0]).body),
);
for (const kind of ["tiptap", "html", "outline", "block"])
  server.get<IdRequest>(`/${kind}/:id`, async (request, reply) =>
    answer(reply, defined(defined((await ready(pool, request.params.id, kind))[0]).text)),
  );
server.get<IdRequest>("/same/:id", async (request, reply) => {
  const current = `"${defined((await version(pool, request.params.id))[0]).version}"`;
  return reply.code(request.headers["if-none-match"] === current ? 304 : 200).send();
});
server.get("/list", async (_request, reply) => {
  const rows = await page(pool);
  return answer(reply, `{"data":[${rows.map((row) => row.meta).join(",")}]}`);
});
server.get<IdRequest>("/tree/:id", async (request, reply) => {
  const rows = await items(pool, Number(request.params.id));
  return answer(reply, `{"data":[${rows.map((row) => row.item).join(",")}]}`);
});
server.get<SearchRequest>("/search", async (request) => ({ data: await find(pool, request.query.q) }));
server.get<SearchRequest>("/any", async (request) => ({
  data: await findAny(pool, request.query.q.replaceAll(" ", " | ")),
}));
server.get<SearchRequest>("/excerpts", async (request) => ({ data: await findExcerpts(pool, request.query.q) }));

server.post<TextRequest>("/create/:id", async (request) => {
  const { text } = request.body;
  await insert(pool, request.params.id, 0, "{}", "{}", hashOf(text), text);
  return {};
});
server.put<TextRequest>("/row/:id", async (request) => {
  await update(pool, request.body.text, "", request.params.id);
  return {};
});
let seq = 0;
server.put<TextRequest>("/save/:id", (request) =>
  transaction(async (client) => {
    const { id } = request.params;
    const { text } = request.body;
    const [before] = await numbered(client, id);
    const first = Number(defined(before).number) * BLOCKS_EACH;
    await snapshot(client, id, seq++ % 20, defined(before).body);
    await update(client, text, hashOf(text), id);
    await forget(client, first, first + BLOCKS_EACH - 1);
    await index(client, first, blocksOf(text));
  }),
);
await listen(server);
