import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { before, test } from "node:test";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client } from "../../support/client.ts";
import { personWithBrowser } from "../../support/consent.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import type { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

onEachDatabase("paths that scripts of our pages ask for", (world) => {
  let browser: Visitor;
  let client: Client;
  before(async () => {
    const person = await personWithBrowser(world);
    browser = person.browser;
    const { userId, workspaceId } = person;
    const { token } = await world.app.services.database.transaction((tx) =>
      createToken(tx, { userId, workspaceId, name: "test", access: "read_write" }),
    );
    client = new Client(world.url, token);
  });

  /** Asks for the path as it is written: `fetch` would make it plain first. */
  async function ask(method: string, path: string, body = "") {
    const form = await browser.formToken("/account");
    const headers = { cookie: browser.cookie, origin: world.url, "x-form-token": form };
    const json = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    const { hostname, port } = new URL(world.url);
    const asked = request({ hostname, port, method, path: `/app/api/v1${path}`, headers: { ...headers, ...json } });
    asked.end(body);
    const [answer] = await once(asked, "response");
    return { status: answer.statusCode, body: await text(answer) };
  }

  test("SIGN16 a knowledge base is deleted with a proof only, however its path is written", async () => {
    const { id, confirm_id } = await makeKnowledgeBase(client);
    const { database } = world.app.services;
    await database.transaction((tx) => tx.updateTable("sessions").set({ proven_at: 0 }).execute());
    for (const path of [
      `/knowledge-bases/${id}`,
      `/knowledge-bases/${id}/`,
      `/knowledge%2Dbases/${id}`,
      `/%6bnowledge-bases/${id}?x=1`,
      `/documents/../knowledge-bases/${id}`,
      `/./knowledge-bases/%2e/${id}`,
      `/knowledge-bases\\${id}`,
    ]) {
      const { status, body } = await ask("DELETE", path, JSON.stringify({ confirm_id }));
      assert.equal(status, 403, path);
      assert.equal(JSON.parse(body).error.details.prove, "/prove", path);
    }
    assert.equal((await client.get(`/knowledge-bases/${id}`)).status, 200);
  });

  test("WEB35 nothing beside the API is reached, however the path is written", async () => {
    for (const path of [
      "/../../metrics",
      "/%2e%2e/%2E%2e/metrics",
      "/..\\..\\metrics",
      "/../../account",
      "/../v2/me",
    ]) {
      const { status, body } = await ask("GET", path);
      assert.equal(status, 404, path);
      assert.match(body, /This path does not exist/);
    }
    assert.equal((await ask("GET", "/documents/../me")).status, 200);
    assert.equal((await ask("GET", "/%ff")).status, 400);
  });

  test("OAUTH10 a field with NUL is a program's mistake, not ours", async () => {
    const body = "grant_type=authorization_code&client_id=a%00b&code=x&code_verifier=y";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await fetch(`${world.url}/oauth/token`, { method: "POST", headers, body });
    assert.deepEqual([reply.status, JSON.parse(await reply.text()).error], [401, "invalid_client"]);
  });
});
