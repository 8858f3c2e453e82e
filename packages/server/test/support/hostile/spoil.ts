import { chance, pick, type Random } from "../random.ts";
import { RawJson, toText } from "./json-text.ts";
import { toWire, type Wire } from "./send-call.ts";
import type { Call } from "./valid.ts";

const raw = (text: string) => new RawJson(text);

/** Values that some field somewhere does not expect. */
const oddValues: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, "", " ", "0", "null", [], {}, [[]], [null], { a: 1 }].map((value) => () => value),
  ...["-0", "1e400", "-1e400", "1e308", "5e-324", "9007199254740993", "1e21", "123456789012345678901234567890"].map(
    (text) => () => raw(text),
  ),
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\ufeff"', '"\\u202e\\u2066"', '"\\u2028"'].map(
    (text) => () => raw(text),
  ),
  ...[
    "é",
    "e\u0301",
    "😀",
    "ﷺ",
    "İ",
    "ß",
    "\u{10ffff}",
    "../..",
    "%00",
    "' or 1=1 --",
    "<script>",
    "{{7*7}}",
    "%s%n",
  ].map((text) => () => text),
  ...[64, 65, 128, 129, 200, 201, 499, 500, 501, 513, 4097, 100_001].map((length) => () => "x".repeat(length)),
  () => "😀".repeat(500),
  () => " ".repeat(100_000),
  () => Array.from({ length: 10_001 }, () => "block_00000000000000000000000001"),
  () => Array.from({ length: 300 }, (_, index) => index),
  () => raw(`${"[".repeat(5000)}${"]".repeat(5000)}`),
  () => raw(`${'{"content":['.repeat(300)}${"]}".repeat(300)}`),
  () => nested(40),
  () => nested(2000),
  () => raw('{"__proto__":{"type":"paragraph"},"constructor":{"prototype":{}}}'),
  () => ({ type: "doc", content: [{ type: "text", text: "loose" }] }),
  () => ({ type: "paragraph", attrs: { id: "block_x" } }),
  () => ({ type: "heading", attrs: { level: raw("1e400") }, content: [{ type: "text", text: "" }] }),
  () => ({
    type: "paragraph",
    content: [{ type: "text", text: "x", marks: [{ type: "link", attrs: { href: "javascript:1" } }] }],
  }),
  () => ({ type: "table", content: [{ type: "tableRow", content: [{ type: "tableCell", attrs: { colspan: 1e9 } }] }] }),
  () => ({ type: "image", attrs: { attachmentId: "att_00000000000000000000000000", src: "file:///etc/passwd" } }),
];

/** A quote in a quote, so many deep. */
const nested = (depth: number): RawJson =>
  raw(`${'{"type":"blockquote","content":['.repeat(depth)}{"type":"paragraph"}${"]}".repeat(depth)}`);

const oddNames = ["__proto__", "constructor", "toString", "", "no_such_field", "ID", "a".repeat(5000), "\u0000", "0"];

/** The body with one thing wrong somewhere in it. */
function spoilBody(random: Random, body: unknown): unknown {
  const odd = () => pick(random, oddValues)();
  if (typeof body !== "object" || body === null || body instanceof RawJson || chance(random, 15)) return odd();
  if (Array.isArray(body)) {
    if (body.length === 0 || chance(random, 20)) return [...body, odd()];
    if (chance(random, 10)) return Array.from({ length: 1001 }, () => body[0]);
    const index = random(body.length);
    return body.with(index, spoilBody(random, body[index]));
  }
  const names = Object.keys(body);
  const name = pick(random, names);
  if (names.length === 0 || chance(random, 15)) return addMember(body, pick(random, oddNames), odd());
  if (chance(random, 15)) return Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
  if (chance(random, 5)) return raw(`{${JSON.stringify(name)}:1,${toText(body).slice(1)}`);
  return { ...body, [name]: spoilBody(random, Reflect.get(body, name)) };
}

/** As text, because `__proto__` is no ordinary name in an object of ours. */
const addMember = (body: object, name: string, value: unknown): RawJson => {
  const text = toText(body);
  return raw(`{${JSON.stringify(name)}:${toText(value)}${text === "{}" ? "" : ","}${text.slice(1)}`);
};

const oddQueries = [
  "limit=0",
  "limit=101",
  "limit=1e2",
  "limit=-1",
  "limit=9999999999999999999999",
  "limit=NaN",
  "limit=1&limit=2",
  "limit[]=1",
  "limit=",
  "cursor=",
  "cursor=x",
  "cursor=eyJ4IjoxfQ.AAAAAAAAAAAAAAAA",
  `cursor=${"A".repeat(4097)}`,
  "cursor=%00",
  "after=-1",
  "after=1e400",
  "after=99999999999999999999",
  "q=%00",
  "q=%ff%fe",
  "q=%F0%9F%98%80",
  `q=${"%22a b%22 ".repeat(100).replaceAll(" ", "%20")}`,
  `q=${"(".repeat(300)}`,
  "q=%22%22%22",
  "q=a*",
  "q=-a",
  "locale=%20",
  "locale=xx-invalid-toolongsubtag",
  "locale=en_US",
  "knowledge_base_id=1.5",
  "knowledge_base_id=-0",
  "knowledge_base_id=9007199254740992",
  "folder_id=null",
  "updated_since=yesterday",
  "updated_since=99999999999999999",
  "updated_since=-1",
  "at=8640000000000001",
  "depth=6",
  "max_tokens=0",
  "around=block_00000000000000000000000001",
  "to=-1",
  "to=99999999999",
  "no_such=1",
  "__proto__=1",
  "constructor[prototype]=1",
  "dry_run=maybe",
  "%zz=1",
  "=1",
  "&&&",
];

