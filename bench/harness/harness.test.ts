import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { portOf } from "@svc/server/http/port-of";
import { bytesOf } from "./api.ts";
import { Connection } from "./connection.ts";
import { drive } from "./drive.ts";
import { median, percentile, slopeOf } from "./statistics.ts";

test("the median is the middle value, or the mean of the middle two", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 9]), 3);
});

test("99 of 100 values are at most the percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile([...hundred, 1000], 0.99), 100);
  assert.equal(percentile([7], 0.99), 7);
});

test("the slope is the exponent of the growth", () => {
  const curve = (growth: (x: number) => number) => [10, 100, 1000].map((x) => ({ x, y: growth(x) }));
  const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);
  near(slopeOf(curve(() => 7)), 0);
  near(slopeOf(curve((x) => 3 * x)), 1);
  near(slopeOf(curve((x) => x * x)), 2);
});

/** Answers each request with the next of these, in pieces with a pause between them. */
let script: string[][] = [];
const server = createServer((socket: Socket) => {
  socket.on("error", () => undefined);
  socket.on("data", async () => {
    for (const piece of script.shift() ?? []) {
      if (piece === "END") return void socket.destroy();
      socket.write(piece, "latin1");
      await new Promise((next) => setTimeout(next, 5));
    }
  });
});
let address = "";

before(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${portOf(server)}`;
});
after(() => server.close());

async function ask(...pieces: string[]): Promise<{ status: number; body: string }> {
  script = [pieces];
  const connection = await Connection.open(address);
  try {
    const { status, body } = await connection.ask(bytesOf({ method: "GET", path: "/" }));
    return { status, body: body.toString("latin1") };
  } finally {
    connection.close();
  }
}

test("the sender reads a response in one piece and in many", async () => {
  const whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  assert.deepEqual(await ask(whole), { status: 200, body: "hello" });
  assert.deepEqual(await ask(...whole), { status: 200, body: "hello" });
  const long = `HTTP/1.1 200 OK\r\nx: ${"y".repeat(5000)}\r\ncontent-length: 70000\r\n\r\n${"b".repeat(70_000)}`;
  assert.equal((await ask(long)).body.length, 70_000);
});

test("a response without a body is complete after its headers", async () => {
  assert.deepEqual(await ask("HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n"), { status: 304, body: "" });
});

test("a response that is cut off, too long or of unknown length is an error", async () => {
  await assert.rejects(ask("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel", "END"), /closed/);
  await assert.rejects(ask("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhello"), /longer/);
  await assert.rejects(ask("HTTP/1.1 200 OK\r\n\r\nhello"), /content-length/);
});

test("a refusal ends a measurement and names the refused request", async () => {
  script = [["HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"]];
  const sending = drive({ address, pid: process.pid }, () => bytesOf({ method: "GET", path: "/x" }), {
    connections: 1,
    count: 1,
  });
  await assert.rejects(sending, /500 for GET \/x/);
});
