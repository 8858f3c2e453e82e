import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { insertMembership } from "@svc/server/domain/identity/accounts/queries";
import { insertPasskey } from "@svc/server/domain/identity/factors/queries";
import { stepAt } from "@svc/server/domain/identity/factors/totp";
import { DAY_MS } from "@svc/server/time";
import { assertError, Client, jsonOf } from "../../support/client.ts";
import { codeOf, switchOnCodes } from "../../support/codes.ts";
import { HandProgram } from "../../support/consent.ts";
import { makeKnowledgeBase } from "../../support/fixtures.ts";
import { svc } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";
const SECURITY = "/account/security";

let passwordHash = "";
before(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

let count = 0;
const account = (world: World) =>
  world.app.services.database.transaction((tx) =>
    createUser(tx, { email: `factor${++count}@example.com`, name: "Ada", passwordHash }),
  );

const signIn = (browser: Visitor, email: string) =>
  browser.submit("/sign-in", "/sign-in", { email, password: PASSWORD, next: "/members" });

async function signedIn(world: World) {
  const user = await account(world);
  const browser = new Visitor(world.url);
  assert.equal((await signIn(browser, user.email)).status, 303);
  return { ...user, browser };
}

const isIn = async (browser: Visitor) => (await browser.fetch("/account")).status === 200;

const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";

/** Somebody whose sign-in asks for a code, and whose app shows one that was not used yet. */
async function withCodes(world: World) {
  const person = await signedIn(world);
  const { secret, text } = await switchOnCodes(person.browser);
  await world.app.services.database.transaction((tx) =>
    tx.updateTable("totp_factors").set({ last_step: 0 }).where("user_id", "=", person.userId).execute(),
  );
  const codes = [...text.matchAll(/<li><code>([\w-]+)<\/code>/g)].map(([, code]) => code ?? "");
  return { ...person, secret, codes };
}

/** Gives the password, then the code. */
async function twoSteps(world: World, email: string, code: string, browser = new Visitor(world.url)) {
  const asked = await signIn(browser, email);
  const text = await asked.text();
  assert.match(text, /<h1>Second step<\/h1>/);
  assert.equal(await isIn(browser), false);
  const fields = { form_token: hidden(text, "form_token"), ticket: hidden(text, "ticket"), code };
  return { browser, fields, reply: await browser.send("/sign-in/code", fields) };
}

const sentences = async (world: World, workspaceId: string) =>
  (
    await world.app.services.database.read
      .selectFrom("audit_log")
      .select("summary")
      .where("workspace_id", "=", workspaceId)
      .orderBy("id")
      .execute()
  ).map(({ summary }) => summary);

/** As if the last proof had been long ago. */
const forgetProof = (world: World, userId: string) =>
  world.app.services.database.transaction((tx) =>
    tx
      .updateTable("sessions")
      .set({ proven_at: Date.now() - DAY_MS })
      .where("user_id", "=", userId)
      .execute(),
  );

/** Makes a wait that has begun last long enough for the test. */
async function stretchWait(world: World, subject: string) {
  const { database } = world.app.services;
  const change = await database.transaction((tx) =>
    tx
      .updateTable("attempts")
      .set({ free_at: Date.now() + 10 * 60_000 })
      .where("subject", "=", subject)
      .where("free_at", ">", 0)
      .returning("subject")
      .execute(),
  );
  assert.equal(change.length, 1, "a wait has begun");
}

onEachDatabase("a second factor", (world) => {
  test("SIGN13 a code is asked for after the password, and counts once", async () => {
    const { email, secret, workspaceId } = await withCodes(world);
    const step = stepAt(Date.now());
    const code = codeOf(secret, step);
    const { browser, reply, fields } = await twoSteps(world, email, code);
    assert.equal(reply.headers.get("location"), "/members");
    assert.equal(await isIn(browser), true);
    const again = await twoSteps(world, email, code);
    assert.equal(again.reply.status, 422, "the same code");
    assert.equal((await twoSteps(world, email, codeOf(secret, step - 1))).reply.status, 422, "an older code");
    await browser.submit("/account", "/sign-out", {});
    assert.equal((await browser.send("/sign-in/code", fields)).status, 422, "the same form");
    const told = await sentences(world, workspaceId);
    assert.ok(told.includes("Ada switched codes of an authenticator app on"));
    assert.ok(told.includes("Ada signed in with node from 127.0.0.1, with a code"), String(told));
    assert.ok(told.includes("Somebody gave a wrong code for Ada from 127.0.0.1"));
  });

  test("SIGN13 the first step counts in one browser, and not after a change of the password", async () => {
    const { email, secret, userId } = await withCodes(world);
    const { fields } = await twoSteps(world, email, "000000");
    const other = new Visitor(world.url);
    const form_token = await other.formToken("/sign-in");
    const code = codeOf(secret);
    assert.equal((await other.send("/sign-in/code", { ...fields, form_token, code })).status, 403);
    const browser = new Visitor(world.url);
    const text = await (await signIn(browser, email)).text();
    await world.app.services.database.transaction(async (tx) =>
      tx
        .updateTable("users")
        .set({ password_hash: await hashPassword("another three words") })
        .where("id", "=", userId)
        .execute(),
    );
    const late = { form_token: hidden(text, "form_token"), ticket: hidden(text, "ticket"), code };
    assert.equal((await browser.send("/sign-in/code", late)).status, 403);
  });

  test("SIGN14 ten recovery codes stand in for the app, each once", async () => {
    const { email, codes, browser } = await withCodes(world);
    assert.equal(new Set(codes).size, 10);
    const [first = "", second = ""] = codes;
    assert.equal((await twoSteps(world, email, first.toUpperCase().replaceAll("-", " "))).reply.status, 303);
    assert.equal((await twoSteps(world, email, first)).reply.status, 422);
    assert.match(await (await browser.fetch(SECURITY)).text(), /9 recovery codes left/);
    await browser.submit(SECURITY, `${SECURITY}/recovery-codes`, {});
    assert.equal((await twoSteps(world, email, second)).reply.status, 422, "new ones replace the old");
  });

  test("SIGN13 wrong codes are slowed down", async () => {
    const { email, secret, userId } = await withCodes(world);
    for (let n = 0; n < 5; n++) assert.equal((await twoSteps(world, email, "000000")).reply.status, 422);
    await stretchWait(world, `factor:${userId}`);
    assert.equal((await twoSteps(world, email, codeOf(secret))).reply.status, 429);
  });

  test("SIGN13 a link for a new password does not pass by the code", async () => {
    const { email, secret } = await withCodes(world);
    const { url } = await svc(world.settings, "users", "reset-password", "--email", email);
    const path = new URL(url).pathname;
    const browser = new Visitor(world.url);
    const asked = await browser.submit(path, path, { password: "another three words" });
    const text = await asked.text();
    assert.match(text, /<h1>Second step<\/h1>/);
    assert.equal(await isIn(browser), false);
    const fields = { form_token: hidden(text, "form_token"), ticket: hidden(text, "ticket"), code: codeOf(secret) };
    assert.equal((await browser.send("/sign-in/code", fields)).status, 303);
    assert.equal(await isIn(browser), true);
  });

  test("SIGN13 secrets and codes are not in the store", async () => {
    const { secret, codes, userId } = await withCodes(world);
    const { read } = world.app.services.database;
    const rows = [
      await read.selectFrom("totp_factors").selectAll().where("user_id", "=", userId).execute(),
      await read.selectFrom("recovery_codes").selectAll().where("user_id", "=", userId).execute(),
    ];
    const text = JSON.stringify(rows);
    for (const each of [secret, ...codes, ...codes.map((code) => code.replaceAll("-", ""))])
      assert.ok(!text.includes(each));
  });

  test("SIGN13 an app that was not proven is not asked for, and codes can be switched off", async () => {
    const { browser, email } = await signedIn(world);
    await browser.submit(SECURITY, `${SECURITY}/totp`, {});
    assert.equal(
      (await browser.submit(`${SECURITY}/totp`, `${SECURITY}/totp/confirm`, { code: "000000" })).status,
      422,
    );
    assert.equal((await signIn(new Visitor(world.url), email)).status, 303);
    const other = await withCodes(world);
    await other.browser.submit(SECURITY, `${SECURITY}/totp/remove`, {});
    assert.equal((await signIn(new Visitor(world.url), other.email)).status, 303);
  });

  test("SIGN15 the operator takes lost factors away", async () => {
    const { email, browser, workspaceId } = await withCodes(world);
    await svc(world.settings, "users", "reset-factors", "--email", email);
    assert.equal(await isIn(browser), false);
    const again = new Visitor(world.url);
    assert.equal((await signIn(again, email)).status, 303);
    assert.ok((await sentences(world, workspaceId)).includes("The operator took all passkeys and codes of Ada away"));
    const { data } = await jsonOf(await again.fetch("/app/api/v1/notifications"));
    assert.equal(data[0].excerpt, "The operator took all passkeys and codes of Ada away.");
  });
});

onEachDatabase("a fresh proof", (world) => {
  const wish = { name: "made late", access: "read_only", days: "90" };

  test("SIGN16 making a token asks for one, and then goes on with what was typed", async () => {
    const { browser, userId, workspaceId } = await signedIn(world);
    assert.equal((await browser.submit("/account/tokens", "/account/tokens", wish)).status, 201);
    await forgetProof(world, userId);
    const asked = await browser.submit("/account/tokens", "/account/tokens", { ...wish, name: 'a "quoted" name' });
    assert.equal(asked.status, 403);
    const text = await asked.text();
    assert.match(text, /<h1>Confirm it’s you<\/h1>/);
    assert.match(text, /name="name" value="a &quot;quoted&quot; name"/);
    const form_token = hidden(text, "form_token");
    const wrong = { ...wish, form_token, proof: "password", proof_password: "not it" };
    assert.equal((await browser.send("/account/tokens", wrong)).status, 422);
    const made = await browser.send("/account/tokens", { ...wrong, proof_password: PASSWORD });
    assert.equal(made.status, 201);
    assert.match(await made.text(), /svc_tok_/);
    assert.equal((await browser.submit("/account/tokens", "/account/tokens", wish)).status, 201, "it counts on");
    assert.ok((await sentences(world, workspaceId)).includes("Ada proved who they are with their password"));
  });

  test("SIGN16 changing factors asks for one; a code is a proof too, once", async () => {
    const { browser, userId, secret } = await withCodes(world);
    await forgetProof(world, userId);
    const form_token = await browser.formToken("/account");
    for (const path of ["totp", "totp/confirm", "totp/remove", "recovery-codes", "passkeys", "passkeys/remove"])
      assert.equal((await browser.send(`${SECURITY}/${path}`, { form_token })).status, 403, path);
    assert.equal((await browser.fetch(`${SECURITY}/totp`)).status, 303);
    assert.doesNotMatch(await (await browser.fetch(SECURITY)).text(), /Turn off two-factor/);
    const proof = { form_token, proof: "code", proof_code: codeOf(secret), next: SECURITY };
    assert.equal((await browser.send("/prove", proof)).headers.get("location"), SECURITY);
    assert.match(await (await browser.fetch(SECURITY)).text(), /Turn off two-factor/);
    await forgetProof(world, userId);
    assert.equal((await browser.send("/prove", proof)).status, 422);
  });

  test("SIGN16 making an owner, or inviting one, asks for one", async () => {
    const { browser, userId, workspaceId } = await signedIn(world);
    const other = await signedIn(world);
    const { database } = world.app.services;
    await database.transaction((tx) =>
      insertMembership(tx, { workspace_id: workspaceId, user_id: other.userId, role: "viewer", created_at: 1 }),
    );
    await forgetProof(world, userId);
    const proof = { proof: "password", proof_password: PASSWORD };
    const send = (path: string, role: string, more = {}) =>
      browser.submit("/members", `/members/${path}`, { user: other.userId, role, ...more });
    assert.equal((await send("invite", "viewer")).status, 201);
    assert.equal((await send("role", "editor")).status, 303);
    const asked = await send("invite", "owner");
    assert.equal(asked.status, 403);
    assert.match(await asked.text(), /<h1>Confirm it’s you<\/h1>[\s\S]*name="role" value="owner"/);
    assert.equal((await send("role", "owner")).status, 403);
    const roles = await database.read.selectFrom("memberships").select("role").where("user_id", "=", other.userId);
    assert.ok(!(await roles.where("workspace_id", "=", workspaceId).execute()).some(({ role }) => role === "owner"));
    const invitations = database.read.selectFrom("invitations").select("role").where("workspace_id", "=", workspaceId);
    assert.deepEqual(await invitations.execute(), [{ role: "viewer" }]);
    assert.equal((await send("role", "owner", proof)).status, 303);
    assert.equal((await send("invite", "owner")).status, 201, "it counts on");
  });

  test("SIGN22 a passkey that is the only way in is not taken away", async () => {
    const { browser, userId } = await signedIn(world);
    const { database } = world.app.services;
    await database.transaction(async (tx) => {
      const row = { id: `key-${userId}`, user_id: userId, credential_id: userId, public_key: "", counter: 0 };
      await insertPasskey(tx, { ...row, transports: "", name: "Laptop", created_at: 1, last_used_at: null });
      await tx.updateTable("users").set({ password_hash: "" }).where("id", "=", userId).execute();
    });
    const remove = () => browser.submit(SECURITY, `${SECURITY}/passkeys/remove`, { passkey: `key-${userId}` });
    const kept = await remove();
    assert.equal(kept.status, 422);
    assert.match(await kept.text(), /This is your only way in/);
    const password_hash = await hashPassword(PASSWORD);
    await database.transaction((tx) =>
      tx.updateTable("users").set({ password_hash }).where("id", "=", userId).execute(),
    );
    assert.equal((await remove()).status, 303);
    assert.deepEqual(
      await database.read.selectFrom("passkeys").select("id").where("user_id", "=", userId).execute(),
      [],
    );
  });

  test("SIGN16 wrong proofs are slowed down", async () => {
    const { browser, userId } = await signedIn(world);
    await forgetProof(world, userId);
    const { read } = world.app.services.database;
    const session = await read
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    const form_token = await browser.formToken("/account");
    const wrong = { form_token, proof: "password", proof_password: "not it", next: "/" };
    for (let n = 0; n < 5; n++)
      assert.match(await (await browser.send("/prove", wrong)).text(), /The password is wrong/);
    await stretchWait(world, `session:${session.id}`);
    const right = { ...wrong, proof_password: PASSWORD };
    assert.match(await (await browser.send("/prove", right)).text(), /Too many attempts/);
    for (const proof of ["nonsense", "toString", ""])
      assert.equal((await browser.send("/prove", { form_token, proof })).status, 422);
  });

  test("SIGN16 approving a device asks for one and then gives the token; refusing does not", async () => {
    const { browser, userId } = await signedIn(world);
    const program = new Client(world.url);
    const begin = async () => (await program.post("/auth/device/code", { client_name: "Terminal" })).data;
    const poll = ({ device_code }: { device_code: string }) => program.post("/auth/device/token", { device_code });
    await forgetProof(world, userId);
    const [wanted, unwanted] = [await begin(), await begin()];
    const form_token = await browser.formToken("/account");
    const approve = { form_token, code: wanted.user_code, answer: "approve" };
    const asked = await browser.send("/device", approve);
    assert.equal(asked.status, 403);
    assert.match(await asked.text(), /<h1>Confirm it’s you<\/h1>/);
    assertError(await poll(wanted), "authorization_pending");
    assert.equal((await browser.send("/device", { form_token, code: unwanted.user_code, answer: "deny" })).status, 200);
    assertError(await poll(unwanted), "access_denied");
    const proof = { proof: "password", proof_password: PASSWORD };
    assert.equal((await browser.send("/device", { ...approve, ...proof })).status, 200);
    await until("the token is there", async () => (await poll(wanted)).data?.access_token !== undefined);
  });

  test("SIGN16 a program's consent page is shown and answered only with one; refusing needs none", async () => {
    const { browser, userId } = await signedIn(world);
    const program = new HandProgram(world.url);
    await program.register();
    const { pathname, search } = new URL(program.authorizeUrl());
    assert.equal((await browser.fetch(pathname + search)).status, 200);
    const form_token = await browser.formToken("/account");
    const answer = (word: string) =>
      browser.send("/oauth/authorize", { form_token, request: search.slice(1), answer: word });
    await forgetProof(world, userId);
    for (const reply of [await browser.fetch(pathname + search), await answer("approve")]) {
      assert.equal(reply.status, 303);
      assert.match(reply.headers.get("location") ?? "", /^\/prove\?next=%2Foauth%2Fauthorize/);
    }
    assert.match((await answer("deny")).headers.get("location") ?? "", /error=access_denied/);
    const proof = { form_token, proof: "password", proof_password: PASSWORD, next: pathname + search };
    const proven = await browser.send("/prove", proof);
    assert.equal(proven.headers.get("location"), pathname + search);
    assert.match((await answer("approve")).headers.get("location") ?? "", /[?&]code=/);
  });

  test("SIGN16 deleting a knowledge base in the browser asks for one, with a token it does not", async () => {
    const { browser, userId, workspaceId } = await signedIn(world);
    const program = await world.person({ workspace: workspaceId, role: "owner" });
    const [first, second] = [await makeKnowledgeBase(program.client), await makeKnowledgeBase(program.client)];
    await forgetProof(world, userId);
    const token = await browser.formToken("/account");
    const remove = () =>
      browser.fetch(`/app/api/v1/knowledge-bases/${first.id}`, {
        method: "DELETE",
        headers: { "x-form-token": token, origin: world.url, "content-type": "application/json" },
        body: JSON.stringify({ confirm_id: first.confirm_id }),
      });
    const refused = await remove();
    assert.equal(refused.status, 403);
    assert.equal((await jsonOf(refused)).error.details.prove, "/prove");
    const proof = { form_token: token, proof: "password", proof_password: PASSWORD, next: "/" };
    assert.equal((await browser.send("/prove", proof)).status, 303);
    assert.equal((await remove()).status, 200);
    const { confirm_id } = second;
    assert.equal((await program.client.delete(`/knowledge-bases/${second.id}`, { confirm_id })).status, 200);
  });
});

onEachDatabase(
  "sessions that end",
  (world) => {
    const put = (userId: string, row: { created_at?: number; last_seen_at?: number }) =>
      world.app.services.database.transaction((tx) =>
        tx.updateTable("sessions").set(row).where("user_id", "=", userId).execute(),
      );

    test("SIGN17 unused for too long, or too old, they are over, whatever they were begun with", async () => {
      const { browser, userId } = await signedIn(world);
      await put(userId, { last_seen_at: Date.now() - 1.9 * DAY_MS });
      assert.equal(await isIn(browser), true);
      await put(userId, { last_seen_at: Date.now() - 2.1 * DAY_MS });
      assert.equal(await isIn(browser), false);
      await put(userId, { last_seen_at: Date.now(), created_at: Date.now() - 4.9 * DAY_MS });
      assert.equal(await isIn(browser), true);
      await put(userId, { created_at: Date.now() - 5.1 * DAY_MS });
      assert.equal(await isIn(browser), false);
    });

    test("SIGN17 the list tells device and address of the last use; one or all others are ended", async () => {
      const { email, browser } = await signedIn(world);
      const agent = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Firefox/140.0";
      const elsewhere = new Visitor(world.url);
      const headers = { "user-agent": agent, "x-forwarded-for": "192.0.2.7" };
      await elsewhere.submit("/sign-in", "/sign-in", { email, password: PASSWORD }, headers);
      await elsewhere.fetch("/account", { headers: { "x-forwarded-for": "198.51.100.9" } });
      const page = await (await browser.fetch("/account")).text();
      assert.match(page, /Firefox on Windows[\s\S]*?from <bdi>198\.51\.100\.9<\/bdi>/);
      await browser.submit("/account", "/account/sessions/end-others", {});
      assert.equal(await isIn(elsewhere), false);
      assert.equal(await isIn(browser), true);
    });
  },
  { SVC_SESSION_IDLE_DAYS: "2", SVC_SESSION_MAX_DAYS: "5", SVC_TRUST_PROXY: "on" },
);