const oddIds = [
  ...[
    "0",
    "-1",
    "1e3",
    "00001",
    "9007199254740993",
    "9".repeat(40),
    "null",
    "%20",
    "%00",
    "%ff",
    "%E2%82",
    "%F0%9F%98%80",
  ],
  ...[
    "..",
    ".",
    "%2e%2e",
    "%2F",
    "a%2Fb",
    "%252e",
    "doc_",
    "doc_lower",
    "block_00000000000000000000000001",
    "*",
    "~",
    ";x=1",
  ],
  ...["a".repeat(64), "a".repeat(65), "a".repeat(257), "a".repeat(5000), "__proto__", "constructor"],
];

const oddHeaders: readonly Record<string, string>[] = [
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "application/json;charset=latin1" },
  { "content-type": "APPLICATION/JSON" },
  { "content-type": "application/json, text/html" },
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "multipart/form-data" },
  { "content-type": "multipart/form-data; boundary=" },
  { "content-type": `multipart/form-data; boundary=${"b".repeat(100)}` },
  { "content-type": ";" },
  { "content-encoding": "gzip" },
  { accept: "application/json" },
  { accept: "text/html;q=x, */*;q=-1" },
  { "accept-encoding": "br;q=0, gzip;q=1.5, *" },
  { "if-match": '"sha256:0000"' },
  { "if-match": 'W/"x", "y"' },
  { "if-match": '"' },
  { "if-match": "x".repeat(4000) },
  { "if-none-match": "*" },
  { "if-none-match": Array.from({ length: 500 }, (_, index) => `"${index}"`).join(",") },
  { "idempotency-key": "k" },
  { "idempotency-key": "" },
  { "idempotency-key": "with space" },
  { "idempotency-key": "k".repeat(129) },
  { "last-event-id": "-1" },
  { "last-event-id": "99999999999999999999" },
  { "last-event-id": "x" },
  { range: "bytes=0-0" },
  { range: "bytes=5-1" },
  { range: "bytes=-99999999999999999999" },
  { range: "bytes=0-1,2-3" },
  { "if-range": '"x"' },
  { "x-request-id": "x".repeat(129) },
  { "user-agent": "x".repeat(8000) },
  { "user-agent": "a/1 (\u00e9)" },
  { origin: "null" },
  { cookie: "session=1; ; =" },
  { host: "evil.example:99999" },
  { host: "[::1" },
  { "x-forwarded-host": "evil.example" },
  { "x-http-method-override": "DELETE" },
  { expect: "something" },
  { te: "trailers" },
];

type Spoiler = (random: Random, call: Call, wire: Wire) => Promise<Wire> | Wire;

const spoilPath = (path: string, random: Random): string => {
  const steps = path.split("/");
  const index = 1 + random(steps.length - 1);
  return steps.with(index, pick(random, oddIds)).join("/");
};

const spoilers: readonly Spoiler[] = [
  (random, _call, wire) => {
    const [path = "", query] = wire.target.replace("/api/v1", "").split("?");
    return { ...wire, target: `/api/v1${spoilPath(path, random)}${query === undefined ? "" : `?${query}`}` };
  },
  (random, _call, wire) => ({
    ...wire,
    target: `${wire.target}${wire.target.includes("?") ? "&" : "?"}${pick(random, oddQueries)}`,
  }),
  (random, _call, wire) => ({ ...wire, headers: { ...wire.headers, ...pick(random, oddHeaders) } }),
];

const bodySpoiler: Spoiler = async (random, call) => toWire({ ...call, body: spoilBody(random, call.body) });

/** The body's bytes damaged, whatever they were. */
const bytesSpoiler: Spoiler = (random, _call, wire) => {
  const body = Buffer.from(wire.body ?? "");
  const at = random(body.length + 1);
  const damage = [
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from([random(256)]), body.subarray(at)]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.from(body.toString(), "utf16le"),
    () => Buffer.concat([body, body]),
    () => Buffer.alloc(0),
  ];
  return { ...wire, body: pick(random, damage)() };
};

/** The request with one or two things wrong. */
export async function spoiled(random: Random, call: Call): Promise<Wire> {
  let wire = await toWire(call);
  for (let rest = 1 + random(2); rest > 0; rest--) {
    const hasJson = call.body !== undefined && !(call.body instanceof FormData);
    const choices = hasJson
      ? [bodySpoiler, bodySpoiler, bodySpoiler, bytesSpoiler, ...spoilers]
      : [...spoilers, bytesSpoiler];
    const spoil = pick(random, choices);
    if (spoil === bodySpoiler) {
      const { body, headers } = await spoil(random, call, wire);
      wire = { ...wire, body, headers: { ...headers, ...wire.headers } };
    } else wire = await spoil(random, call, wire);
  }
  return wire;
}
