import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { errorCodes, messageOf } from "@svc/server/error-codes";
import { apiError } from "@svc/server/errors";
import { scopes } from "@svc/server/http/callers/scopes";
import { routes } from "@svc/server/routes";
import { AGENT_GUIDE } from "@svc/server/surfaces/openapi/guide";
import { assertError, jsonOf, type Loose } from "../../support/client.ts";
import { makeDocument } from "../../support/fixtures.ts";
import { onEachDatabase, World } from "../../support/world.ts";

const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
/** `GET /documents/{id}/read?section=…` in a text, without its query. */
const callsIn = (text: string): string[] =>
  [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[a-z0-9/{}_-]+)/gi)].map(
    ([, method, path]) => `${method} ${path}`,
  );

for (const code of errorCodes)
  test(`DISC1 ${code} says in one sentence what to do next`, () => {
    const hint = String(apiError(code).details.hint);
    assert.match(hint, /^[A-Z].*\S\.$/);
    assert.ok(hint.length <= 140, hint);
    assert.notEqual(hint, messageOf(code));
    for (const call of callsIn(hint)) assert.ok(known.has(call), call);
  });

test("DISC1 whoever knows more precisely says it instead", () => {
  assert.equal(apiError("not_found", { hint: "Look there." }).details.hint, "Look there.");
});

test("DISC2 every call that the guide for agents names is one of the API's", () => {
  const calls = callsIn(AGENT_GUIDE);
  assert.ok(calls.length >= 15);
  for (const call of calls) assert.ok(known.has(call), call);
});

onEachDatabase("discovery", (world) => {
  test("DISC1 refusals carry their hint over HTTP", async () => {
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const body = { format: "markdown", content: "x" };
    assert.match(
      assertError(await client.put(`/documents/${id}/content`, body), "precondition_required").hint,
      /If-Match/,
    );
    const conflict = await client.put(`/documents/${id}/content`, body, { ifMatch: "sha256:0" });
    assert.match(assertError(conflict, "version_conflict").hint, /again/);
    assert.match(assertError(await client.get("/documents/doc_1"), "not_found").hint, /search/);
    const anchors = { format: "markdown", content: "<!--@block=block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM-->\nx" };
    const unknown = await client.put(`/documents/${id}/content`, anchors, { ifMatch: "*" });
    assert.match(assertError(unknown, "unknown_anchor").hint, /anchor/);
    const response = await fetch(`${world.url}/api/v1/me`);
    assert.match((await jsonOf(response)).error.details.hint, /device login/);
  });
});

