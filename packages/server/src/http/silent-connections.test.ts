import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import fastify from "fastify";
import { endSilentConnections } from "./silent-connections.ts";

test("OPS2 connections on which nothing was sent do not hold up a stop, not even one that comes during it", {
  timeout: 10_000,
}, async () => {
  const server = fastify();
  endSilentConnections(server);
  const open = async () => {
    const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    await Promise.all([once(socket, "connect"), once(server.server, "connection")]);
  };
  server.addHook("preClose", open);
  await server.listen();
  await open();
  await server.close();
});
