import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { describe, test } from "node:test";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { formToken } from "@svc/server/surfaces/pages/form-proof";
import { type Known, TestProvider } from "../../support/identity-provider.ts";
import { PathProxy } from "../../support/path-proxy.ts";
import { svc } from "../../support/process.ts";
import { Visitor } from "../../support/visitor.ts";
import { goThrough, isIn, knownPerson, START, withProvider } from "../../support/with-provider.ts";
import { World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";
let count = 0;

async function account(world: World, name: string, workspace?: string) {
  const passwordHash = await hashPassword(PASSWORD);
  return world.app.services.database.transaction((tx) =>
    createUser(tx, { email: `${name}${++count}@example.com`, name, passwordHash, workspace }),
  );
}

const sentences = async (world: World) =>
  (await world.app.services.database.read.selectFrom("audit_log").select("summary").execute()).map(
    (row) => row.summary,
  );

withProvider("signing in through a provider", (world, provider) => {
  test("SIGN1 the first sign-in makes an account, the next finds it, whatever its address is by then", async () => {
    const person = knownPerson({ name: "Grace Hopper" });
    const browser = new Visitor(world.url);
    const reply = await goThrough(provider, browser, person, `${START}?next=%2Fmembers`);
    assert.equal(reply.headers.get("location"), "/members");
    const page = await (await browser.fetch("/account")).text();
    assert.doesNotMatch(page, /type="password"/, "there is no password that they could give");
    assert.match(page, /You sign in without one\./);
    assert.match(page, /value="Grace Hopper"/);
    assert.match(page, new RegExp(person.email ?? ""));
    const again = new Visitor(world.url);
    await goThrough(provider, again, { ...person, email: "moved@example.com" });
    assert.match(await (await again.fetch("/account")).text(), new RegExp(person.email ?? ""));
    const told = await sentences(world);
    assert.ok(told.includes(`Grace Hopper got an account by signing in through 127.0.0.1`), String(told));
    assert.ok(told.includes("Grace Hopper signed in with node from 127.0.0.1, through 127.0.0.1"));
  });

  test("SIGN2 code, PKCE, state and nonce are asked for", async () => {
    await goThrough(provider, new Visitor(world.url), knownPerson());
    const asked = provider.asked.at(-1);
    assert.equal(asked?.get("response_type"), "code");
    assert.equal(asked?.get("code_challenge_method"), "S256");
    for (const name of ["state", "nonce", "code_challenge"]) assert.match(asked?.get(name) ?? "", /^[\w.-]{40,}$/);
  });

  test("SIGN2 an ID token that is signed with a foreign key lets nobody in", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const browser = new Visitor(world.url);
    provider.changeIdToken = (token) => {
      const signed = token.split(".").slice(0, 2).join(".");
      return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
    };
    try {
      const reply = await goThrough(provider, browser, knownPerson());
      assert.match(await reply.text(), /could not be believed/);
      assert.equal(await isIn(browser), false);
    } finally {
      provider.changeIdToken = undefined;
    }
    await goThrough(provider, browser, knownPerson());
    assert.equal(await isIn(browser), true);
  });

  test("SIGN3 a verified address opens the account that has it", async () => {
    const { email, name } = await account(world, "Ada");
    const browser = new Visitor(world.url);
    await goThrough(provider, browser, knownPerson({ email: email.toUpperCase() }));
    assert.match(await (await browser.fetch("/account")).text(), new RegExp(`value="${name}"`));
    assert.ok((await sentences(world)).includes("Ada signed in through 127.0.0.1 for the first time"));
  });

  test("SIGN3 an address that is not verified opens and makes nothing", async () => {
    const { email } = await account(world, "Ada");
    for (const email_verified of [false, undefined, "true"]) {
      const browser = new Visitor(world.url);
      const person = { ...knownPerson({ email }), email_verified } as Known;
      const reply = await goThrough(provider, browser, person);
      assert.equal(reply.status, 403);
      assert.match(await reply.text(), /has not verified your e-mail address/);
      assert.equal(await isIn(browser), false);
    }
    const nobody = { ...knownPerson(), email_verified: false };
    assert.equal((await goThrough(provider, new Visitor(world.url), nobody)).status, 403);
    const { read } = world.app.services.database;
    const made = await read
      .selectFrom("users")
      .select("id")
      .where("email", "=", nobody.email ?? "")
      .execute();
    assert.deepEqual(made, []);
  });

  test("SIGN3 an address with a letter that only looks like one of the account's opens nothing", async () => {
    const { email } = await account(world, "mike");
    const browser = new Visitor(world.url);
    const reply = await goThrough(provider, browser, knownPerson({ email: email.replace("k", "\u212a") }));
    assert.equal(reply.status, 403);
    assert.match(await reply.text(), /cannot be used here/);
  });

  test("SIGN3 an address that the provider gave to somebody else does not open the account", async () => {
    const person = knownPerson();
    await goThrough(provider, new Visitor(world.url), person);
    const browser = new Visitor(world.url);
    const reply = await goThrough(provider, browser, { ...person, sub: "somebody-else" });
    assert.equal(reply.status, 403);
    assert.match(await reply.text(), /belongs to another account of this provider/);
    assert.equal(await isIn(browser), false);
  });

  test("SIGN4 a disabled account stays shut", async () => {
    const person = knownPerson();
    await goThrough(provider, new Visitor(world.url), person);
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx
        .updateTable("users")
        .set({ disabled_at: 1 })
        .where("email", "=", person.email ?? "")
        .execute(),
    );
    const browser = new Visitor(world.url);
    const reply = await goThrough(provider, browser, person);
    assert.equal(reply.status, 403);
    assert.match(await reply.text(), /This account is disabled/);
    assert.equal(await isIn(browser), false);
  });

  test("SIGN2 an answer counts only in the browser that asked, once, for its provider", async () => {
    provider.person = knownPerson();
    const [mine, other] = [new Visitor(world.url), new Visitor(world.url)];
    const away = await mine.fetch(START);
    const back = (await provider.visit(away.headers.get("location") ?? "")).slice(world.url.length);
    await other.fetch(START);
    const elsewhere = await other.fetch(back);
    assert.equal(elsewhere.status, 400);
    assert.match(await elsewhere.text(), /started in another browser/);
    const forged = back.replace(/state=[^&]+/, "state=made.up");
    assert.equal((await mine.fetch(forged)).status, 400);
    const fresh = new Visitor(world.url);
    assert.equal((await fresh.fetch(back)).status, 400);
    assert.equal((await fresh.fetch("/sign-in/oidc/2/callback?state=x&code=y")).status, 404);
  });

  test("SIGN2 an answer in another provider's name is not believed", async () => {
    provider.person = knownPerson();
    const browser = new Visitor(world.url);
    const away = await browser.fetch(START);
    const back = (await provider.visit(away.headers.get("location") ?? "")).slice(world.url.length);
    const reply = await browser.fetch(back.replace(/iss=[^&]+/, `iss=${encodeURIComponent("https://evil.example")}`));
    assert.equal(reply.status, 403);
    assert.match(await reply.text(), /could not be believed/);
    assert.equal(await isIn(browser), false);
  });

  test("SIGN5 what the provider refuses or fails at is a sentence on the sign-in page", async () => {
    const refused = await goThrough(provider, new Visitor(world.url), undefined);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /<h1>Sign in<\/h1>[\s\S]*127\.0\.0\.1 did not let you in\./);
    provider.tokenAnswer = { status: 200, body: JSON.stringify({ access_token: "x", token_type: "bearer" }) };
    try {
      const nonsense = await goThrough(provider, new Visitor(world.url), knownPerson());
      assert.equal(nonsense.status, 403);
      assert.match(await nonsense.text(), /could not be believed/);
    } finally {
      provider.tokenAnswer = undefined;
    }
  });

  test("SIGN16 somebody without a password proves it by signing in at the provider anew", async () => {
    const person = knownPerson();
    const browser = new Visitor(world.url);
    await goThrough(provider, browser, person);
    await world.app.services.database.transaction((tx) => tx.updateTable("sessions").set({ proven_at: 0 }).execute());
    const wish = { name: "late", access: "read_only", days: "90" };
    const asked = await browser.submit("/account/tokens", "/account/tokens", wish);
    assert.equal(asked.status, 403);
    const page = await asked.text();
    assert.match(page, /href="\/prove\/oidc\/1\?next=[^"]*">Sign in with 127\.0\.0\.1 again</);
    assert.doesNotMatch(page, /proof_password/);
    const start = "/prove/oidc/1?next=%2Faccount%2Ftokens";
    const wrong = await goThrough(provider, browser, knownPerson(), start);
    assert.equal(wrong.status, 403);
    const right = await goThrough(provider, browser, person, start);
    assert.equal(right.headers.get("location"), "/account/tokens");
    assert.equal(provider.asked.at(-1)?.get("prompt"), "login");
    assert.equal((await browser.submit("/account/tokens", "/account/tokens", wish)).status, 201);
  });

  test("SIGN1 two first sign-ins at once make one account", async () => {
    const person = knownPerson();
    provider.person = person;
    const browsers = [1, 2, 3].map(() => new Visitor(world.url));
    const backs: string[] = [];
    for (const browser of browsers) {
      const away = await browser.fetch(START);
      backs.push(await provider.visit(away.headers.get("location") ?? ""));
    }
    const replies = await Promise.all(
      browsers.map((browser, at) => browser.fetch(backs[at]?.slice(world.url.length) ?? "")),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [303, 303, 303],
    );
    const { read } = world.app.services.database;
    const rows = await read
      .selectFrom("users")
      .select("id")
      .where("email", "=", person.email ?? "")
      .execute();
    assert.equal(rows.length, 1);
  });
});

