import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { portOf } from "../port-of.ts";
import { limitUnreadAnswers, overLimit } from "./unread-answers.ts";

const MEGABYTE = 1024 * 1024;

test("HOST14 who has waited longest is cut off first, and nobody within the limit", () => {
  const waiting = [
    { unread: 5, looks: 0 },
    { unread: 3, looks: 9 },
    { unread: 4, looks: 9 },
    { unread: 6, looks: 2 },
  ];
  assert.deepEqual(overLimit(waiting, 18), []);
  assert.deepEqual(overLimit(waiting, 14), [waiting[2]]);
  assert.deepEqual(overLimit(waiting, 11), [waiting[2], waiting[1]]);
  assert.equal(overLimit(waiting, 0).length, 3, "not who has just begun");
});

test("HOST14 answers that nobody reads do not fill the memory, and readers get theirs", {
  timeout: 180_000,
}, async () => {
  const server = fastify();
  limitUnreadAnswers(server, 64 * MEGABYTE);
  server.get("/", () => "x".repeat(16 * MEGABYTE));
  let made = 0;
  server.server.on("connection", () => made++);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const port = portOf(server.server);
  const silent = Array.from({ length: 20 }, () => {
    const socket = connect(port, "127.0.0.1")
      .on("error", () => undefined)
      .pause();
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    return socket;
  });
  const openNow = () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  try {
    for (const deadline = Date.now() + 120_000; made < silent.length || (await openNow()) > 6; await sleep(100)) {
      const reply = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: "close" } });
      assert.equal((await reply.text()).length, 16 * MEGABYTE, "who reads gets it");
      assert.ok(Date.now() < deadline, "they are not cut off");
    }
  } finally {
    for (const socket of silent) socket.destroy();
    await server.close();
  }
});
