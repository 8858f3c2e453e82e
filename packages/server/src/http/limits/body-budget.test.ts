import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { until } from "../../../test/support/until.ts";
import { portOf } from "../port-of.ts";
import { limitBodies } from "./body-budget.ts";

async function serving(patience?: { lookMs: number; looks: number }) {
  const reached = Promise.withResolvers<void>();
  const server = fastify({ bodyLimit: 20_000_000, forceCloseConnections: true });
  server.decorateRequest("identity", undefined);
  server.decorateRequest("bodyCaller", undefined);
  limitBodies(server, (socket) => socket.end("HTTP/1.1 408 Stalled\r\n\r\n"), patience);
  server.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body.length);
  });
  server.post("/", async (request) => String(request.body));
  // Nobody reads its body, and nobody answers before the sender is gone.
  server.addContentTypeParser("application/unread", (_request, _payload, done) => done(null, undefined));
  server.post("/unread", async ({ raw: { socket } }) => {
    reached.resolve();
    await once(socket, "close");
    return "late";
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const port = portOf(server.server);
  const arrived = new Set<Socket>();
  server.server.on("connection", (socket) => {
    arrived.add(socket);
    socket.once("close", () => arrived.delete(socket));
  });
  const open = (head: string): Socket => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\n${head}`);
    return socket;
  };
  return { open, port, arrived, reached: reached.promise, [Symbol.asyncDispose]: () => server.close() };
}

/** The beginning of the answer, as soon as it comes. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));

for (const isChunked of [false, true])
  test(`HOST18 one caller holds 64 MB of bodies at most ${isChunked ? "in chunks" : "of known length"}, and gets them back`, {
    timeout: 60_000,
  }, async () => {
    await using server = await serving();
    const { open, arrived } = server;
    const SIZE = 16_000_000;
    const part = Buffer.alloc(SIZE - 10);
    const begin = () => {
      const head = isChunked ? "transfer-encoding: chunked\r\n\r\n" : `content-length: ${SIZE}\r\n\r\n`;
      const socket = open(head);
      if (isChunked) socket.write(`${SIZE.toString(16)}\r\n`);
      socket.write(part);
      return socket;
    };
    const held: Socket[] = [];
    for (let i = 1; i <= 4; i++) {
      held.push(begin());
      await until("it is held", () => [...arrived].filter(({ bytesRead }) => bytesRead >= SIZE - 10).length === i);
    }
    await sleep(50);
    assert.match(await answerOf(begin()), /rate_limited/);
    for (const socket of held) socket.destroy();
    await until("they are gone", () => arrived.size <= 1);
    await sleep(50);
    const last = begin();
    const answer = answerOf(last);
    last.write(Buffer.alloc(10));
    if (isChunked) last.write("\r\n0\r\n\r\n");
    assert.match(await answer, /^HTTP\/1.1 200[\s\S]*16000000/);
  });

test("HOST19 who sends nothing more is ended, who goes on is not", { timeout: 60_000 }, async () => {
  await using server = await serving({ lookMs: 50, looks: 30 });
  const { open } = server;
  const silent = open("content-length: 10\r\n\r\n12345");
  const slow = open("content-length: 10\r\n\r\n");
  const answer = answerOf(slow);
  const ended = answerOf(silent);
  for (let i = 0; i < 10; i++) {
    await sleep(250);
    slow.write("x");
  }
  assert.match(await ended, /^HTTP\/1.1 408/);
  assert.match(await answer, /^HTTP\/1.1 200/);
});

test("HOST18 a sender in chunks who goes away when nobody reads the body harms nobody", {
  timeout: 60_000,
}, async () => {
  await using server = await serving();
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on("uncaughtException", note);
  try {
    const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
    socket.write("POST /unread HTTP/1.1\r\nhost: x\r\ncontent-type: application/unread\r\n");
    socket.write("transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n");
    await server.reached;
    socket.resetAndDestroy();
    await until("it is gone", () => server.arrived.size === 0);
    const next = server.open("content-length: 2\r\n\r\nok");
    assert.match(await answerOf(next), /^HTTP\/1.1 200/);
    await sleep(100);
    assert.deepEqual(failures, []);
  } finally {
    process.off("uncaughtException", note);
  }
});