withProvider(
  "a provider that brings groups",
  (world, provider) => {
    test("SIGN6 groups follow the claim; those given by hand stay", async () => {
      const owner = await world.person();
      const { database } = world.app.services;
      await database.transaction((tx) =>
        tx.updateTable("workspaces").set({ name: "House" }).where("id", "=", owner.workspaceId).execute(),
      );
      const group = async (name: string) => String((await owner.client.post("/groups", { name })).data.id);
      const [staff, night, byHand] = [await group("staff"), await group("night"), await group("by hand")];
      const person = knownPerson({ groups: ["staff", "night", "unknown"] });
      await goThrough(provider, new Visitor(world.url), person);
      const members = async (id: string) =>
        (await owner.client.get(`/groups/${id}`)).data.members.map((member: { name: string }) => member.name);
      assert.deepEqual([await members(staff), await members(night)], [[person.name], [person.name]]);
      const { read } = database;
      const user = await read
        .selectFrom("users")
        .select("id")
        .where("email", "=", person.email ?? "")
        .executeTakeFirstOrThrow();
      const role = await read
        .selectFrom("memberships")
        .select(["workspace_id", "role"])
        .where("user_id", "=", user.id)
        .execute();
      assert.deepEqual(role, [{ workspace_id: owner.workspaceId, role: "editor" }]);
      await owner.client.put(`/groups/${byHand}/members/${user.id}`);
      await goThrough(provider, new Visitor(world.url), { ...person, groups: ["night"] });
      assert.deepEqual(
        [await members(staff), await members(night), await members(byHand)],
        [[], [person.name], [person.name]],
      );
      const told = await sentences(world);
      assert.ok(told.includes(`The House put ${person.name} into the group staff`), String(told));
      assert.ok(told.includes(`The House took ${person.name} out of the group staff`));
    });

    test("SIGN7 addresses of other domains stay out", async () => {
      const reply = await goThrough(provider, new Visitor(world.url), knownPerson({ email: "eve@elsewhere.example" }));
      assert.equal(reply.status, 403);
      assert.match(await reply.text(), /Addresses at elsewhere\.example may not sign in here\./);
    });
  },
  {
    SVC_OIDC_GROUPS_CLAIM: "groups",
    SVC_OIDC_SCOPES: "openid email profile groups",
    SVC_OIDC_NAME: "The House",
    SVC_OIDC_WORKSPACE: "House",
    SVC_OIDC_ROLE: "editor",
    SVC_OIDC_EMAIL_DOMAINS: "example.com",
  },
);

