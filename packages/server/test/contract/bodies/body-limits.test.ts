import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { before, test } from "node:test";
import { assertError, assertStatus, Client, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { startServer } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** `[[],[],…]`: 15.6 MB that took three seconds to parse. */
const COSTLY = `[${"[],".repeat(5_200_000)}[]]`;

onEachDatabase("bodies", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  /** Sends a head and a part of the body; gives back the status line as soon as there is one. */
  const begin = (path: string, head: string, body: string | Buffer = "", url = world.directUrl) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n\r\n`);
    socket.write(body);
    const status = new Promise<number>((resolve) =>
      socket.once("data", (data) => resolve(Number(data.toString("latin1").slice(9, 12)))),
    );
    return { socket, status };
  };

  test("HOST16 what needs no token takes 4 KB", async () => {
    const form = "application/x-www-form-urlencoded";
    const send = async (path: string, body: string, type: string) =>
      (await fetch(world.url + path, { method: "POST", headers: { "content-type": type }, body })).status;
    const json = (bytes: number) => JSON.stringify({ client_name: "x".padEnd(bytes, " ") });
    for (const path of ["/api/v1/auth/device/code", "/api/v1/auth/device/token"])
      assert.equal(await send(path, json(5000), "application/json"), 413, path);
    assert.equal(await send("/api/v1/auth/device/code", json(4000), "application/json"), 200);
    for (const path of ["/oauth/token", "/oauth/device_authorization", "/sign-in", "/account/name"])
      assert.equal(await send(path, `a=${"x".repeat(5000)}`, form), 413, path);
  });

  test("HOST17 what is not there is refused before its body comes", async () => {
    const head = `content-length: 16000000\r\nauthorization: Bearer ${ada.token}`;
    for (const [path, expected] of [
      ["/api/v1/nothing", 404],
      ["/api/nothing", 404],
      ["/nothing", 404],
      ["/api/v1/me", 405],
    ] as const) {
      const { socket, status } = begin(path, head, "[[],");
      assert.equal(await status, expected, path);
      socket.destroy();
    }
    const { socket, status } = begin("/api/v1/documents", "content-length: 16000000", "[[],");
    assert.equal(await status, 401);
    socket.destroy();
  });

  test("HOST15 a body of millions of tiny values is refused unparsed", async () => {
    const { id } = await makeDocument(ada.client);
    const refused = await ada.client.put(`/documents/${id}/content`, COSTLY, { ifMatch: "*" });
    assert.match(assertError(refused, "invalid_request").issues[0].message, /too many/);
    const content = Array.from({ length: 30_000 }, (_, i) => ({
      type: "paragraph",
      content: [{ type: "text", text: `${i}` }],
    }));
    const body = { format: "tiptap-json", document: { type: "doc", content } };
    assertStatus(await ada.client.put(`/documents/${id}/content`, body, { ifMatch: "*" }), 200);
  });

  test("HOST15 a body with hundreds of thousands of different fields is refused unparsed, by REST and MCP", async () => {
    const fields = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`f${i}`, 1]));
    const refused = await ada.client.post("/documents", fields);
    assert.match(assertError(refused, "invalid_request").issues[0].message, /different fields/);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search", arguments: fields } };
    const send = (body: string) =>
      fetch(`${world.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ada.token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body,
      });
    const answer = await send(JSON.stringify(call));
    assert.equal(answer.status, 400);
    assert.match(((await answer.json()) as Loose).error.message, /different fields/);
    assert.equal((await send(" ".repeat(8 * 1024 * 1024 + 1))).status, 413);
  });

  test("HOST18 thirty unfinished bodies of one caller take up the memory of four, and others are served", {
    timeout: 120_000,
  }, async () => {
    await using server = await startServer(world.settings);
    const kilobytes = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]);
    await new Client(server.url, ada.token).get("/me");
    const atFirst = kilobytes();
    const sockets: Socket[] = [];
    let refused = 0;
    const part = Buffer.alloc(15_999_000, " ");
    for (let i = 0; i < 30; i++) {
      const head = `content-length: 16000000\r\nauthorization: Bearer ${ada.token}`;
      const { socket, status } = begin("/api/v1/documents", head, part, server.url);
      sockets.push(socket);
      void status.then((code) => {
        if (code === 429) refused++;
      });
    }
    const eve = await world.person();
    await until("all but four are refused", () => refused >= 26);
    assert.equal(refused, 26);
    assert.ok(kilobytes() - atFirst < 200_000, `${kilobytes() - atFirst} kB`);
    const other = new Client(server.url, eve.token);
    assertError(await other.post("/documents", JSON.stringify({ title: " ".repeat(15_000_000) })), "invalid_request");
    for (const socket of sockets) socket.destroy();
    const again = new Client(server.url, ada.token);
    await until("their memory is free again", async () => {
      const reply = await again.post("/documents", JSON.stringify({ title: " ".repeat(15_000_000) }));
      return reply.body.error.code === "invalid_request";
    });
  });
});
