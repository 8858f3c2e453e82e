import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import type { Known, TestProvider } from "../../support/identity-provider.ts";
import { Visitor } from "../../support/visitor.ts";
import { goThrough, isIn, knownPerson, START, withProvider } from "../../support/with-provider.ts";
import type { World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";
const SECURITY = "/account/security";
const CONNECT = `${SECURITY}/connect/1`;
let count = 0;

/** Somebody with a password, signed in. */
async function signedIn(world: World) {
  const passwordHash = await hashPassword(PASSWORD);
  const email = `connector${++count}@example.com`;
  const { userId } = await world.app.services.database.transaction((tx) =>
    createUser(tx, { email, name: "Ada", passwordHash }),
  );
  const browser = new Visitor(world.url);
  assert.equal((await browser.submit("/sign-in", "/sign-in", { email, password: PASSWORD })).status, 303);
  return { browser, userId, email };
}

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";

/** Goes to the provider as this person, and gives what the page sends that asks whether to connect. */
async function askToConnect(provider: TestProvider, browser: Visitor, person: Known) {
  const page = await (await goThrough(provider, browser, person, CONNECT)).text();
  return { page, fields: { form_token: hidden(page, "form_token"), ticket: hidden(page, "ticket") } };
}

async function connect(provider: TestProvider, browser: Visitor, person: Known) {
  const { fields } = await askToConnect(provider, browser, person);
  return browser.send(CONNECT, fields);
}

const nameOf = async (browser: Visitor) =>
  hidden((await (await browser.fetch("/account")).text()).replaceAll(/ id="[^"]*"| type="[^"]*"/g, ""), "name");

const disconnect = (browser: Visitor, provider: TestProvider) =>
  browser.submit(SECURITY, `${SECURITY}/disconnect`, { issuer: provider.issuer });

const forgetProofs = (world: World) =>
  world.app.services.database.transaction((tx) => tx.updateTable("sessions").set({ proven_at: 0 }).execute());

const identitiesOf = (world: World, userId: string) =>
  world.app.services.database.read.selectFrom("identities").selectAll().where("user_id", "=", userId).execute();

withProvider("connecting an account at a provider", (world, provider) => {
  test("SIGN22 an account at a provider with another address signs in once it is connected", async () => {
    const { browser, userId } = await signedIn(world);
    assert.match(await (await browser.fetch(SECURITY)).text(), /href="\/account\/security\/connect\/1">Connect 127/);
    const person = knownPerson();
    const { page, fields } = await askToConnect(provider, browser, person);
    assert.ok(page.includes(person.email ?? "?"), "it says whose account it is");
    assert.equal(provider.asked.at(-1)?.get("prompt"), "login");
    assert.deepEqual(await identitiesOf(world, userId), [], "nothing is connected before the answer");
    assert.equal((await browser.send(CONNECT, fields)).headers.get("location"), SECURITY);
    const again = new Visitor(world.url);
    await goThrough(provider, again, person);
    assert.equal(await nameOf(again), "Ada");
    const shown = await (await browser.fetch(SECURITY)).text();
    assert.match(shown, /Disconnect/);
    assert.doesNotMatch(shown, /Connect 127/);
    const told = await world.app.services.database.read.selectFrom("audit_log").select("summary").execute();
    assert.ok(told.some(({ summary }) => summary === "Ada connected an account at 127.0.0.1 to sign in with"));
  });

  test("SIGN22 the answer counts once, in the session that asked", async () => {
    const [mine, other] = [await signedIn(world), await signedIn(world)];
    const { fields } = await askToConnect(provider, mine.browser, knownPerson());
    const foreign = { ...fields, form_token: await other.browser.formToken(SECURITY) };
    assert.equal((await other.browser.send(CONNECT, foreign)).status, 422);
    assert.deepEqual(await identitiesOf(world, other.userId), []);
    assert.equal((await mine.browser.send(CONNECT, fields)).status, 303);
    assert.equal((await disconnect(mine.browser, provider)).status, 303);
    const again = await mine.browser.send(CONNECT, fields);
    assert.equal(again.status, 422);
    assert.match(await again.text(), /This was already done/);
    assert.deepEqual(await identitiesOf(world, mine.userId), []);
  });

  test("SIGN16 connecting and disconnecting need a fresh proof", async () => {
    const { browser, userId } = await signedIn(world);
    const { fields } = await askToConnect(provider, browser, knownPerson());
    await forgetProofs(world);
    assert.equal((await browser.send(CONNECT, fields)).status, 403);
    const away = await browser.fetch(CONNECT);
    assert.equal(away.headers.get("location"), `/prove?next=${encodeURIComponent(CONNECT)}`);
    const proof = { proof: "password", proof_password: PASSWORD };
    assert.equal(
      (await browser.send(CONNECT, { ...fields, ...proof })).status,
      303,
      "it goes on with the page's answer",
    );
    await forgetProofs(world);
    const form_token = await browser.formToken("/account");
    const { issuer } = provider;
    assert.equal((await browser.send(`${SECURITY}/disconnect`, { form_token, issuer })).status, 403);
    assert.equal((await identitiesOf(world, userId)).length, 1);
  });

  test("SIGN22 one account there opens one account here, and one here has one there", async () => {
    const [ada, eve] = [await signedIn(world), await signedIn(world)];
    const person = knownPerson();
    assert.equal((await connect(provider, ada.browser, person)).status, 303);
    const taken = await connect(provider, eve.browser, person);
    assert.equal(taken.status, 422);
    assert.match(await taken.text(), /opens somebody else&#39;s account here/);
    const second = await connect(provider, ada.browser, knownPerson());
    assert.equal(second.status, 422);
    assert.match(await second.text(), /is connected already/);
    assert.deepEqual(await identitiesOf(world, eve.userId), []);
  });

  test("SIGN22 two windows that connect two accounts at once leave one", async () => {
    const { browser, userId } = await signedIn(world);
    const asked = [];
    for (const person of [knownPerson(), knownPerson()]) asked.push(await askToConnect(provider, browser, person));
    const replies = await Promise.all(asked.map(({ fields }) => browser.send(CONNECT, fields)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 422]);
    assert.equal((await identitiesOf(world, userId)).length, 1);
  });

  test("SIGN22 what is disconnected opens nothing; the only way in stays", async () => {
    const { browser, userId } = await signedIn(world);
    const person = knownPerson();
    await connect(provider, browser, person);
    assert.equal((await disconnect(browser, provider)).status, 303);
    const away = new Visitor(world.url);
    await goThrough(provider, away, person);
    assert.notEqual(await nameOf(away), "Ada");
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("users").set({ password_hash: "" }).where("id", "=", userId).execute(),
    );
    await connect(provider, browser, knownPerson());
    const kept = await disconnect(browser, provider);
    assert.equal(kept.status, 422);
    assert.match(await kept.text(), /This is your only way in/);
    assert.equal((await identitiesOf(world, userId)).length, 1);
  });

  test("SIGN5 what fails at the provider leads somebody who is signed in back", async () => {
    const { browser } = await signedIn(world);
    const refused = await goThrough(provider, browser, undefined, CONNECT);
    assert.equal(refused.status, 403);
    const page = await refused.text();
    assert.match(page, /127\.0\.0\.1 did not let you in\./);
    assert.match(page, /href="\/account\/security"/);
    assert.doesNotMatch(page, /<h1>Sign in<\/h1>/);
    assert.equal(await isIn(browser), true);
  });

  test("SIGN13 codes that were never on are not told to be off", async () => {
    const { browser, userId } = await signedIn(world);
    await browser.submit(SECURITY, `${SECURITY}/totp/remove`, {});
    const rows = await world.app.services.database.read
      .selectFrom("audit_log")
      .select("action")
      .where("user_id", "=", userId)
      .execute();
    assert.ok(!rows.some(({ action }) => action === "totp_off"));
  });
});

withProvider(
  "connecting where a provider brings groups",
  (world, provider) => {
    test("SIGN22 who disconnects leaves the groups that the provider put them into", async () => {
      const owner = await world.person();
      const { database } = world.app.services;
      await database.transaction((tx) =>
        tx.updateTable("workspaces").set({ name: "House" }).where("id", "=", owner.workspaceId).execute(),
      );
      const { id } = (await owner.client.post("/groups", { name: "staff" })).data;
      const members = async () => (await owner.client.get(`/groups/${id}`)).data.members.length;
      const person = knownPerson({ groups: ["staff"] });
      const browser = new Visitor(world.url);
      await goThrough(provider, browser, person, START);
      assert.equal(await members(), 1);
      await database.transaction((tx) =>
        tx
          .updateTable("users")
          .set({ password_hash: "some hash" })
          .where("email", "=", person.email ?? "")
          .execute(),
      );
      assert.equal((await disconnect(browser, provider)).status, 303);
      assert.equal(await members(), 0);
    });

    test("SIGN7 an address that may not sign in here is not connected", async () => {
      const { browser, userId } = await signedIn(world);
      for (const person of [
        knownPerson({ email: "eve@elsewhere.example" }),
        { ...knownPerson(), email_verified: false },
      ]) {
        const refused = await connect(provider, browser, person);
        assert.equal(refused.status, 422);
        assert.match(await refused.text(), /may not sign in here|has not verified/);
      }
      assert.deepEqual(await identitiesOf(world, userId), []);
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
