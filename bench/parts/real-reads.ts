import { defined } from "@svc/document/defined";
import { randomFrom } from "../corpus/text.ts";
import { bytesOf } from "../harness/api.ts";
import type { Requests } from "../harness/drive.ts";
import type { Stand } from "../harness/stand.ts";
import { least, type Operation, round, side } from "./operation.ts";

const STORED = "one row by id, its stored text sent";
/** Documents that are asked for again and again. */
const AGAIN = 100;

/** How documents are chosen. */
type Choice = (ready: readonly Buffer[]) => Requests;

const anyOfAll: Choice = (ready) => {
  const random = randomFrom(11);
  return () => defined(ready[random(ready.length)]);
};
const roundSome: Choice = (ready) => round(ready.slice(0, AGAIN));

interface Form {
  readonly name: string;
  /** Its addresses on the bare server and on svc. */
  readonly bare: string;
  readonly path: string;
  /** The cache that has it when it is asked for again. */
  readonly cache: string;
}

const metadata: Form = { name: "metadata", bare: "meta", path: "", cache: "rows" };
const markdown: Form = {
  name: "body as Markdown",
  bare: "markdown",
  path: "/content?format=markdown",
  cache: "texts",
};
const html: Form = { name: "body as HTML", bare: "html", path: "/content?format=html", cache: "texts" };
const tiptap: Form = { name: "body as Tiptap JSON", bare: "tiptap", path: "/content", cache: "texts" };
const forms = [metadata, markdown, html, tiptap];

const asked = ({ api }: Stand, { path }: Form, encoding?: string) => {
  const headers: Record<string, string> = encoding ? { "accept-encoding": encoding } : {};
  return (id: string) => api.bytes({ method: "GET", path: `/api/v1/documents/${id}${path}`, headers });
};

const readOf = (form: Form, name: string, choose: Choice, server: (stand: Stand) => Stand["svc"]): Operation => ({
  name,
  against: STORED,
  kind: "read",
  goal: least(0.6),
  cache: form.cache,
  bound: "what is not in a cache is one row of ready text for each segment of the body",
  prepare: (stand) => ({
    limit: side(
      stand.bare,
      choose(stand.read.map(({ id }) => bytesOf({ method: "GET", path: `/${form.bare}/${id}` }))),
    ),
    ours: side(server(stand), choose(stand.read.map(({ id }) => asked(stand, form)(id)))),
  }),
});

/** Reads of any document by chance: what is found in a cache is there because the cache is large enough. */
export const randomReads: readonly Operation[] = forms.map((form) =>
  readOf(form, `${form.name}, any of all`, anyOfAll, ({ svc }) => svc),
);

export const readsAgain: readonly Operation[] = forms.map((form) =>
  readOf(form, `${form.name}, asked again`, roundSome, ({ svc }) => svc),
);

/** Any document, of a server whose caches hold next to nothing: nearly every answer is the first of its kind. */
export const firstReads: readonly Operation[] = forms.map((form) =>
  readOf(form, `${form.name}, first time`, anyOfAll, ({ forgetful, svc }) => forgetful ?? svc),
);

const packedOf = (form: Form, encoding: string): Operation => ({
  name: `${form.name}, any of all, as ${encoding}`,
  against: "svc, the same without compression",
  kind: "read",
  isOwnLimit: true,
  goal: least(0.7),
  cache: "packed",
  bound: "compressed once for each version, outside of the main thread; fewer bytes are sent",
  prepare: (stand) => {
    const ready = (encoding?: string) => anyOfAll(stand.read.map(({ id }) => asked(stand, form, encoding)(id)));
    return { limit: side(stand.svc, ready()), ours: side(stand.svc, ready(encoding)) };
  },
});

export const packedReads: readonly Operation[] = [
  packedOf(markdown, "gzip"),
  packedOf(markdown, "br"),
  packedOf(markdown, "zstd"),
  packedOf(tiptap, "gzip"),
];
