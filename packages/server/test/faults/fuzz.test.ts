import assert from "node:assert/strict";
import { connect } from "node:net";
import { before, test } from "node:test";
import { routes } from "@svc/server/routes";
import { testRoutes } from "../support/test-routes.ts";
import { onEachDatabase, type Person } from "../support/world.ts";

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "X"];
const paths = [
  ..."/ /api /api/ /api/v1 /api/v1/ /api/v1/me /api/v1/test-writes /api/v1/test-reads/a /api/openapi.json".split(" "),
  ..."/api/v1/test-reads/%00 /api/v1/test-reads/%ff%fe /api/v1/%2e%2e/%2e%2e/etc/passwd /api/v1/%zz /..%2f".split(" "),
  ..."/api/v1/test-reads/a?q=%00 /api/v1/test-reads/a?q=%ff /api/v1/test-reads/a?n=1e400 /api/v1/test-reads/a?n=NaN".split(
    " ",
  ),
  ..."/api/v1/test-reads/a?n=9999999999999999999999 /api/v1/test-reads/a?q[]=1 /api/v1/test-reads/a?__proto__=1 * //".split(
    " ",
  ),
  `/api/v1/test-reads/${"a".repeat(3000)}`,
  `/api/v1/test-reads/a?q=${"b".repeat(7000)}`,
];
const bodies: (string | Buffer)[] = [
  ...[
    "",
    "{",
    "null",
    "[]",
    "0",
    '"x"',
    '{"value":"x"}',
    '{"value":5}',
    '{"value":"x","value":"y"}',
    '{"value":"\\u0000"}',
  ],
  ...[
    '{"value":"\\ud800"}',
    '{"value":1e999}',
    '{"__proto__":{"value":"x"}}',
    '{"constructor":null}',
    "NaN",
    "\ufeff{}",
  ],
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from('{"value":"\xff"}', "latin1"),
  "[".repeat(50_000),
  '{"a":'.repeat(20_000),
  `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
  `{"value":"${"x".repeat(100_000)}"}`,
  `[${"1,".repeat(30_000)}1]`,
];
const headers = [
  "content-type: application/json",
  "content-type: application/json; charset=latin1",
  "content-type: text/plain",
  "content-type: multipart/form-data",
  "content-type: ;;;",
  "content-length: -1",
  "content-length: 99999999999999999999",
  "content-length: 5",
  "transfer-encoding: chunked",
  "transfer-encoding: gzip",
  "idempotency-key: k",
  `idempotency-key: ${"k".repeat(200)}`,
  "idempotency-key: \x01",
  'if-match: W/"',
  "if-match: ,,,",
  "x-request-id: \xe9\xe9",
  `x-request-id: ${"r".repeat(500)}`,
  "accept-encoding: br;q=x, *;q=",
  "authorization: Bearer",
  "authorization: Bearer a b c",
  "authorization: \xff",
  "host: a:b:c",
  "host:",
  "expect: 100-continue",
  "connection: upgrade",
  "upgrade: websocket",
  "cookie: =;=;",
  "range: bytes=-",
  `x-large: ${"l".repeat(20_000)}`,
  "no colon here",
  ": no name",
];

/** Sends the bytes and tells the status lines that come back until the connection ends or falls silent. */
function exchange(url: string, bytes: Buffer): Promise<number[]> {
  const { hostname, port } = new URL(url);
  return new Promise<number[]>((resolve) => {
    let text = "";
    const finish = () => {
      socket.destroy();
      resolve([...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1])));
    };
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(400, finish).on("error", finish).on("close", finish);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
  });
}

onEachDatabase(
  "hostile requests",
  (world) => {
    let ada: Person;
    before(async () => {
      ada = await world.person();
    });

    test("FAULT6 no malformed or oversized request is a failure of ours, and the server lives on", async () => {
      const random = seeded(20261115);
      const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
      const makeRequest = () => {
        const body = Buffer.from(pick(bodies) as string);
        const given = Array.from({ length: Math.max(0, random(5) - 1) }, () => pick(headers));
        if (random(3) > 0) given.push(`authorization: Bearer ${ada.token}`);
        if (random(3) > 0) given.push(`content-length: ${body.length}`, "content-type: application/json");
        const head = `${pick(methods)} ${pick(paths)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${given.join("\r\n")}\r\n\r\n`;
        return Buffer.concat([Buffer.from(head, "latin1"), body]);
      };
      const seen = new Set<number>();
      for (let batch = 0; batch < 25; batch++) {
        const requests = Array.from({ length: 30 }, makeRequest);
        const answers = await Promise.all(requests.map((request) => exchange(world.url, request)));
        for (const [index, statuses] of answers.entries())
          for (const status of statuses) {
            seen.add(status);
            assert.ok(status < 500, `${status} for ${requests[index]?.subarray(0, 400).toString("latin1")}`);
          }
      }
      for (const status of [200, 201, 400, 401, 404, 405, 415, 431]) assert.ok(seen.has(status), `some get ${status}`);
      assert.equal((await ada.client.get("/me")).status, 200);
    });
  },
  {},
  [...routes, ...testRoutes],
);
