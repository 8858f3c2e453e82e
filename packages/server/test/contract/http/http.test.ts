import assert from "node:assert/strict";
import { connect } from "node:net";
import { before, test } from "node:test";
import { assertError, assertStatus, Client } from "../../support/client.ts";
import { freePort } from "../../support/postgres.ts";
import { MAIN, runProgram, startServer } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("HTTP", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("ID1 GET /me tells user, scopes, token and workspace", async () => {
    const { data } = assertStatus(await ada.client.get("/me"), 200);
    assert.equal(data.user.email, ada.email);
    assert.equal(data.token_id, ada.tokenId);
    assert.equal(data.scopes.length, 9);
    assert.deepEqual(data.workspace, { id: ada.workspaceId, name: "Ada's workspace", role: "owner" });
  });

  test("ID2 GET /me/quota tells usage and caps", async () => {
    const { data } = assertStatus(await ada.client.get("/me/quota"), 200);
    assert.equal(data.workspace_id, ada.workspaceId);
    assert.deepEqual(data.documents, { used: 0, limit: 100000 });
    assert.ok(data.machine_translation.resets_at > Date.now());
  });

  test("AUTH4 wrong, expired and revoked tokens have their own codes", async () => {
    assertError(await new Client(world.url, "svc_tok_wrong").get("/me"), "token_invalid");
    assertError(await new Client(world.url, "something").get("/me"), "token_invalid");
    assertError(await (await world.person({ expiresAt: Date.now() - 1 })).client.get("/me"), "token_expired");
    const revoked = await world.person();
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("tokens").set({ revoked_at: Date.now() }).where("id", "=", revoked.tokenId).execute(),
    );
    assertError(await revoked.client.get("/me"), "token_revoked");
  });

  test("AUTH5 a cookie opens nothing", async () => {
    const reply = await new Client(world.url).get("/me", { headers: { cookie: `session=${ada.token}` } });
    assertError(reply, "token_missing");
  });

  test("ENV1 a request id that is sent comes back, in the header and in the body", async () => {
    const reply = await ada.client.get("/me", { headers: { "x-request-id": "my-id-1" } });
    assert.equal(reply.headers.get("x-request-id"), "my-id-1");
    assert.equal(reply.body.request_id, "my-id-1");
    const own = await ada.client.get("/me", { headers: { "x-request-id": "not visible" } });
    assert.match(own.body.request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test("ENV3 unknown paths and methods under /api/ are JSON, with or without a token", async () => {
    for (const client of [ada.client, new Client(world.url)]) {
      const { hint } = assertError(await client.get("/api/v1/nothing/here"), "not_found");
      assert.match(hint, /openapi\.json/, "no id is to be looked up again");
      assertError(await client.get("/api/nothing"), "not_found");
      for (const path of ["/me", "/api/openapi.json"]) {
        const reply = await client.post(path, {});
        assertError(reply, "method_not_allowed");
        assert.equal(reply.headers.get("allow"), "GET, HEAD");
      }
    }
  });

  /** Sends raw bytes and returns the server's answer once it closes the connection. */
  const tell = (bytes: string): Promise<string> => {
    const { hostname, port } = new URL(world.directUrl);
    return new Promise((resolve) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
  };

  test("ENV3 RATE1 methods that no route has are refused like those that only others have", async () => {
    for (const method of ["TRACE", "PROPFIND", "MKCOL", "QUERY", "SEARCH"]) {
      const ask = (path: string) =>
        tell(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nConnection: close\r\n\r\n`,
        );
      const known = await ask("/api/v1/documents/doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ/blocks?x");
      assert.match(known, /^HTTP\/1\.1 405 .*"code":"method_not_allowed"/s, method);
      assert.match(known, /\r\nallow: GET, HEAD, POST\r\n/);
      assert.match(known, /\r\nx-ratelimit-remaining: \d+\r\n/);
      assert.match(await ask("/api/v1/knowledge-bases/import"), /\r\nallow: POST\r\n/, "the name, not an id");
      assert.match(await ask("/api/openapi.json"), /^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD\r\n/s);
      assert.match(await ask("/api/v1/nothing"), /^HTTP\/1\.1 404 .*\r\nx-ratelimit-limit: \d+\r\n.*"not_found"/s);
    }
  });

  test("ENV4 broken addresses are refused, not failed", async () => {
    const broken = assertStatus(await ada.client.get("/api/v1/%zz"), 400);
    assert.ok(broken.headers.get("x-ratelimit-remaining"), "and count");
    assertStatus(await ada.client.get(`/api/v1/${"x".repeat(5000)}`), 404);
  });

  test("ENV5 what is not HTTP gets an error body and a closed connection", async () => {
    assert.match(await tell("NONSENSE\r\n\r\n"), /^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
  });

  test("ENV5 a request of HTTP/1.1 without a host is told so", async () => {
    const ask = (version: string, path = "/api/v1/me") =>
      tell(`GET ${path} HTTP/${version}\r\nAuthorization: Bearer ${ada.token}\r\nConnection: close\r\n\r\n`);
    for (const page of ["/s/nothing", "/sign-in", "/api-docs", "/healthz"])
      assert.match(await ask("1.1", page), /^HTTP\/1\.1 400 /, page);
    assert.match(await ask("1.1"), /^HTTP\/1\.1 400 .*"code":"invalid_request".*header\.host/s);
    assert.match(await ask("1.0"), /^HTTP\/1\.1 200 /);
  });

  test("RATE1 a request that names the whole address is like one that names the path", async () => {
    const ask = (target: string) =>
      tell(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nConnection: close\r\n\r\n`);
    const [head = "", body] = (await ask("http://x.example/api/v1/me")).split("\r\n\r\n");
    assert.match(head, /^HTTP\/1\.1 200 .*\nx-ratelimit-limit: \d+.*/s);
    assert.match(head, /access-control-allow-origin: \*/);
    assert.match(body ?? "", /"data":\{"user"/);
    for (const target of ["http://x.example/api/nothing", "HTTP://x.example?q=/api/"])
      assert.match(await ask(target), target.includes("?") ? /^HTTP\/1\.1 303/ : /^HTTP\/1\.1 404 .*"not_found"/s);
  });

  test("CORS1 any origin may call, without credentials", async () => {
    const preflight = await fetch(`${world.url}/api/v1/me`, {
      method: "OPTIONS",
      headers: { origin: "https://a.example" },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /Authorization.*If-Match/);
    const reply = await ada.client.get("/me", { headers: { origin: "https://a.example" } });
    assert.match(reply.headers.get("access-control-expose-headers") ?? "", /ETag/);
    assert.equal(reply.headers.get("access-control-allow-credentials"), null);
  });

  test("OPS1 health, readiness and metrics need no token and tell no secret", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      const response = await fetch(world.url + path);
      assert.equal(response.status, 200, path);
      assert.ok(!(await response.text()).includes(ada.token));
    }
    assert.match(await (await fetch(`${world.url}/metrics`)).text(), /svc_http_requests_total\{operation="get_me"/);
  });

  test("OPS1 every metric has a help text, and only counters end with _total", async () => {
    const text = await (await fetch(`${world.url}/metrics`)).text();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type] as const);
    assert.ok(types.length > 20);
    for (const [name, type] of types) {
      assert.equal(name.endsWith("_total"), type === "counter", `${name} is a ${type}`);
      assert.match(text, new RegExp(`^# HELP ${name} \\S`, "m"));
    }
  });

  test("OPS5 with a token of their own the metrics need it", async () => {
    const server = await startServer({ ...world.settings, SVC_METRICS_TOKEN: "figures" });
    try {
      const status = async (headers: Record<string, string>) =>
        (await fetch(`${server.url}/metrics`, { headers })).status;
      assert.equal(await status({}), 401);
      assert.equal(await status({ authorization: "Bearer figure" }), 401);
      assert.equal(await status({ authorization: `Bearer ${ada.token}` }), 401);
      assert.equal(await status({ authorization: "Bearer figures" }), 200);
    } finally {
      await server.stop();
    }
  });

  test("OPS5 at an address of their own the metrics are there and not with the service, whoever of several processes answers", async () => {
    if (world.kind === "postgres") return;
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const settings = {
      ...world.settings,
      SVC_METRICS_ADDRESS: address,
      SVC_METRICS_TOKEN: "figures",
      SVC_WORKERS: "2",
    };
    const server = await startServer(settings);
    try {
      const headers = { authorization: "Bearer figures" };
      assert.equal((await fetch(`${server.url}/metrics`, { headers })).status, 404);
      assert.equal((await fetch(`http://${address}/metrics`)).status, 401);
      const figures = await fetch(`http://${address}/metrics`, { headers });
      assert.equal(figures.status, 200);
      assert.match(await figures.text(), /worker="2"/);
      assert.equal((await fetch(`http://${address}/healthz`)).status, 404);
      const second = await runProgram(MAIN, [], { ...settings, SVC_PORT: "0", SVC_WORKERS: "1" });
      assert.equal(second.code, 1);
      assert.match(second.stderr, /^svc: .*EADDRINUSE.*\n$/);
    } finally {
      await server.stop();
    }
  });

  test("AUTH6 last use is written within seconds, with the client", async () => {
    const bob = await world.person();
    await bob.client.get("/me", { headers: { "user-agent": "tester/1.0 (Test)" } });
    const { read } = world.app.services.database;
    const token = read.selectFrom("tokens").selectAll().where("id", "=", bob.tokenId);
    await until(
      "it is written",
      async () => (await token.executeTakeFirstOrThrow()).last_client === "tester/1.0 (Test)",
    );
    const { last_used_at } = await token.executeTakeFirstOrThrow();
    assert.ok(last_used_at && last_used_at > Date.now() - 60_000);
  });
});
