import assert from "node:assert/strict";
import { connect } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { makeApp } from "@svc/server/app/make-app";
import { readConfig } from "@svc/server/config";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertError, assertStatus, Client, jsonOf } from "../../support/client.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

const PASSWORD = "three unrelated words";
const account = { name: "Ada", email: "Ada@Example.com ", password: PASSWORD };

onEachDatabase("the browser part", (world) => {
  const offerSetup = (token: string) =>
    world.app.services.database.transaction((tx) =>
      tx
        .insertInto("server_state")
        .values({ key: "setup_token_hash", value: hashSecret(token) })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: hashSecret(token) }))
        .execute(),
    );

  const signedIn = async (email = "ada@example.com") => {
    const visitor = new Visitor(world.url);
    const reply = await visitor.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    assert.equal(reply.status, 303, await reply.text());
    return visitor;
  };

  /** Grace, whom an earlier test let in as a viewer. */
  const viewerEmail = async () => {
    const { read } = world.app.services.database;
    return (await read.selectFrom("users").select("email").where("name", "=", "Grace").executeTakeFirstOrThrow()).email;
  };

  before(() => offerSetup("first"));

  test("WEB1 a wrong set-up link opens nothing", async () => {
    assert.equal((await new Visitor(world.url).fetch("/setup/other")).status, 410);
  });

  test("WEB1 SIGN20 the set-up link makes one owner, whose address counts as proven, signs in, and is dead", async () => {
    const [winner, loser] = [new Visitor(world.url), new Visitor(world.url)];
    const tokens = await Promise.all([winner, loser].map((visitor) => visitor.formToken("/setup/first")));
    const first = { ...account, workspace: " Acme & Söhne " };
    const replies = await Promise.all([
      winner.send("/setup/first", { ...first, form_token: defined(tokens[0]) }),
      loser.send("/setup/first", { ...first, email: "b@example.com", form_token: defined(tokens[1]) }),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 410]);
    assert.equal((await new Visitor(world.url).fetch("/setup/first")).status, 410);
    await offerSetup("second");
    assert.equal((await new Visitor(world.url).fetch("/setup/second")).status, 410);
    const { read } = world.app.services.database;
    const users = await read.selectFrom("users").selectAll().execute();
    assert.equal(users.length, 1);
    assert.notEqual(users[0]?.email_verified_at, null);
    const workspaces = await read.selectFrom("workspaces").select("name").execute();
    assert.deepEqual(workspaces, [{ name: "Acme & Söhne" }]);
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("users").set({ email: "ada@example.com" }).execute(),
    );
  });

  test("WEB2 cookies are HttpOnly and SameSite, and their store holds hashes only", async () => {
    const visitor = new Visitor(world.url);
    const reply = await visitor.submit("/sign-in", "/sign-in", { email: "ada@example.com", password: PASSWORD });
    const line = reply.headers.getSetCookie().find((cookie) => cookie.startsWith("svc_session="));
    assert.match(line ?? "", /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    const secret = /svc_session=([^;]+)/.exec(line ?? "")?.[1] ?? "";
    const rows = await world.app.services.database.read.selectFrom("sessions").selectAll().execute();
    assert.ok(secret.length > 40 && !JSON.stringify(rows).includes(secret));
  });

  test("WEB2 a wrong password and an unknown account get the same answer", async () => {
    const answers = await Promise.all(
      ["ada@example.com", "nobody@example.com"].map(async (email) => {
        const reply = await new Visitor(world.url).submit("/sign-in", "/sign-in", { email, password: "wrong one" });
        const text = await reply.text();
        return `${reply.status} ${text.replaceAll(email, "").replace(/value="[^"]{43}"/, "")}`;
      }),
    );
    assert.equal(answers[0], answers[1]);
    assert.match(answers[0] ?? "", /^422 /);
  });

  test("WEB3 wrong passwords slow down, in every process, known account or not", async () => {
    const other = await makeApp(readConfig(world.settings));
    try {
      const otherUrl = await other.server.listen({ host: "127.0.0.1", port: 0 });
      const email = "slow@example.com";
      const tryAt = (url: string) =>
        new Visitor(url).submit("/sign-in", "/sign-in", { email, password: "wrong one" }, { origin: url });
      const replies = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => tryAt(n % 2 ? otherUrl : world.url)));
      const refused = replies.filter(({ status }) => status === 429);
      assert.equal(refused.length, 3, "five tries are free");
      assert.ok(Number(refused[0]?.headers.get("retry-after")) >= 1);
      // The waits double: where the machine is too slow for the first, one of the next holds.
      const later = [await tryAt(otherUrl), await tryAt(world.url), await tryAt(otherUrl), await tryAt(world.url)];
      assert.ok(later.some(({ status }) => status === 429));
    } finally {
      await other.close();
    }
  });

  test("WEB3 a right password after wrong ones starts anew", async () => {
    const { database } = world.app.services;
    const failures = async () => {
      const rows = await database.read.selectFrom("attempts").select(["subject", "failures"]).execute();
      return rows.filter(({ subject }) => subject === `email:${hashSecret("eve@example.com")}`).length;
    };
    const passwordHash = await hashPassword(PASSWORD);
    await database.transaction((tx) => createUser(tx, { email: "eve@example.com", name: "Eve", passwordHash }));
    const visitor = new Visitor(world.url);
    await visitor.submit("/sign-in", "/sign-in", { email: "eve@example.com", password: "wrong one" });
    assert.equal(await failures(), 1);
    await signedIn("eve@example.com");
    assert.equal(await failures(), 0);
  });

  test("WEB4 signing out and ending sessions take effect at once", async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    assert.equal((await there.fetch("/account")).status, 200);
    await here.submit("/account", "/account/sessions/end-others", {});
    assert.equal((await there.fetch("/account")).headers.get("location"), "/sign-in?next=%2Faccount");
    const kept = here.cookie;
    assert.equal((await here.submit("/account", "/sign-out", {})).status, 303);
    const replay = await fetch(`${world.url}/account`, { headers: { cookie: kept }, redirect: "manual" });
    assert.equal(replay.status, 303);
  });

  test("WEB5 nobody is sent to another site after signing in", async () => {
    for (const next of ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]) {
      const visitor = new Visitor(world.url);
      const fields = { email: "ada@example.com", password: PASSWORD, next };
      const reply = await visitor.submit("/sign-in", "/sign-in", fields);
      assert.equal(reply.headers.get("location"), "/", next);
    }
  });

  test("WEB6 a form needs its token and its origin", async () => {
    const visitor = await signedIn();
    const form_token = await visitor.formToken("/account");
    const fields = { name: "Mallory" };
    assert.equal((await visitor.send("/account/name", fields)).status, 403);
    assert.equal((await visitor.send("/account/name", { ...fields, form_token: "x" })).status, 403);
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign)
      assert.equal((await visitor.send("/account/name", { ...fields, form_token }, headers)).status, 403);
    const stranger = await (await signedIn()).formToken("/account");
    assert.equal((await visitor.send("/account/name", { ...fields, form_token: stranger })).status, 403);
    assert.equal((await visitor.send("/account/name", { ...fields, form_token })).status, 303);
  });

  test("WEB7 a session opens no API, and an API token no page", async () => {
    const visitor = await signedIn();
    const reply = await new Client(world.url).get("/me", { headers: { cookie: visitor.cookie } });
    assertError(reply, "token_missing");
    const { token } = await world.person();
    const headers = { authorization: `Bearer ${token}` };
    const page = await fetch(`${world.url}/account`, { headers, redirect: "manual" });
    assert.equal(page.status, 303);
  });

  test("WEB8 pages have a strict policy and are not kept", async () => {
    const reply = await new Visitor(world.url).fetch("/sign-in");
    const policy = reply.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'.*base-uri 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(reply.headers.get("cache-control"), "no-store");
    assert.equal(reply.headers.get("cross-origin-resource-policy"), "same-origin");
    assert.doesNotMatch(await reply.text(), /<script(?![^>]*src=)|style=|<style|\son\w+=/i);
  });

  test("WEB9 odd input is answered, never failed", async () => {
    const visitor = await signedIn();
    const form_token = await visitor.formToken("/account");
    const odd = `\0\u202e<script>${"x".repeat(5000)}`;
    const statuses = await Promise.all([
      visitor.send("/account/name", { form_token, name: odd }),
      visitor.send("/account/tokens", { form_token, name: odd, access: odd, days: odd }),
      visitor.send("/members/role", { form_token, user: odd, role: "viewer" }),
      visitor.send("/workspaces/switch", { form_token, workspace: odd }),
      visitor.send("/device", { form_token, code: odd, answer: "approve" }),
      visitor.fetch(`/device?code=${encodeURIComponent(odd)}`),
      visitor.fetch("/setup/%00"),
      visitor.fetch("/join/%00"),
      visitor.fetch("/no/such/page"),
      visitor.send("/account/name", { form_token, name: "x".repeat(300_000) }),
    ]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [422, 422, 404, 404, 404, 404, 410, 410, 404, 413],
    );
  });

  test("WEB9 after the sign-in one gets to a path in any script", async () => {
    const next = "/日本/🎈?q=é";
    const visitor = new Visitor(world.url);
    const fields = { email: "ada@example.com", password: PASSWORD, next };
    const reply = await visitor.submit("/sign-in", "/sign-in", fields);
    assert.deepEqual([reply.status, reply.headers.get("location")], [303, encodeURI(next)]);
    const again = await visitor.fetch("/sign-in?next=/%E6%97%A5%ED%A0%80");
    assert.equal(again.status, 303);
    assert.match(again.headers.get("location") ?? "", /^\/%E6%97%A5/);
  });

  test("WEB9 who sends a form that is far too long hears so, and goes on with the same connection", async () => {
    const { hostname, port } = new URL(world.directUrl);
    const socket = connect(Number(port), hostname);
    const length = 5_000_000;
    const type = "content-type: application/x-www-form-urlencoded";
    socket.write(`POST /sign-in HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: ${length}\r\n\r\n`);
    await new Promise((sent) => socket.write("a".repeat(length), sent));
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    const statuses = (await readAll(socket)).matchAll(/^HTTP\/1.1 (\d+)/gm);
    assert.deepEqual(
      Array.from(statuses, ([, status]) => status),
      ["413", "200"],
    );
  });

  test("WEB10 an invitation lets one person in, once", async () => {
    const owner = await signedIn();
    const made = await owner.submit("/members", "/members/invite", { role: "viewer", note: "Grace" });
    const path = /\/join\/[\w-]+/.exec(await made.text())?.[0] ?? "";
    const visitors = [new Visitor(world.url), new Visitor(world.url)];
    const formTokens = await Promise.all(visitors.map((visitor) => visitor.formToken(path)));
    const replies = await Promise.all(
      visitors.map((visitor, index) => {
        const fields = { name: "Grace", email: `grace${index}@example.com`, password: PASSWORD };
        return visitor.send(path, { ...fields, form_token: defined(formTokens[index]) });
      }),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 410]);
    const { database } = world.app.services;
    const joined = await database.read.selectFrom("users").selectAll().where("name", "=", "Grace").execute();
    assert.equal(joined.length, 1, "the one who came too late has no account");
    const grace = await signedIn(joined[0]?.email);
    const told = await (await grace.fetch("/notifications")).text();
    assert.match(told, /added you to/, "NTF12");
    assert.equal((await grace.submit("/members", "/members/invite", { role: "owner" })).status, 403);
    const ada = await database.read
      .selectFrom("users")
      .select("id")
      .where("email", "=", "ada@example.com")
      .executeTakeFirstOrThrow();
    assert.equal((await grace.submit("/members", "/members/remove", { user: ada.id })).status, 403);
  });

  test("RIGHT18 members see names, their own address, and those of others only as owners", async () => {
    const email = await viewerEmail();
    const list = async (who: string) => (await (await signedIn(who)).fetch("/members")).text();
    const [seenByOwner, seenByViewer] = [await list("ada@example.com"), await list(email)];
    for (const text of [seenByOwner, seenByViewer]) assert.match(text, /<bdi>Grace<\/bdi>/);
    assert.ok(seenByOwner.includes(email) && seenByViewer.includes(email));
    assert.ok(seenByOwner.includes("ada@example.com") && !seenByViewer.includes("ada@example.com"));
  });

  test("WEB33 webhooks are made, tested, paused and deleted in the browser, by who may", async () => {
    const owner = await signedIn();
    const refused = await owner.submit("/webhooks", "/webhooks", { url: "http://10.0.0.1/", type: "document.created" });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /The address must not name an address that is not public\./);
    const made = await owner.submit("/webhooks", "/webhooks", {
      url: "https://svc.example/",
      type: "document.created",
    });
    assert.equal(made.status, 201);
    assert.match(await made.text(), /whsec_/);
    const path = /\/webhooks\/hook_\w+/.exec(await (await owner.fetch("/webhooks")).text())?.[0] ?? "";
    assert.equal((await owner.submit(path, `${path}/pause`, {})).headers.get("location"), path);
    assert.match(await (await owner.fetch(path)).text(), /<span class="tag">paused<\/span>/);
    assert.equal((await owner.submit(path, `${path}/delete`, {})).status, 303);
    assert.equal((await owner.fetch(path)).status, 404);
    const grace = await signedIn(await viewerEmail());
    assert.equal((await grace.fetch("/webhooks")).status, 403);
    assert.doesNotMatch(await (await grace.fetch("/account")).text(), /href="\/webhooks"/);
  });

  test("WEB33 a webhook is for all knowledge bases or one of those that its maker sees, and its page tells", async () => {
    const owner = await world.person();
    const base = await makeKnowledgeBase(owner.client);
    const seen = (await owner.client.post("/knowledge-bases", { name: "For everybody" })).data;
    const access = { default_role: "none", members: [], groups: [] };
    assertStatus(await owner.client.put(`/knowledge-bases/${base.id}/access`, access, { ifMatch: "*" }), 200);
    const passwordHash = await hashPassword(PASSWORD);
    const join = { workspace: owner.workspaceId, role: "editor" as const };
    const email = "editor-of-some@example.com";
    await world.app.services.database.transaction((tx) =>
      createUser(tx, { email, name: "Some", passwordHash, ...join }),
    );
    const visitor = await signedIn(email);
    const page = await (await visitor.fetch("/webhooks")).text();
    assert.deepEqual(page.match(/<option value="\d*"/g), [`<option value="${seen.id}"`]);
    const make = (chosen: string) =>
      visitor.submit("/webhooks", "/webhooks", {
        ...{ url: "https://svc.example/", type: "document.created", base: chosen },
      });
    const hidden = await make(String(base.id));
    assert.equal(hidden.status, 422);
    assert.match(await hidden.text(), /That knowledge base is no longer there\./);
    assert.equal((await make("")).status, 403);
    assert.equal((await make(String(seen.id))).status, 201);
    const [webhook] = (await owner.client.get("/webhooks")).data;
    assert.equal(webhook.knowledge_base_id, seen.id);
    const shown = await (await visitor.fetch(`/webhooks/${webhook.id}`)).text();
    assert.match(shown, /<code>document\.created<\/code> of the knowledge base <a href="[^"]+"><bdi>For everybody</);
  });

  test("WEB63 a wrong address in the notification settings is told in words, and what was ticked stays", async () => {
    const visitor = await signedIn();
    const path = "/notifications/settings";
    const reply = await visitor.submit(path, path, { webhook_url: "http://10.0.0.1/", "mention.page": "1" });
    assert.equal(reply.status, 422);
    const page = await reply.text();
    assert.match(page, /The address must not name an address that is not public\./);
    assert.match(page, /value="http:\/\/10\.0\.0\.1\/"/);
    assert.match(page, /name="mention\.page"[^>]* checked/);
    assert.doesNotMatch(page, /name="reply\.page"[^>]* checked/);
  });

  test("WEB11 a workspace keeps an owner, whatever happens at once", async () => {
    const { database } = world.app.services;
    const passwordHash = await hashPassword(PASSWORD);
    const people = await database.transaction(async (tx) => {
      const first = await createUser(tx, { email: "o1@example.com", name: "One", passwordHash });
      const join = { workspace: first.workspaceId, role: "owner" as const };
      const second = await createUser(tx, { email: "o2@example.com", name: "Two", passwordHash, ...join });
      return [first, second];
    });
    const visitors = await Promise.all(people.map(({ email }) => signedIn(email)));
    const replies = await Promise.all(
      visitors.map(async (visitor, index) => {
        const form_token = await visitor.formToken("/members");
        return visitor.send("/members/remove", { form_token, user: defined(people[index]).userId });
      }),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 422]);
  });

  test("WEB12 removing a member ends their tokens for good", async () => {
    const owner = await world.person();
    const guest = await world.person({ workspace: owner.workspaceId });
    const { database } = world.app.services;
    const passwordHash = await hashPassword(PASSWORD);
    const email = "o3@example.com";
    const join = { workspace: owner.workspaceId, role: "owner" as const };
    await database.transaction((tx) => createUser(tx, { email, name: "Three", passwordHash, ...join }));
    const visitor = await signedIn(email);
    const reply = await visitor.submit("/members", "/members/remove", { user: guest.userId });
    assert.equal(reply.status, 303);
    assert.equal((await guest.client.get("/me")).status, 401);
    await database.transaction((tx) =>
      tx
        .insertInto("memberships")
        .values({ workspace_id: owner.workspaceId, user_id: guest.userId, role: "editor", created_at: 1 })
        .execute(),
    );
    assertError(await guest.client.get("/me"), "token_revoked");
  });

  test("WEB13 a token of somebody else cannot be revoked", async () => {
    const victim = await world.person();
    const visitor = await signedIn();
    await visitor.submit("/account/tokens", "/account/tokens/revoke", { token: victim.tokenId });
    assert.equal((await victim.client.get("/me")).status, 200);
  });

  test("WEB35 scripts of our pages reach the API with the session and, to change something, the form token", async () => {
    const visitor = await signedIn();
    const json = { "content-type": "application/json", origin: world.url };
    const create = (headers: Record<string, string>) =>
      visitor.fetch("/app/api/v1/knowledge-bases", { method: "POST", body: '{"name":"By script"}', headers });
    const token = await visitor.formToken("/knowledge-bases");
    assert.equal((await create(json)).status, 403);
    assert.equal((await create({ ...json, "x-form-token": token, origin: "https://elsewhere.example" })).status, 403);
    const made = await create({ ...json, "x-form-token": token });
    assert.equal(made.status, 201);
    const { data } = await jsonOf(made);
    const read = await visitor.fetch(`/app/api/v1/knowledge-bases/${data.id}`);
    assert.equal((await jsonOf(read)).data.name, "By script");
    assert.equal(read.headers.get("access-control-allow-origin"), null);
    assert.equal((await visitor.fetch("/app/api/v1/knowledge-bases/0")).status, 404);
    assert.equal((await new Visitor(world.url).fetch("/app/api/v1/knowledge-bases")).status, 401);
    const row = await world.app.services.database.read
      .selectFrom("audit_log")
      .selectAll()
      .where("action", "=", "create_knowledge_base")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    assert.deepEqual([row.client_name, row.token_id], ["browser", null]);
  });
});

onEachDatabase(
  "the browser part behind TLS",
  (world) => {
    test("WEB2 cookies are for TLS and this host only", async () => {
      const reply = await new Visitor(world.url).fetch("/sign-in");
      const cookies = reply.headers.getSetCookie();
      assert.equal(cookies.length, 2);
      for (const cookie of cookies)
        assert.match(cookie, /^__Host-svc_(?:visitor|font)=.*; Path=\/; HttpOnly; .*; Secure/);
    });
  },
  { SVC_BASE_URL: "https://svc.example.com" },
);
