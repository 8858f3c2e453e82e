import { defined } from "@svc/document/defined";
import { queriesOf } from "../corpus/text.ts";
import { bytesOf } from "../harness/api.ts";
import { bareServer, startServer } from "../harness/processes.ts";
import { blockPaths, type Stand } from "../harness/stand.ts";
import { least, type Operation, round, type Sides, side } from "./operation.ts";

const search = (
  name: string,
  which: keyof ReturnType<typeof queriesOf>,
  goal: number | undefined,
  bound: string,
): Operation => ({
  name,
  against: "the database's own full-text index by block, best 10",
  kind: "read",
  ...(goal !== undefined && { goal: least(goal) }),
  bound,
  prepare: ({ svc, bare, api, documents }) => {
    const queries = queriesOf(documents.map(({ text }) => text))[which].map(encodeURIComponent);
    return {
      limit: side(bare, round(queries.map((q) => bytesOf({ method: "GET", path: `/search?q=${q}` })))),
      ours: side(
        svc,
        round(queries.map((q) => api.bytes({ method: "GET", path: `/api/v1/search/v2?q=${q}&limit=10` }))),
      ),
    };
  },
});

const building = "context, heading path, explanation and exact counts, which the limit does not give";
const again = `an answer that is asked for again comes from memory while nobody writes; the first is built: ${building}`;

export const searches: readonly Operation[] = [
  search("search, a rare word", "rare", 1, again),
  search(
    "search, rare words in turns, too many to remember",
    "allRare",
    undefined,
    `building the answer: ${building}; one segment of each of ten documents is read for it`,
  ),
  search("search, a common word", "common", 1, `${again}; scoring stops early, where the limit scores every match`),
  search("search, two common words", "two", 2, again),
];

/** The bare framework, started at the first use and stopped with the run. */
let framework: ReturnType<typeof startServer> | undefined;

export const me: Operation = {
  name: "GET /me",
  against: "the framework, a constant",
  kind: "read",
  goal: least(0.6),
  bound: "token check, rate limit and log line, which the limit does not have",
  prepare: async ({ svc, api }) => {
    framework ??= startServer(bareServer("framework"));
    return {
      limit: side(await framework, round([bytesOf({ method: "GET", path: "/me" })])),
      ours: side(svc, round([api.bytes({ method: "GET", path: "/api/v1/me" })])),
    };
  },
};

const bareGet = (path: string, headers: Record<string, string> = {}) => bytesOf({ method: "GET", path, headers });
const STORED = "one row by id, its stored text sent";

/** Reads something of one document after another. */
function reading(name: string, barePath: string, path: (id: string) => string, bound: string): Operation {
  const prepare = ({ svc, bare, api, read }: Stand): Sides => ({
    limit: side(bare, round(read.map(({ id }) => bareGet(`/${barePath}/${id}`)))),
    ours: side(svc, round(read.map(({ id }) => api.bytes({ method: "GET", path: `/api/v1/documents/${path(id)}` })))),
  });
  return { name, against: STORED, kind: "read", goal: least(0.5), bound, prepare };
}

const notModified: Operation = {
  name: "body, not modified (304)",
  against: "the version by id, 304",
  kind: "read",
  goal: least(0.5),
  bound: "the row that tells the version, as in the limit; token check, rate limit, log line",
  prepare: async ({ svc, bare, api, read }) => {
    const versions = await api.each(read.length, (i) => ({
      method: "GET",
      path: `/api/v1/documents/${defined(read[i]).id}`,
    }));
    const tags = versions.map((answer) => ({ "if-none-match": `"${JSON.parse(answer).data.version}"` }));
    const path = (id: string) => `/api/v1/documents/${id}/content`;
    return {
      limit: side(bare, round(read.map(({ id }, i) => bareGet(`/same/${id}`, tags[i])))),
      ours: side(
        svc,
        round(read.map(({ id }, i) => api.bytes({ method: "GET", path: path(id), headers: defined(tags[i]) }))),
      ),
    };
  },
};

const block: Operation = {
  name: "one block",
  against: STORED,
  kind: "read",
  goal: least(0.5),
  bound: "the block is kept as JSON by version; the row that tells the version, token check, rate limit, log line",
  prepare: async (stand) => ({
    limit: side(stand.bare, round(stand.read.map(({ id }) => bareGet(`/block/${id}`)))),
    ours: side(stand.svc, round((await blockPaths(stand)).map((path) => stand.api.bytes({ method: "GET", path })))),
  }),
};

/** A read that is the same every time. */
const same = (
  name: string,
  against: string,
  barePath: (stand: Stand) => string,
  path: (stand: Stand) => string,
  bound: string,
): Operation => ({
  name,
  against,
  kind: "read",
  goal: least(0.5),
  bound,
  prepare: (stand) => ({
    limit: side(stand.bare, round([bareGet(barePath(stand))])),
    ours: side(stand.svc, round([stand.api.bytes({ method: "GET", path: `/api/v1${path(stand)}` })])),
  }),
});

const text = "the text is kept by version; the row that tells the version, token check, rate limit, log line";

export const reads: readonly Operation[] = [
  reading(
    "metadata",
    "meta",
    (id) => id,
    "one row, kept while nobody commits, made into JSON; token check, rate limit, log line",
  ),
  reading("body as Tiptap JSON", "tiptap", (id) => `${id}/content`, text),
  reading("body as Markdown", "markdown", (id) => `${id}/content?format=markdown`, text),
  reading("body as HTML", "html", (id) => `${id}/content?format=html`, text),
  notModified,
  same(
    "list, page of 25",
    "25 rows, their stored text joined",
    () => "/list",
    () => "/documents?limit=25",
    "the rows are kept while nobody commits, and so is their JSON; a signed cursor, token check, rate limit, log line",
  ),
  same(
    "tree of a knowledge base",
    "one row per document, their stored text joined",
    ({ base }) => `/tree/${base}`,
    ({ base }) => `/knowledge-bases/${base}/tree`,
    "rows that are kept while nobody commits, sorted by title and made into JSON, where the limit joins ready strings",
  ),
  reading(
    "outline",
    "outline",
    (id) => `${id}/outline`,
    "the outline is kept by version; token check, rate limit, log line",
  ),
  block,
];
