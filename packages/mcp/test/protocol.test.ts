import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { jsonOf, type Loose } from "../../server/test/support/client.ts";
import { stayInOneDay } from "../../server/test/support/until.ts";
import { type Person, World } from "../../server/test/support/world.ts";
import { Agent, idIn } from "./support/agent.ts";

const JSON_RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The message, whether it came as JSON or as the one event of a stream. */
  readonly message: Loose;
}

describe("MCP over HTTP", () => {
  const world = new World("sqlite", { SVC_MAX_REQUEST_BYTES: "200000", SVC_MCP_ORIGINS: "https://agent.example.com" });
  let person: Person;
  before(async () => {
    await world.start();
    person = await world.person();
  });
  after(() => world.stop());

  async function send(body: unknown, headers: Record<string, string> = {}, method = "POST"): Promise<Reply> {
    const response = await fetch(`${world.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${person.token}`, ...JSON_RPC, ...headers },
      ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
    return { status: response.status, headers: response.headers, message: json === "" ? undefined : JSON.parse(json) };
  }

  const call = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
  const initialize = (protocolVersion: string) =>
    call("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } });

  test("MCP1 the official client connects in the revisions of 2025 and of 2026", async () => {
    const old = await Agent.connect(world.url, person.token);
    assert.equal(old.client.getNegotiatedProtocolVersion(), "2025-11-25");
    const modern = await Agent.connect(world.url, person.token, { versionNegotiation: { mode: "auto" } });
    assert.equal(modern.client.getNegotiatedProtocolVersion(), "2026-07-28");
    for (const agent of [old, modern]) {
      assert.equal(agent.client.getServerVersion()?.name, "svc");
      assert.match(agent.client.getInstructions() ?? "", /edit_markdown/);
      assert.match((await agent.ok("browse")).text, /no knowledge base yet/);
      await agent.close();
    }
  });

  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    test(`MCP1 a client of ${version} is answered in that revision`, async () => {
      const { message } = await send(initialize(version));
      assert.equal(message.result.protocolVersion, version);
    });

  test("MCP1 an unknown revision is answered with one that we speak; in the header it is refused", async () => {
    const { message } = await send(initialize("1999-01-01"));
    assert.equal(message.result.protocolVersion, "2025-11-25");
    const refused = await send(call("tools/list"), { "mcp-protocol-version": "1999-01-01" });
    assert.equal(refused.status, 400);
    assert.match(refused.message.error.message, /protocol version/i);
  });

  test("MCP2 there are no sessions: no id is given out, and a listening stream or its end is 405", async () => {
    const { headers } = await send(initialize("2025-06-18"));
    assert.equal(headers.get("mcp-session-id"), null);
    for (const method of ["GET", "DELETE"]) {
      const reply = await send(undefined, {}, method);
      assert.equal(reply.status, 405);
      assert.equal(reply.headers.get("allow"), "POST");
    }
  });

  test("MCP3 without a token it is 401 and says where to learn how to get one", async () => {
    for (const method of ["POST", "GET"]) {
      const response = await fetch(`${world.url}/mcp`, {
        method,
        headers: JSON_RPC,
        ...(method === "POST" && { body: JSON.stringify(call("tools/list")) }),
      });
      assert.equal(response.status, 401);
      const challenge = response.headers.get("www-authenticate") ?? "";
      const metadata = /^Bearer resource_metadata="([^"]+)", scope="documents:read [^"]+"$/.exec(challenge)?.[1];
      assert.equal(metadata, `${world.url}/.well-known/oauth-protected-resource/mcp`);
      assert.equal((await jsonOf(response)).error.data.code, "token_missing");
    }
  });

  test("MCP3 a wrong, an expired and a revoked token are 401 with invalid_token", async () => {
    const expired = await world.person({ expiresAt: Date.now() - 1000 });
    const revoked = await world.person();
    const agent = await Agent.connect(world.url, revoked.token);
    const { database } = world.app.services;
    await database.transaction((tx) => revokeToken(tx, revoked.tokenId, Date.now()));
    await assert.rejects(agent.tool("browse"), /401|Unauthorized|revoked/i);
    for (const token of ["nonsense", "svc_tok_nonsense", expired.token, revoked.token]) {
      const { status, headers } = await send(call("tools/list"), { authorization: `Bearer ${token}` });
      assert.equal(status, 401);
      assert.match(headers.get("www-authenticate") ?? "", /error="invalid_token"/);
    }
  });

  test("MCP3 a cookie opens nothing", async () => {
    const response = await fetch(`${world.url}/mcp`, {
      method: "POST",
      headers: { ...JSON_RPC, cookie: "svc_session=x" },
      body: JSON.stringify(call("tools/list")),
    });
    assert.equal(response.status, 401);
  });

  test("MCP4 pages of other origins are refused before anything else, allowed ones get what browsers need", async () => {
    const { host } = new URL(world.url);
    for (const origin of ["https://evil.example.com", "null", "http://evil.example.com"]) {
      const { status, message } = await send(call("tools/list"), { origin, host });
      assert.equal(status, 403);
      assert.equal(message.error.data.code, "forbidden_origin");
    }
    for (const origin of ["https://agent.example.com", "http://localhost:6274", world.url]) {
      const { status, headers } = await send(call("tools/list"), { origin });
      assert.equal(status, 200);
      assert.equal(headers.get("access-control-allow-origin"), origin);
    }
    const preflight = await fetch(`${world.url}/mcp`, {
      method: "OPTIONS",
      headers: { origin: "https://agent.example.com", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /Authorization/);
  });

  test("MCP5 what is no JSON, or no message, is a JSON-RPC error", async () => {
    const broken = await send("{");
    assert.deepEqual([broken.status, broken.message.error.code, broken.message.id], [400, -32700, null]);
    for (const body of ["[]", "null", "7", '"x"', "{}", '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const { status, message } = await send(body);
      assert.equal(status, 400, body);
      assert.ok(message.error.code <= -32000, body);
    }
    assert.equal((await send("")).status, 400);
  });

  test("MCP5 an unknown method, tool, prompt and resource have the protocol's own errors", async () => {
    assert.equal((await send(call("nope/nope"))).message.error.code, -32601);
    assert.equal((await send(call("tools/call", { name: "nope" }))).message.error.code, -32602);
    assert.equal((await send(call("prompts/get", { name: "nope" }))).message.error.code, -32602);
    const unknown = (await send(call("resources/read", { uri: "svc://doc/nope" }))).message.error;
    assert.ok([-32002, -32602].includes(unknown.code), JSON.stringify(unknown));
  });

  test("MCP5 arguments that are wrong come back as a result that names each of them", async () => {
    const { message } = await send(
      call("tools/call", { name: "search", arguments: { query: "", limit: 1000, nonsense: true } }),
    );
    assert.equal(message.result.isError, true);
    const [{ text }] = message.result.content;
    for (const name of ["query", "limit", "nonsense"]) assert.match(text, new RegExp(name));
    assert.match(text, /^Next: /m);
  });

  test("MCP5 ids come back as they were sent; a notification is taken without an answer", async () => {
    for (const id of ["abc", 0, 7]) assert.equal((await send(call("ping", {}, id))).message.id, id);
    const { status, message } = await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    assert.deepEqual([status, message], [202, undefined]);
  });

  test("MCP5 a batch of the old revision is answered", async () => {
    const response = await fetch(`${world.url}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${person.token}`, ...JSON_RPC, "mcp-protocol-version": "2025-03-26" },
      body: JSON.stringify([call("ping", {}, 1), call("tools/list", {}, 2)]),
    });
    const text = await response.text();
    assert.match(text, /"id":1/);
    assert.match(text, /"id":2/);
    const many = await send(Array.from({ length: 21 }, (_, id) => call("tools/list", {}, id)));
    assert.deepEqual([many.status, many.message.error.data.code], [400, "batch_too_large"]);
  });

  test("MCP5 arguments with very many members are refused without being looked into", async () => {
    const operations = Array(30_000).fill({});
    const { message } = await send(call("tools/call", { name: "edit_blocks", arguments: { operations } }));
    assert.match(message.result.content[0].text, /more members/);
  });

  test("MCP6 a wrong Accept, a wrong type and a body that is too large are refused", async () => {
    assert.equal((await send(call("tools/list"), { accept: "text/html" })).status, 406);
    assert.equal((await send(call("tools/list"), { "content-type": "text/plain" })).status, 415);
    const large = call("tools/call", { name: "search", arguments: { query: "x".repeat(200_001) } });
    const { status, message } = await send(large);
    assert.deepEqual([status, message.error.data.code], [413, "payload_too_large"]);
  });

  test("MCP7 a document of many kilobytes goes in and comes out", async () => {
    const agent = await Agent.connect(world.url, person.token);
    const { data } = await agent.ok("organize", { change: { action: "create_knowledge_base", name: "Large" } });
    const markdown = Array.from({ length: 1500 }, (_, index) => `Paragraph ${index} of a long document.`).join("\n\n");
    const made = await agent.ok("create_document", {
      title: "Long",
      knowledge_base_id: data.knowledge_base_id,
      markdown,
    });
    const read = await agent.ok("read_document", {
      document_id: idIn(made.text),
      max_tokens: 200_000,
      anchors: false,
    });
    assert.ok(read.text.endsWith(markdown));
  });
});

describe("MCP rate limit", () => {
  const world = new World("sqlite", { SVC_RATE_LIMIT: "12", SVC_RATE_LIMIT_WINDOW_S: "86400" });
  before(stayInOneDay);
  before(() => world.start());
  after(() => world.stop());

  test("MCP8 a request counts as one, each call of its tool as another, and what is over is told to wait", async () => {
    const { token } = await world.person();
    const send = (method: string, params: object = {}) =>
      fetch(`${world.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...JSON_RPC },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
    const browse = async () => (await send("tools/call", { name: "browse", arguments: {} })).text();
    for (let used = 0; used < 9; used += 3) assert.match(await browse(), /no knowledge base/);
    assert.equal((await send("tools/list")).status, 200);
    assert.match(await browse(), /\*\*rate_limited\*\* \(429\).*Wait \d+ seconds/);
    const refused = await send("tools/list");
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
  });
});