describe("discovery documents", () => {
  const world = new World("sqlite", {});
  before(() => world.start());
  after(() => world.stop());

  const json = async (path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: Loose }> => {
    const response = await fetch(world.url + path, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test("DISC3 the map is short Markdown, and every address in it answers", async () => {
    const response = await fetch(`${world.url}/llms.txt`);
    assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
    const text = await response.text();
    assert.match(text, /^# svc\n\n> /);
    assert.ok(text.length < 3000);
    assert.ok(text.indexOf("`svc` command") < Math.min(text.indexOf("/mcp"), text.indexOf("/api/v1")));
    assert.match(text, /`svc mcp`/);
    assert.match(text, /`npx @svc-kb\/cli .*In a clone run `npm ci`, then `npx svc`/);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => defined(link));
    assert.ok(links.length >= 5);
    for (const link of links) {
      assert.ok(link.startsWith(world.url), link);
      assert.equal((await fetch(link)).status, link.endsWith("/mcp") && !link.includes("well-known") ? 401 : 200, link);
    }
  });

  test("DISC4 the Markdown reference begins with the guide, and lists what to do for every error", async () => {
    const text = await (await fetch(`${world.url}/api-docs.md`)).text();
    assert.ok(text.includes(AGENT_GUIDE));
    const errors = await (await fetch(`${world.url}/api-docs/errors.md`)).text();
    for (const code of errorCodes) assert.ok(errors.includes(`\`${code}\``), code);
    assert.match(text, /\/llms\.txt/);
  });

  test("DISC5 OAuth finds the resource, its server, and nothing that is not there", async () => {
    for (const path of ["", "/mcp"]) {
      const { body, headers } = await json(`/.well-known/oauth-protected-resource${path}`);
      assert.equal(body.resource, `${world.url}/mcp`);
      assert.deepEqual(body.authorization_servers, [world.url]);
      assert.deepEqual(body.scopes_supported, scopes);
      assert.equal(headers.get("access-control-allow-origin"), "*");
    }
    const { body } = await json("/.well-known/oauth-authorization-server");
    assert.equal(body.issuer, world.url);
    assert.deepEqual(body.grant_types_supported, [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ]);
    for (const endpoint of [body.device_authorization_endpoint, body.token_endpoint])
      assert.equal((await fetch(endpoint, { method: "POST", body: new URLSearchParams() })).status, 400);
  });

  test("ENV9 what tells the address that the caller named is kept by no cache", async () => {
    const paths = ["/llms.txt", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"];
    for (const path of paths) {
      const answer = await fetch(world.url + path);
      assert.equal(answer.headers.get("cache-control"), "no-store", path);
    }
    const { client } = await world.person();
    const { id } = await makeDocument(client);
    const share = `/documents/${id}/public-share`;
    for (const reply of [
      await client.post("/auth/device/code", { client_name: "x" }),
      await client.post(share),
      await client.get(share),
    ])
      assert.equal(reply.headers.get("cache-control"), "no-store");
  });

  const form = (path: string, fields: Record<string, string>) =>
    json(path, { method: "POST", body: new URLSearchParams(fields) });
  const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  test("DISC6 a client that knows only RFC 8628 signs in", async () => {
    const started = await form("/oauth/device_authorization", {
      client_id: "Robot",
      scope: "documents:read documents:write openid",
    });
    assert.equal(started.status, 200);
    assert.equal(started.headers.get("cache-control"), "no-store");
    const { device_code, user_code, verification_uri, interval } = started.body;
    assert.match(user_code, /^\w{4}-\w{4}$/);
    assert.equal(verification_uri, `${world.url}/device`);
    assert.equal(interval, 5);
    const poll = () => form("/oauth/token", { grant_type: GRANT, device_code, client_id: "Robot" });
    const pending = await poll();
    assert.deepEqual([pending.status, pending.body.error], [400, "authorization_pending"]);
    const fast = await poll();
    assert.deepEqual([fast.status, fast.body.error], [400, "slow_down"]);
    const person = await world.person();
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx
        .updateTable("device_codes")
        .set({ status: "approved", user_id: person.userId, workspace_id: person.workspaceId })
        .where("client_name", "=", "Robot")
        .execute(),
    );
    const { status, body } = await poll();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
    assert.equal(body.scope, "documents:read documents:write");
    const me = await json("/api/v1/me", { headers: { authorization: `Bearer ${body.access_token}` } });
    assert.equal(me.body.data.user.id, person.userId);
    assert.deepEqual([(await poll()).body.error], ["expired_token"]);
  });

  test("DISC6 other grants, missing fields and other types are refused in OAuth's own words", async () => {
    const refused = async (path: string, fields: Record<string, string>) => {
      const { status, body } = await form(path, fields);
      assert.equal(status, 400);
      assert.ok(body.error_description);
      return body.error;
    };
    assert.equal(await refused("/oauth/device_authorization", {}), "invalid_request");
    const unknown = { client_id: "Robot", scope: "openid email" };
    assert.equal(await refused("/oauth/device_authorization", unknown), "invalid_scope");
    assert.equal(await refused("/oauth/token", { device_code: "x" }), "invalid_request");
    assert.equal(await refused("/oauth/token", { grant_type: "password" }), "unsupported_grant_type");
    assert.equal(await refused("/oauth/token", { grant_type: GRANT }), "invalid_request");
    assert.equal(await refused("/oauth/token", { grant_type: GRANT, device_code: "x" }), "expired_token");
    const typed = { method: "POST", headers: { "content-type": "text/plain" }, body: "x" };
    assert.equal((await fetch(`${world.url}/oauth/token`, typed)).status, 415);
  });
});