withProvider(
  "a server without passwords",
  (world, provider) => {
    test("SIGN8 the page offers the provider alone, and no password opens anything", async () => {
      const { email } = await account(world, "Ada");
      const browser = new Visitor(world.url);
      const page = await (await browser.fetch("/sign-in")).text();
      assert.match(page, /Sign in with 127\.0\.0\.1/);
      assert.doesNotMatch(page, /name="password"/);
      // The page has no form any more to take the token from.
      const visitor = /svc_visitor=([\w-]+)/.exec(browser.cookie)?.[1] ?? "";
      const form_token = formToken(world.app.services.secret, visitor);
      const reply = await browser.send("/sign-in", { email, password: PASSWORD, form_token });
      assert.equal(reply.status, 403);
      assert.match(await reply.text(), /Password sign-in is off/);
      assert.equal(await isIn(browser), false);
    });

    test("SIGN8 the account page asks for no password either", async () => {
      const { email } = await account(world, "Ada");
      const browser = new Visitor(world.url);
      assert.equal((await goThrough(provider, browser, knownPerson({ email }))).status, 303);
      assert.doesNotMatch(await (await browser.fetch("/account")).text(), /type="password"/);
      const fields = { current: PASSWORD, password: "another three words" };
      assert.equal((await browser.submit("/account", "/account/password", fields)).status, 403);
    });

    test("SIGN8 the operator's one-time link is a way back in", async () => {
      const { email } = await account(world, "Ada");
      const { url } = await svc(world.settings, "users", "reset-password", "--email", email);
      const path = new URL(url).pathname;
      const browser = new Visitor(world.url);
      assert.match(await (await browser.fetch(path)).text(), /Sign in once/);
      assert.equal((await browser.submit(path, path, {})).status, 303);
      assert.equal(await isIn(browser), true);
      assert.equal((await new Visitor(world.url).fetch(path)).status, 410);
    });

    test("SIGN7 without new accounts only known people come in", async () => {
      const stranger = await goThrough(provider, new Visitor(world.url), knownPerson());
      assert.equal(stranger.status, 403);
      assert.match(await stranger.text(), /You have no account here/);
      const { email } = await account(world, "Ada");
      assert.equal((await goThrough(provider, new Visitor(world.url), knownPerson({ email }))).status, 303);
    });
  },
  { SVC_PASSWORD_SIGN_IN: "off", SVC_OIDC_NEW_ACCOUNTS: "off" },
);

