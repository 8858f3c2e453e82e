import assert from "node:assert/strict";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { boundBodies } from "./body-budget.ts";

async function serving(patience?: { limitMs: number; lookMs: number }) {
  const server = fastify({ bodyLimit: 20_000_000, forceCloseConnections: true });
  server.decorateRequest("identity", undefined);
  server.decorateRequest("bodyCaller", undefined);
  boundBodies(server, (socket) => socket.end("HTTP/1.1 408 Stalled\r\n\r\n"), patience);
  server.addContentTypeParser("application/octet-stream", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, (body as Buffer).length);
  });
  server.post("/", async (request) => String(request.body));
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const open = (head: string): Socket => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\n${head}`);
    return socket;
  };
  return { open, [Symbol.asyncDispose]: () => server.close() };
}

/** The beginning of the answer, as soon as it comes. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));

for (const isChunked of [false, true])
  test(`HOST18 one caller holds 64 MB of bodies at most ${isChunked ? "in chunks" : "of known length"}, and gets them back`, {
    timeout: 60_000,
  }, async () => {
    await using server = await serving();
    const { open } = server;
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
    for (let i = 0; i < 4; i++) {
      held.push(begin());
      await sleep(200);
    }
    assert.match(await answerOf(begin()), /rate_limited/);
    for (const socket of held) socket.destroy();
    await sleep(200);
    const last = begin();
    const answer = answerOf(last);
    last.write(Buffer.alloc(10));
    if (isChunked) last.write("\r\n0\r\n\r\n");
    assert.match(await answer, /^HTTP\/1.1 200[\s\S]*16000000/);
  });

test("HOST19 who sends nothing more is ended, who goes on is not", { timeout: 60_000 }, async () => {
  await using server = await serving({ limitMs: 400, lookMs: 50 });
  const { open } = server;
  const silent = open("content-length: 10\r\n\r\n12345");
  const slow = open("content-length: 10\r\n\r\n");
  const answer = answerOf(slow);
  const ended = answerOf(silent);
  for (let i = 0; i < 10; i++) {
    await sleep(150);
    slow.write("x");
  }
  assert.match(await ended, /^HTTP\/1.1 408/);
  assert.match(await answer, /^HTTP\/1.1 200/);
});
