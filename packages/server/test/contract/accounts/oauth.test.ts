import assert from "node:assert/strict";
import { createServer } from "node:http";
import { before, describe, test } from "node:test";
import { insertMembership } from "@svc/server/domain/identity/accounts/queries";
import { matchesRedirect, redirectProblem } from "@svc/server/domain/identity/oauth/redirect-uri";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { scopesOf } from "@svc/server/http/callers/scopes";
import { portOf } from "@svc/server/http/port-of";
import { assertError, Client, jsonOf, type Loose } from "../../support/client.ts";
import { consent, HandProgram, personWithBrowser } from "../../support/consent.ts";
import { makeDocument, makeKnowledgeBase } from "../../support/fixtures.ts";
import { makePrivate } from "../../support/make-private.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

type Person = Awaited<ReturnType<typeof personWithBrowser>>;

onEachDatabase("OAuth for programs", (world) => {
  let ada: Person;
  before(async () => {
    ada = await personWithBrowser(world);
  });
  const program = async (metadata?: object, redirectUri?: string) => {
    const made = new HandProgram(world.url, redirectUri);
    const reply = await made.register(metadata);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return made;
  };
  const me = (token: string) => new Client(world.url, token).get("/me");
  const change = (table: "oauth_codes" | "oauth_refresh_tokens", set: { expires_at: number }) =>
    world.app.services.database.transaction((tx) => tx.updateTable(table).set(set).execute());

  test("OAUTH1 the description names every endpoint, and each is there", async () => {
    const description = await fetch(`${world.url}/.well-known/oauth-authorization-server`);
    const body = await jsonOf(description);
    assert.equal(body.issuer, world.url);
    assert.deepEqual(body.code_challenge_methods_supported, ["S256"]);
    assert.equal(body.client_id_metadata_document_supported, true);
    assert.deepEqual(body.response_types_supported, ["code"]);
    for (const name of ["token", "registration", "revocation"])
      assert.equal(
        (await fetch(body[`${name}_endpoint`], { method: "POST", body: new URLSearchParams() })).status < 500,
        true,
      );
    assert.equal((await fetch(body.authorization_endpoint)).status, 400);
    const preflight = await fetch(body.registration_endpoint, {
      method: "OPTIONS",
      headers: { origin: "https://a.example" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  });

  test("OAUTH2 a program registers with a name and places to answer to, and gets no secret", async () => {
    const made = new HandProgram(world.url);
    const { status, body, headers } = await made.register({
      token_endpoint_auth_method: "client_secret_basic",
      foo: 1,
    });
    assert.equal(status, 201);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(body.client_id, /^client_/);
    assert.deepEqual([body.token_endpoint_auth_method, body.client_secret], ["none", undefined]);
    assert.deepEqual(body.redirect_uris, [made.redirectUri]);
  });

  test("OAUTH2 addresses that no code may be sent to are refused", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "http://evil.example/",
      "https://a.example/#x",
      "data:text/html,x",
      "ms-msdt:/id",
      "/local",
      "",
    ]) {
      const { status, body } = await new HandProgram(world.url).register({ redirect_uris: [uri] });
      assert.deepEqual([status, body.error], [400, "invalid_redirect_uri"], uri);
    }
    for (const metadata of [{ redirect_uris: [] }, { redirect_uris: "x" }])
      assert.equal((await new HandProgram(world.url).register(metadata)).body.error, "invalid_redirect_uri");
    for (const metadata of [{ client_name: "a\u0007b" }, { response_types: ["token"] }, { grant_types: ["implicit"] }])
      assert.equal((await new HandProgram(world.url).register(metadata)).body.error, "invalid_client_metadata");
    for (const uri of [
      "https://a.example/cb?x=1",
      "http://localhost:1/",
      "http://[::1]/",
      "cursor://anysphere/cb",
      "com.a.b:/cb",
    ])
      assert.equal(redirectProblem(uri), undefined, uri);
    for (const uri of [
      "feed:https://a.example/",
      "jar:https://a.example/!/",
      "search-ms:query=x",
      "ftp://a.b/",
      ".a.b:/",
    ])
      assert.notEqual(redirectProblem(uri), undefined, uri);
  });

  test("OAUTH3 an unknown program or place is told on a page, and nobody is sent anywhere", async () => {
    const known = await program();
    const wrong = [
      { client_id: "client_nobody" },
      { client_id: undefined },
      { redirect_uri: "https://evil.example/" },
      { redirect_uri: "http://127.0.0.1:9/other" },
    ];
    for (const visitor of [ada.browser, new Visitor(world.url)])
      for (const fields of wrong) {
        const { pathname, search } = new URL(known.authorizeUrl(fields));
        const reply = await visitor.fetch(pathname + search);
        assert.deepEqual([reply.status, reply.headers.get("location")], [400, null], JSON.stringify(fields));
      }
  });

  test("OAUTH3 every other mistake goes to the program, with its state and the issuer", async () => {
    const known = await program();
    const mistakes: [string, Record<string, string | undefined>][] = [
      ["unsupported_response_type", { response_type: "token" }],
      ["invalid_request", { response_type: undefined }],
      ["invalid_request", { code_challenge: undefined }],
      ["invalid_request", { code_challenge_method: "plain" }],
      ["invalid_request", { code_challenge_method: undefined }],
      ["invalid_request", { code_challenge: "short" }],
      ["invalid_scope", { scope: "openid profile" }],
      ["invalid_target", { resource: "https://elsewhere.example/mcp" }],
    ];
    for (const [error, fields] of mistakes) {
      const { pathname, search } = new URL(known.authorizeUrl(fields));
      const reply = await ada.browser.fetch(pathname + search);
      const location = new URL(reply.headers.get("location") ?? "");
      assert.equal(location.origin + location.pathname, known.redirectUri);
      const { searchParams } = location;
      const got = ["error", "state", "iss"].map((name) => searchParams.get(name));
      assert.deepEqual(got, [error, "a state", world.url]);
    }
  });

  test("OAUTH4 who is not signed in is asked to, and comes back to the question", async () => {
    const known = await program();
    const { pathname, search } = new URL(known.authorizeUrl());
    const reply = await new Visitor(world.url).fetch(pathname + search);
    const location = new URL(reply.headers.get("location") ?? "", world.url);
    assert.equal(location.pathname, "/sign-in");
    const next = new URL(location.searchParams.get("next") ?? "", world.url);
    assert.deepEqual([next.pathname, next.searchParams.get("state")], ["/oauth/authorize", "a state"]);
  });

  test("OAUTH4 the page says what the program says of itself, and a form of another site answers nothing", async () => {
    const known = await program({ client_name: "<b>Bank</b>", client_uri: "https://bank.example/" });
    const { pathname, search } = new URL(known.authorizeUrl({ scope: "documents:read" }));
    const page = await ada.browser.fetch(pathname + search);
    const text = await page.text();
    assert.match(text, /Name<\/span> <bdi class="client-name">&lt;b&gt;Bank&lt;\/b&gt;<\/bdi>/);
    assert.match(text, /The answer goes to<\/span> <bdi>http:\/\/127\.0\.0\.1:9<\/bdi>/);
    assert.match(text, /Approve only a request that you have just started/);
    const remote = await program({ redirect_uris: ["https://agent.example/callback"] });
    const elsewhere = new URL(remote.authorizeUrl({ redirect_uri: "https://agent.example/callback" }));
    const remoteText = await (await ada.browser.fetch(elsewhere.pathname + elsewhere.search)).text();
    assert.match(remoteText, /<bdi>https:\/\/agent\.example<\/bdi>/);
    assert.doesNotMatch(remoteText, /request that you have just started/);
    assert.doesNotMatch(text, /value="approve"/, "it asked for reading only");
    assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self' http:\/\/127\.0\.0\.1:9;/);
    const form_token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
    const fields = { form_token, request: search.slice(1), answer: "approve" };
    const foreign = await ada.browser.send("/oauth/authorize", fields, { origin: "https://evil.example" });
    assert.equal(foreign.status, 403);
  });

  test("OAUTH5 an approved program gets a token for an hour that works on /mcp and on the API", async () => {
    const known = await program();
    const { status, body, headers } = await known.connect(ada.browser);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(body.access_token, /^svc_tok_/);
    assert.deepEqual([body.token_type, body.expires_in, body.scope], ["Bearer", 3600, scopesOf.read_write.join(" ")]);
    const { data } = await me(body.access_token);
    assert.deepEqual([data.user.id, data.workspace.id, data.token.name], [ada.userId, ada.workspaceId, "By hand"]);
    const mcp = await fetch(`${world.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${body.access_token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    assert.equal(mcp.status, 200);
  });

  test("OAUTH5 the person gives less, in the workspace they choose, or nothing", async () => {
    const known = await program();
    const readOnly = await known.connect(ada.browser, "approve_read_only");
    assert.equal(readOnly.body.scope, scopesOf.read_only.join(" "));
    const suggest = await known.connect(ada.browser, "approve_suggest");
    assert.equal((await me(suggest.body.access_token)).data.token.access, "suggest");
    const denied = await consent(ada.browser, known.authorizeUrl(), "deny");
    assert.deepEqual([denied.searchParams.get("error"), denied.searchParams.get("code")], ["access_denied", null]);
    const boss = await world.person();
    const viewer = await personWithBrowser(world, { workspace: boss.workspaceId, role: "viewer" });
    const asViewer = await known.connect(viewer.browser);
    assert.equal(asViewer.body.scope, scopesOf.read_only.join(" "), "nobody gives more than they may do");
    const one = await known.connect(ada.browser, "approve", { scope: "documents:read concepts:write nonsense" });
    assert.equal(one.body.scope, "documents:read concepts:write");
  });

  test("OAUTH5 the person chooses the knowledge bases that the program reaches", async () => {
    const person = await personWithBrowser(world);
    const client = new Client(
      world.url,
      (await program().then((own) => own.connect(person.browser))).body.access_token,
    );
    const [one, two] = [await makeKnowledgeBase(client, "One"), await makeKnowledgeBase(client, "Two")];
    const known = await program();
    const { pathname, search } = new URL(known.authorizeUrl());
    assert.match(await (await person.browser.fetch(pathname + search)).text(), /value="\d+"><bdi>Two<\/bdi>/);
    const agreed = await consent(person.browser, known.authorizeUrl(), "approve", { base: String(one.id) });
    const { body } = await known.exchange(agreed.searchParams.get("code") ?? "");
    assert.deepEqual((await me(body.access_token)).data.token.knowledge_base_ids, [one.id]);
    const bound = new Client(world.url, body.access_token);
    assertError(await bound.get(`/knowledge-bases/${two.id}`), "not_found");
    const renewed = await known.refresh(body.refresh_token);
    assert.deepEqual(
      (await me(renewed.body.access_token)).data.token.knowledge_base_ids,
      [one.id],
      "a refresh keeps it",
    );
    assert.match(await (await person.browser.fetch("/account")).text(), /only <bdi>One<\/bdi>/);
    const stranger = await makeKnowledgeBase((await world.person()).client);
    const form_token = await person.browser.formToken(pathname + search);
    const fields = { form_token, request: search.slice(1), answer: "approve", base: String(stranger.id) };
    const refused = await person.browser.send("/oauth/authorize", fields);
    assert.equal(refused.status, 422, "what the person does not see cannot be given");
  });

  test("OAUTH8 the account page names the knowledge bases of programs in every workspace, but none that is hidden", async () => {
    const [boss, person] = [await world.person(), await personWithBrowser(world)];
    const { database } = world.app.services;
    const join = { workspace_id: boss.workspaceId, user_id: person.userId, role: "editor", created_at: 1 } as const;
    await database.transaction((tx) => insertMembership(tx, join));
    const [open, shut] = [
      await makeKnowledgeBase(boss.client, "Open plans"),
      await makeKnowledgeBase(boss.client, "Secret plans"),
    ];
    const known = await program();
    for (const { id } of [open, shut]) {
      const fields = { workspace: boss.workspaceId, base: String(id) };
      const agreed = await consent(person.browser, known.authorizeUrl(), "approve", fields);
      assert.equal((await known.exchange(agreed.searchParams.get("code") ?? "")).status, 200);
    }
    const access = { default_role: "none", members: [], groups: [] };
    const hidden = await boss.client.put(`/knowledge-bases/${shut.id}/access`, access, { ifMatch: "*" });
    assert.equal(hidden.status, 200);
    for (const workspace of [person.workspaceId, boss.workspaceId]) {
      await person.browser.submit("/members", "/workspaces/switch", { workspace });
      const page = await (await person.browser.fetch("/account")).text();
      assert.match(page, /only <bdi>Open plans<\/bdi>/);
      assert.match(page, /only <bdi>knowledge bases that you can no longer see<\/bdi>/);
      assert.doesNotMatch(page, /Secret plans/);
    }
    // A person who sees little of the open workspace is offered bases of the others.
    await database.transaction((tx) =>
      tx.updateTable("memberships").set({ role: "viewer" }).where("user_id", "=", person.userId).execute(),
    );
    const own = await world.person({ workspace: person.workspaceId, role: "owner" });
    await makeDocument(own.client, { knowledge_base_id: (await makeKnowledgeBase(own.client, "Mine")).id });
    await makePrivate(world, person.workspaceId);
    await person.browser.submit("/members", "/workspaces/switch", { workspace: person.workspaceId });
    const { pathname, search } = new URL(known.authorizeUrl());
    const question = await (await person.browser.fetch(pathname + search)).text();
    assert.match(question, /<bdi>Open plans<\/bdi>/);
    assert.doesNotMatch(question, /Secret plans|<bdi>Mine<\/bdi>/);
  });

  test("OAUTH4 a long state is there again after the sign-in", async () => {
    const { email } = await personWithBrowser(world);
    const { pathname, search } = new URL((await program()).authorizeUrl({ state: `%&= ${"s".repeat(5000)}` }));
    const visitor = new Visitor(world.url);
    const asked = await visitor.fetch(pathname + search);
    const page = await (await visitor.fetch(asked.headers.get("location") ?? "")).text();
    const action = /action="(\/sign-in\?[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const fields = { form_token, email, password: "three unrelated words" };
    assert.equal((await visitor.send(action, fields)).headers.get("location"), pathname + search);
  });

  test("OAUTH4 a request that could not come back whole is refused to the program, not lost at the sign-in", async () => {
    const { pathname, search } = new URL((await program()).authorizeUrl({ state: "s".repeat(6000) }));
    for (const visitor of [new Visitor(world.url), ada.browser]) {
      const refused = new URL((await visitor.fetch(pathname + search)).headers.get("location") ?? "");
      assert.equal(refused.searchParams.get("error"), "invalid_request");
      assert.equal(refused.searchParams.get("state")?.length, 6000);
    }
  });

  test("OAUTH13 a resource that is not this service is invalid_target, when asking and when exchanging", async () => {
    const known = await program();
    const asked = await ada.browser.fetch(
      known.authorizeUrl({ resource: "https://elsewhere.example/mcp" }).slice(world.url.length),
    );
    assert.equal(new URL(asked.headers.get("location") ?? "").searchParams.get("error"), "invalid_target");
    const ours = { resource: `${world.url}/mcp` };
    const loud = { resource: ours.resource.replace("http://", "HTTP://") };
    const agreed = await consent(ada.browser, known.authorizeUrl(loud));
    const code = agreed.searchParams.get("code") ?? "";
    const wrong = await known.exchange(code, { resource: "https://elsewhere.example/mcp" });
    assert.deepEqual([wrong.status, wrong.body.error], [400, "invalid_target"]);
    const right = await known.exchange(code, ours);
    assert.equal(right.status, 200, "a wrong resource does not use the code up");
    const refreshed = await known.refresh(right.body.refresh_token, { resource: "https://elsewhere.example/mcp" });
    assert.equal(refreshed.body.error, "invalid_target");
    assert.equal((await known.refresh(right.body.refresh_token, ours)).status, 200);
  });

  test("OAUTH6 a code is bound to program, place, verifier and a minute", async () => {
    const [known, other] = [await program(), await program()];
    const codeFor = async () => (await consent(ada.browser, known.authorizeUrl())).searchParams.get("code") ?? "";
    const code = await codeFor();
    const refused = async (reply: ReturnType<HandProgram["exchange"]>) => (await reply).body.error;
    assert.equal(await refused(known.exchange(code, { client_id: other.clientId })), "invalid_grant");
    assert.equal(await refused(known.exchange(code, { client_id: "client_nobody" })), "invalid_client");
    assert.equal(await refused(known.exchange(code, { redirect_uri: "http://127.0.0.1:9/other" })), "invalid_grant");
    assert.equal(await refused(known.exchange(code, { code_verifier: "x".repeat(43) })), "invalid_grant");
    assert.equal(await refused(known.exchange(code, { resource: "https://elsewhere.example" })), "invalid_target");
    assert.equal(await refused(known.exchange(code, { code_verifier: "" })), "invalid_request");
    assert.equal((await known.exchange(code)).status, 200, "no wrong try used it up");
    const late = await codeFor();
    await change("oauth_codes", { expires_at: Date.now() - 1 });
    assert.equal(await refused(known.exchange(late)), "invalid_grant");
  });

  test("OAUTH6 a field of a token request that stands there twice is refused, whichever it is", async () => {
    const device = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";
    for (const fields of [
      "grant_type=authorization_code&grant_type=authorization_code&code=x",
      "grant_type=nonsense&grant_type=authorization_code",
      `${device}&${device}&device_code=x`,
      `${device}&device_code=x&device_code=y`,
      "grant_type=refresh_token&refresh_token=x&scope=a&scope=b",
    ]) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const reply = await fetch(`${world.url}/oauth/token`, { method: "POST", headers, body: fields });
      const { error }: Loose = JSON.parse(await reply.text());
      assert.deepEqual([reply.status, error], [400, "invalid_request"], fields);
    }
  });

  test("OAUTH6 a code that comes twice ends what it gave; of many at once one wins", async () => {
    const known = await program();
    const { code, body } = await known.connect(ada.browser);
    assert.equal((await me(body.access_token)).status, 200);
    assert.equal((await known.exchange(code)).body.error, "invalid_grant");
    assert.equal((await me(body.access_token)).status, 401);
    assert.equal((await known.refresh(body.refresh_token)).body.error, "invalid_grant");
    const second = (await consent(ada.browser, known.authorizeUrl())).searchParams.get("code") ?? "";
    const replies = await Promise.all(Array.from({ length: 6 }, () => known.exchange(second)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
  });

  test("OAUTH7 a refresh token gives new access once; the second time it ends the connection", async () => {
    const known = await program();
    const first = (await known.connect(ada.browser)).body;
    const second = (await known.refresh(first.refresh_token)).body;
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal((await me(first.access_token)).status, 401);
    assert.equal((await me(second.access_token)).status, 200);
    const narrow = (await known.refresh(second.refresh_token, { scope: "documents:read" })).body;
    assert.deepEqual((await me(narrow.access_token)).data.scopes, ["documents:read"]);
    const wide = (await known.refresh(narrow.refresh_token)).body;
    assert.equal(wide.scope, scopesOf.read_write.join(" "));
    assert.equal((await known.refresh(wide.refresh_token, { client_id: "client_other" })).body.error, "invalid_grant");
    assert.equal((await known.refresh(first.refresh_token)).body.error, "invalid_grant", "the thief, or the robbed");
    assert.equal((await me(wide.access_token)).status, 401);
    assert.equal((await known.refresh(wide.refresh_token)).body.error, "invalid_grant");
    const { read } = world.app.services.database;
    const entry = read.selectFrom("audit_log").select("summary").where("action", "=", "disconnect_program");
    assert.match(JSON.stringify(await entry.execute()), /used a second time/);
  });

  test("OAUTH7 scopes beyond what was granted, and an outlived refresh token, are refused", async () => {
    const known = await program();
    const { body } = await known.connect(ada.browser, "approve_read_only");
    assert.equal((await known.refresh(body.refresh_token, { scope: "documents:write" })).body.error, "invalid_scope");
    await change("oauth_refresh_tokens", { expires_at: Date.now() - 1 });
    assert.equal((await known.refresh(body.refresh_token)).body.error, "invalid_grant");
  });

  test("OAUTH8 revoking a refresh token, disconnecting, leaving and disabling end the connection", async () => {
    const known = await program({ client_name: "Listed" });
    const isDead = async (body: { access_token: string; refresh_token: string }) => {
      assert.equal((await me(body.access_token)).status, 401);
      assert.equal((await known.refresh(body.refresh_token)).body.error, "invalid_grant");
    };
    const revoked = (await known.connect(ada.browser)).body;
    await known.form("/oauth/revoke", { token: revoked.refresh_token, client_id: "client_other" });
    assert.equal((await me(revoked.access_token)).status, 200, "not by another program");
    const reply = await known.form("/oauth/revoke", { token: revoked.refresh_token, client_id: known.clientId });
    assert.equal(reply.status, 200);
    await isDead(revoked);

    const listed = (await known.connect(ada.browser)).body;
    const page = await (await ada.browser.fetch("/account")).text();
    const [, id = ""] = /<bdi>Listed<\/bdi>[\s\S]*?name="program" value="(tok_\w+)"/.exec(page) ?? [];
    const stranger = await personWithBrowser(world);
    await stranger.browser.submit("/account", "/account/programs/disconnect", { program: id });
    assert.equal((await me(listed.access_token)).status, 200);
    await ada.browser.submit("/account", "/account/programs/disconnect", { program: id });
    await isDead(listed);
    assert.doesNotMatch(await (await ada.browser.fetch("/account")).text(), /<bdi>Listed<\/bdi>/);

    const rested = (await known.connect(ada.browser)).body;
    const { database } = world.app.services;
    const disable = (disabled_at: number | null) =>
      database.transaction((tx) => tx.updateTable("users").set({ disabled_at }).where("id", "=", ada.userId).execute());
    await disable(1);
    await isDead(rested);
    await disable(null);
    assert.equal((await known.refresh(rested.refresh_token)).status, 200, "as other tokens do");
  });

  test("OAUTH9 an address registers twenty programs in an hour", async () => {
    const { database } = world.app.services;
    const clear = () => database.transaction((tx) => tx.deleteFrom("attempts").execute());
    await clear();
    const replies = [];
    for (let n = 0; n < 21; n++) replies.push(await new HandProgram(world.url).register());
    assert.deepEqual(
      replies.map(({ status }) => status),
      [...Array(20).fill(201), 429],
    );
    assert.ok(Number(replies[20]?.headers.get("retry-after")) > 3000);
    await clear();
  });

  test("OAUTH10 the store has hashes only, and odd bodies are refused", async () => {
    const known = await program();
    const { code, body } = await known.connect(ada.browser);
    const { read } = world.app.services.database;
    const rows = JSON.stringify([
      await read.selectFrom("oauth_codes").selectAll().execute(),
      await read.selectFrom("oauth_refresh_tokens").selectAll().execute(),
      await read.selectFrom("tokens").selectAll().execute(),
      await read.selectFrom("audit_log").selectAll().execute(),
    ]);
    for (const secret of [code, body.access_token, body.refresh_token]) assert.ok(!rows.includes(secret));
    assert.ok(rows.includes(hashSecret(body.refresh_token)));
    const headers = { "content-type": "application/json" };
    const send = (text: string) => fetch(`${world.url}/oauth/register`, { method: "POST", headers, body: text });
    assert.equal((await send("{")).status, 400);
    assert.equal((await send("[]")).status, 400);
    assert.equal(
      (await send(JSON.stringify({ redirect_uris: [`https://a.example/${"x".repeat(5000)}`] }))).status,
      413,
    );
  });

  test("OAUTH11 what is missing is said in the challenge: of a token, of a scope, of a tool", async () => {
    const missing = await fetch(`${world.url}/mcp`, { method: "POST" });
    assert.equal(missing.status, 401);
    const challenge = missing.headers.get("www-authenticate") ?? "";
    assert.match(challenge, /^Bearer resource_metadata="[^"]+\/mcp", scope="documents:read documents:write [^"]+"$/);
    const { body } = await (await program()).connect(ada.browser, "approve_read_only");
    const api = await new Client(world.url, body.access_token).post("/knowledge-bases", { name: "x" });
    assert.equal(api.status, 403);
    assert.match(
      api.headers.get("www-authenticate") ?? "",
      /error="insufficient_scope", scope="knowledge-bases:write"/,
    );
    const call = (token: string) =>
      fetch(`${world.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "create_document", arguments: {} },
        }),
      });
    const refused = await call(body.access_token);
    assert.equal(refused.status, 403);
    const stepUp = refused.headers.get("www-authenticate") ?? "";
    assert.match(stepUp, /error="insufficient_scope"/);
    assert.match(stepUp, /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/);
    const inQuery = await fetch(`${world.url}/mcp?access_token=${body.access_token}`, { method: "POST" });
    assert.equal(inQuery.status, 401, "a token in the address is none");
    assert.match(stepUp, /scope="[^"]*documents:read[^"]*documents:write[^"]*"/);
    const byHand = await world.person({ access: "read_only" });
    assert.equal((await call(byHand.token)).status, 200, "who cannot step up reads the tool's own refusal");
  });
});

onEachDatabase(
  "programs described at an address",
  (world) => {
    test("OAUTH12 the description at the program's id is fetched, and has to name itself", async () => {
      const redirectUri = "http://127.0.0.1:9/callback";
      let description: object | string = {};
      await using site = createServer((_request, response) => {
        response.end(typeof description === "string" ? description : JSON.stringify(description));
      }).listen(0, "127.0.0.1");
      await new Promise((ready) => site.once("listening", ready));
      const id = `http://127.0.0.1:${portOf(site)}/client.json`;
      const ada = await personWithBrowser(world);
      const known = new HandProgram(world.url, redirectUri);
      known.clientId = id;
      const { pathname, search } = new URL(known.authorizeUrl());
      const anonymous = await new Visitor(world.url).fetch(pathname + search);
      assert.match(anonymous.headers.get("location") ?? "", /^\/sign-in\?next=/, "nothing is fetched for strangers");
      const nameless = { client_id: id, redirect_uris: [redirectUri] };
      const elsewhere = { ...nameless, client_id: `${id}x`, client_name: "Described" };
      for (const wrong of ["no json", {}, elsewhere, { client_id: id, client_name: "Described" }, nameless]) {
        description = wrong;
        assert.equal((await ada.browser.fetch(pathname + search)).status, 400, JSON.stringify(wrong));
      }
      description = { client_id: id, client_name: "Described", redirect_uris: ["http://127.0.0.1/callback"] };
      const page = await (await ada.browser.fetch(pathname + search)).text();
      assert.match(page, /Described by<\/span> <bdi>127\.0\.0\.1:\d+<\/bdi>/);
      const { status, body } = await known.connect(ada.browser);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal((await known.refresh(body.refresh_token)).status, 200);
    });

    test("OAUTH14 a description is fetched again when its site says so, and an hour later where it says nothing", async () => {
      let [asked, calls, rules] = [0, 0, ""];
      const id = () => `http://127.0.0.1:${portOf(site)}/client${calls}.json`;
      await using site = createServer((_request, response) => {
        asked++;
        if (rules !== "") response.setHeader("cache-control", rules);
        response.end(
          JSON.stringify({ client_id: id(), client_name: "Described", redirect_uris: ["http://127.0.0.1/callback"] }),
        );
      }).listen(0, "127.0.0.1");
      await new Promise((ready) => site.once("listening", ready));
      const ada = await personWithBrowser(world);
      const fetches = async (given: string, ageMs: number): Promise<number> => {
        [asked, calls, rules] = [0, calls + 1, given];
        const known = new HandProgram(world.url);
        known.clientId = id();
        const { pathname, search } = new URL(known.authorizeUrl());
        assert.equal((await ada.browser.fetch(pathname + search)).status, 200);
        const { database } = world.app.services;
        await database.transaction((tx) =>
          tx
            .updateTable("oauth_clients")
            .set((eb) => ({
              fetched_at: eb("fetched_at", "-", ageMs),
              fresh_until: eb("fresh_until", "-", ageMs),
            }))
            .where("id", "=", id())
            .execute(),
        );
        assert.equal((await ada.browser.fetch(pathname + search)).status, 200);
        return asked;
      };
      const HOUR = 60 * 60_000;
      assert.equal(await fetches("", HOUR / 2), 1);
      assert.equal(await fetches("", 2 * HOUR), 2);
      assert.equal(await fetches("public,max-age=60", HOUR / 2), 2);
      assert.equal(await fetches("max-age=86400", 2 * HOUR), 1);
      assert.equal(await fetches("max-age=99999999", 25 * HOUR), 2, "at most a day");
      assert.equal(await fetches("no-store", 0), 2);
    });
  },
  { SVC_WEBHOOK_PRIVATE_ADDRESSES: "on" },
);

onEachDatabase("programs described where nobody may look", (world) => {
  test("OAUTH12 private addresses and plain connections are not reached", async () => {
    const ada = await personWithBrowser(world);
    for (const id of [
      "http://127.0.0.1:1/client.json",
      "https://127.0.0.1:1/c.json",
      "https://169.254.169.254/latest",
      "https://a.example/",
    ]) {
      const known = new HandProgram(world.url);
      known.clientId = id;
      const { pathname, search } = new URL(known.authorizeUrl());
      assert.equal((await ada.browser.fetch(pathname + search)).status, 400, id);
    }
  });
});

describe("places to answer to", () => {
  const registered = ["http://127.0.0.1/cb", "https://a.example/cb?x=1", "cursor://a/cb"];
  const cases: [string, boolean][] = [
    ["http://127.0.0.1:49152/cb", true],
    ["http://127.0.0.1/cb", true],
    ["http://localhost:49152/cb", false],
    ["http://127.0.0.1:49152/cb2", false],
    ["http://127.0.0.1:49152/cb?x=1", false],
    ["https://a.example/cb?x=1", true],
    ["https://a.example:8443/cb?x=1", false],
    ["https://a.example/cb", false],
    ["cursor://a/cb", true],
    ["http://127.0.0.1:1@evil.example/cb", false],
  ];
  for (const [uri, expected] of cases)
    test(`OAUTH3 ${uri} ${expected ? "is" : "is not"} one that was registered`, () => {
      assert.equal(matchesRedirect(registered, uri), expected);
    });
});