describe("two providers, below a path of the host", () => {
  test("SIGN9 each has its own button and its own address for answers", async () => {
    const [first, second] = [new TestProvider(), new TestProvider()];
    await Promise.all([first.listen(), second.listen()]);
    await using proxy = await PathProxy.start("/tools/kb", true);
    const both = Object.keys(first.settings).map((name) => [name, `${first.settings[name]} ${second.settings[name]}`]);
    const world = new World("sqlite", {
      ...Object.fromEntries(both),
      SVC_OIDC_NAME: "North, South & Co",
      SVC_BASE_URL: proxy.url,
    });
    await world.start();
    proxy.target = world.directUrl;
    try {
      first.register(`${proxy.url}/sign-in/oidc/1/callback`);
      second.register(`${proxy.url}/sign-in/oidc/2/callback`);
      const page = await (await fetch(`${proxy.url}/sign-in`)).text();
      assert.match(page, /href="\/tools\/kb\/sign-in\/oidc\/1[^"]*">Sign in with North</);
      assert.match(page, /href="\/tools\/kb\/sign-in\/oidc\/2[^"]*">Sign in with South &amp; Co</);
      const browser = new Visitor(proxy.url);
      const person = knownPerson();
      const reply = await goThrough(second, browser, person, "/sign-in/oidc/2?next=%2Faccount");
      assert.equal(reply.headers.get("location"), "/tools/kb/account");
      assert.equal(await isIn(browser), true);
      // The same subject of another provider is another account there.
      const other = await goThrough(first, new Visitor(proxy.url), { ...person, email: "other@example.com" });
      assert.equal(other.status, 303);
      const rows = await world.app.services.database.read.selectFrom("identities").selectAll().execute();
      assert.deepEqual(new Set(rows.map(({ user_id }) => user_id)).size, 2);
      // An answer of one provider does not count for the other.
      const mixed = new Visitor(proxy.url);
      first.person = knownPerson();
      const away = await mixed.fetch("/sign-in/oidc/1");
      const back = await first.visit(away.headers.get("location") ?? "");
      const wrong = await mixed.fetch(back.slice(proxy.url.length).replace("/oidc/1/", "/oidc/2/"));
      assert.equal(wrong.status, 400);
    } finally {
      await world.stop();
      await Promise.all([first.close(), second.close()]);
    }
  });

  test("SIGN9 settings that do not go together stop the start", async () => {
    const world = new World("sqlite", {
      SVC_OIDC_ISSUER: "https://a.example https://b.example",
      SVC_OIDC_CLIENT_ID: "one",
    });
    await assert.rejects(world.start(), /SVC_OIDC_CLIENT_ID: has 1 values/);
    await world.stop().catch(() => undefined);
    const plain = new World("sqlite", { SVC_OIDC_ISSUER: "http://a.example", SVC_OIDC_CLIENT_ID: "one" });
    await assert.rejects(plain.start(), /SVC_OIDC_ISSUER/);
    await plain.stop().catch(() => undefined);
  });
});
