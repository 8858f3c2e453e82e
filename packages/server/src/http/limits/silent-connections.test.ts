import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { portOf } from "../port-of.ts";
import { endSilentConnections } from "./silent-connections.ts";

test("OPS2 connections on which nothing was sent do not hold up a stop, not even one that comes during it", async () => {
  const server = fastify();
  endSilentConnections(server);
  const opened: Socket[] = [];
  const open = async () => {
    const socket = connect(portOf(server.server), "127.0.0.1").on("error", () => undefined);
    opened.push(socket);
    await Promise.all([once(socket, "connect"), once(server.server, "connection")]);
  };
  server.addHook("preClose", open);
  await server.listen();
  await open();
  const closed = server.close().then(() => "closed");
  assert.equal(await Promise.race([closed, sleep(60_000, "held up", { ref: false })]), "closed");
  for (const socket of opened) socket.destroy();
});
