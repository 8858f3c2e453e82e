import { chance, pick, type Random } from "../random.ts";
import type { Step } from "./exchange.ts";

/** Requests that no client library would send, as bytes. Each is one connection. */
export interface Absurd {
  readonly title: string;
  readonly steps: readonly Step[];
  /** It is a whole request, or none at all: the server has to answer, or to end the connection. */
  readonly isWhole?: boolean;
}

interface Target {
  readonly token: string;
  /** Paths that are there, without the prefix. */
  readonly paths: readonly string[];
}

const methods = [
  "GET",
  "POST",
  "PATCH",
  "PUT",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "get",
  "X",
];

const oddTargets = [
  ..."/ /api /api/ /api/v1 /api/v1/ /api/v1// /api/openapi.json //api/v1/me * //".split(" "),
  ..."/api/v1/%2e%2e/%2e%2e/etc/passwd /api/v1/../../etc/passwd /api/v1/%zz /..%2f /api/v1/me%00 /api/v1/me%0d%0ax:y".split(
    " ",
  ),
  ..."/api/v1/me?a=%00 /api/v1/me?%ff /api/v1/me#x /api/v1/me;x=1 /api/v1/documents/%C0%AF /api/v1/documents/%ED%A0%80".split(
    " ",
  ),
  ..."http://evil.example/api/v1/me http://[::1/api/v1/me /s/%00 /s/..%2f /assets/..%2f..%2fpackage.json /assets/%00".split(
    " ",
  ),
  ..."/setup /sign-in /w/1 /s/x/attachments/y /metrics?x=1 /healthz/ /api-docs.md /api-docs/..%2f".split(" "),
  `/api/v1/${"a/".repeat(2000)}`,
  `/api/v1/documents/${"a".repeat(3000)}`,
  `/api/v1/search/v2?q=${"b".repeat(7000)}`,
  `/api/v1/me?${"a=1&".repeat(1500)}`,
];

const bodies: readonly (string | Buffer)[] = [
  ...["", "{", "null", "[]", "0", '"x"', "{}", "NaN", "-0", "1e400", "\ufeff{}", "'x'", "{a:1}", "[1,]", "//x\n{}"],
  ...[
    '{"name":"x","name":"y"}',
    '{"name":"\\u0000"}',
    '{"name":"\\ud800"}',
    '{"__proto__":{"name":"x"}}',
    '{"name":1e999}',
  ],
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from('{"name":"\xff"}', "latin1"),
  Buffer.from('{"name":"x"}', "utf16le"),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  "[".repeat(50_000),
  '{"a":'.repeat(20_000),
  `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
  `{"name":"${"x".repeat(100_000)}"}`,
  `[${"1,".repeat(30_000)}1]`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(",")}}`,
  `{"name":${"9".repeat(50_000)}}`,
];

const headers = [
  ...[
    "application/json",
    "application/json; charset=latin1",
    "text/plain",
    "multipart/form-data",
    ";;;",
    "a/b/c",
    "\xff/\xfe",
  ].map((type) => `content-type: ${type}`),
  ...["-1", "99999999999999999999", "5", "0x10", "+5", "5, 5", "1e3", ""].map((length) => `content-length: ${length}`),
  ...["chunked", "gzip", "gzip, chunked", "chunked, chunked", "xchunked", "identity", " chunked"].map(
    (coding) => `transfer-encoding: ${coding}`,
  ),
  ...["k", "k".repeat(200), "\x01", "\x7f", "é"].map((key) => `idempotency-key: ${key}`),
  ...['W/"', ",,,", '"\xff"', "*, *"].map((tag) => `if-match: ${tag}`),
  ...["\xe9\xe9", "r".repeat(500), "a b", "\x00"].map((id) => `x-request-id: ${id}`),
  ...["Bearer", "Bearer a b c", "\xff", "Basic Og==", `Bearer svc_tok_${"x".repeat(5000)}`].map(
    (text) => `authorization: ${text}`,
  ),
  ...["a:b:c", "", "[::1", "x:99999", "a b", "\xff"].map((host) => `host: ${host}`),
  ..."accept-encoding: br;q=x, *;q=|expect: 100-continue|expect: x|connection: upgrade|upgrade: websocket|upgrade: h2c".split(
    "|",
  ),
  ..."cookie: =;=;|range: bytes=-|range: bytes=0-0,1-1,2-2|connection: keep-alive, close|te: trailers|trailer: x".split(
    "|",
  ),
  ...'x-forwarded-for: 1, 2, 3|forwarded: for="|http2-settings: AAMAAABkAAQAAP__|last-event-id: 1e400'.split("|"),
  `x-large: ${"l".repeat(20_000)}`,
  `cookie: ${"a=b; ".repeat(2000)}`,
  "no colon here",
  ": no name",
  "bad name: x",
  "folded: a\r\n b",
  "bare: a\rb",
  "nul: a\x00b",
  Array.from({ length: 500 }, (_, index) => `x-${index}: ${index}`).join("\r\n"),
  Array.from({ length: 3000 }, (_, index) => `x-${index}: ${index}`).join("\r\n"),
];

const versions = [
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.2",
  "HTTP/9",
  "http/1.1",
  "",
];

