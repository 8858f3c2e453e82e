import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "../config.ts";
import { portOf } from "./port-of.ts";
import { HEAD_TIME, makeServer } from "./server.ts";

const log = pino({ level: "silent" });

test("HOST19 a request head that never ends is answered 408, although bytes keep coming", {
  timeout: 60_000,
}, async () => {
  const server = makeServer(readConfig({}), log, { headersTimeout: 500, connectionsCheckingInterval: 100 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect(portOf(server.server), "127.0.0.1").on("error", () => undefined);
  const answer = new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString("latin1"))));
  let isOver = false;
  try {
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nx-slow: ");
    const ended = answer.finally(() => {
      isOver = true;
    });
    for (; !isOver; await sleep(50)) socket.write("a");
    assert.match(await ended, /^HTTP\/1\.1 408 /);
  } finally {
    socket.destroy();
    await server.close();
  }
});

test("HOST19 a request head is held for 30 seconds at most", async () => {
  const server = makeServer(readConfig({}), log);
  assert.ok(HEAD_TIME.headersTimeout + HEAD_TIME.connectionsCheckingInterval <= 30_000);
  assert.equal(server.server.headersTimeout, HEAD_TIME.headersTimeout);
  await server.close();
});
