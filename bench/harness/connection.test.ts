import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { portOf } from "@svc/server/http/port-of";
import { Connection } from "./connection.ts";
import { drive } from "./drive.ts";
import { bytesOf } from "./request.ts";

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

test("BENCH5 the sender reads an answer in one piece and in many", async () => {
  const whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  assert.deepEqual(await ask(whole), { status: 200, body: "hello" });
  assert.deepEqual(await ask(...whole), { status: 200, body: "hello" });
  const long = `HTTP/1.1 200 OK\r\nx: ${"y".repeat(5000)}\r\ncontent-length: 70000\r\n\r\n${"b".repeat(70_000)}`;
  assert.equal((await ask(long)).body.length, 70_000);
});

test("BENCH5 an answer without a body is complete with its head", async () => {
  assert.deepEqual(await ask("HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n"), { status: 304, body: "" });
});

test("BENCH5 an answer that is cut, too long or of unknown length is an error", async () => {
  await assert.rejects(ask("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel", "END"), /closed/);
  await assert.rejects(ask("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhello"), /longer/);
  await assert.rejects(ask("HTTP/1.1 200 OK\r\n\r\nhello"), /content-length/);
});

test("BENCH5 a refusal ends a measurement with the request that it refused", async () => {
  script = [["HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"]];
  const sending = drive({ address, pid: process.pid }, () => bytesOf({ method: "GET", path: "/x" }), {
    connections: 1,
    count: 1,
  });
  await assert.rejects(sending, /500 for GET \/x/);
});