const auth = ({ token }: Target) => `authorization: Bearer ${token}`;
const head = (lines: readonly string[]) => `${lines.join("\r\n")}\r\n\r\n`;

function oddRequest(random: Random, target: Target): Absurd {
  const body = Buffer.from(pick(random, bodies) as string);
  const place = chance(random, 60) ? `/api/v1${pick(random, target.paths)}` : pick(random, oddTargets);
  const lines = [`${pick(random, methods)} ${place} ${pick(random, versions)}`];
  if (chance(random, 85)) lines.push("host: x");
  if (chance(random, 80)) lines.push("connection: close");
  for (let rest = Math.max(0, random(5) - 1); rest > 0; rest--) lines.push(pick(random, headers));
  if (chance(random, 65)) lines.push(auth(target));
  if (chance(random, 65)) lines.push(`content-length: ${body.length}`, "content-type: application/json");
  const lengths = lines.filter((line) => /^(content-length|transfer-encoding)/.test(line));
  const isWhole = lengths.every((line) => line === `content-length: ${body.length}`);
  return { title: lines[0] ?? "", steps: [head(lines), body], isWhole };
}

const chunk = (text: string, size = text.length.toString(16)) => `${size}\r\n${text}\r\n`;
const oddChunks = [
  chunk('{"name":"chunked"}') + chunk("", "0"),
  chunk("{}", "2;ext=1") + chunk("", "0"),
  chunk("{}", "ffffffffffffffff"),
  chunk("{}", "-1"),
  chunk("{}", "g"),
  chunk("{}", ""),
  chunk("{}", "0x2") + chunk("", "0"),
  chunk("{}", `2;${"e".repeat(20_000)}`) + chunk("", "0"),
  `2\n{}\n0\n\n`,
  `${chunk("{}")}0\r\ntrailer: x\r\ncontent-length: 5\r\n\r\n`,
  chunk("{}"),
  Array.from({ length: 300 }, () => chunk(" ")).join("") + chunk("{}") + chunk("", "0"),
];

function oddFraming(random: Random, target: Target): Absurd {
  const lines = ["POST /api/v1/knowledge-bases HTTP/1.1", "host: x", auth(target), "content-type: application/json"];
  if (chance(random, 20)) lines.push("connection: close");
  if (chance(random, 40)) lines.push(`content-length: ${random(40)}`);
  if (chance(random, 20)) lines.push(`content-length: ${random(40)}`);
  lines.push(
    pick(random, ["transfer-encoding: chunked", "Transfer-Encoding : chunked", "transfer-encoding: chunked, identity"]),
  );
  const smuggled = chance(random, 30) ? `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${auth(target)}\r\n\r\n` : "";
  return {
    title: "odd framing",
    steps: [head(lines), pick(random, oddChunks) + smuggled, chance(random, 50) ? "end" : { pause: 0 }],
  };
}

function pipelined(random: Random, target: Target): Absurd {
  const one = () => head([`GET /api/v1${pick(random, target.paths)} HTTP/1.1`, "host: x", auth(target)]);
  const many = Array.from({ length: 2 + random(30) }, one);
  const last = chance(random, 50)
    ? "GARBAGE\r\n\r\n"
    : head(["GET /api/v1/me HTTP/1.1", "host: x", "connection: close", auth(target)]);
  const isCut = chance(random, 30);
  return { title: "pipelined", steps: [many.join("") + last, ...(isCut ? ["cut" as const] : [])], isWhole: !isCut };
}

/** Bytes that come slowly, in pieces that split whatever they can, and perhaps never end. */
function slow(random: Random, target: Target): Absurd {
  const body = '{"name":"slow"}';
  const text = head([
    "POST /api/v1/knowledge-bases HTTP/1.1",
    "host: x",
    "connection: close",
    auth(target),
    "content-type: application/json",
    `content-length: ${body.length}`,
  ]);
  const whole = text + body;
  const cut = chance(random, 50) ? whole.length : random(whole.length);
  const steps: Step[] = [];
  for (let from = 0; from < cut; ) {
    const to = Math.min(cut, from + 1 + random(60));
    steps.push(whole.slice(from, to), { pause: random(4) });
    from = to;
  }
  return { title: "slow", steps: [...steps, pick(random, ["end", "cut", { pause: 0 }] as const)] };
}

function garbage(random: Random): Absurd {
  const bytes = Buffer.from(Array.from({ length: random(3000) }, () => random(256)));
  const first = pick(random, [
    "",
    "\x16\x03\x01\x02\x00",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET ",
    "\r\n\r\n\r\n",
    "SSH-2.0-x\r\n",
  ]);
  return {
    title: "garbage",
    steps: [Buffer.concat([Buffer.from(first, "latin1"), bytes]), chance(random, 50) ? "end" : "cut"],
  };
}

/** One of the kinds, at random. */
export function absurd(random: Random, target: Target): Absurd {
  const kind = random(20);
  if (kind < 12) return oddRequest(random, target);
  if (kind < 15) return oddFraming(random, target);
  if (kind < 17) return pipelined(random, target);
  return kind < 19 ? slow(random, target) : garbage(random);
}
