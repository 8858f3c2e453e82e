import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { insertPasskey } from "@svc/server/domain/identity/factors/queries";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client } from "../../support/client.ts";
import { personWithBrowser } from "../../support/consent.ts";
import { onEachDatabaseWithMail } from "../../support/mail-server.ts";
import { svc } from "../../support/process.ts";
import { until } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { goThrough, isIn, knownPerson, START, withProvider } from "../../support/with-provider.ts";
import type { World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

const invite = async (owner: Visitor, fields: Record<string, string> = {}): Promise<string> => {
  const made = await owner.submit("/members", "/members/invite", { role: "owner", ...fields });
  return /\/join\/[\w.-]+/.exec(await made.text())?.[0] ?? "";
};

const join = async (world: World, path: string, email: string): Promise<Visitor> => {
  const browser = new Visitor(world.url);
  const reply = await browser.submit(path, path, { name: "Mallory", email, password: PASSWORD });
  assert.equal(reply.status, 303, await reply.text());
  return browser;
};

const userOf = async (world: World, email: string) =>
  defined(
    await world.app.services.database.read
      .selectFrom("users")
      .selectAll()
      .where("email", "=", email)
      .executeTakeFirst(),
  );

const signIn = async (world: World, email: string, password = PASSWORD) =>
  (await new Visitor(world.url).submit("/sign-in", "/sign-in", { email, password })).status;

/** Somebody who took an account with this address, and made sure of every way back into it. */
async function squatter(world: World, email: string) {
  const { browser: owner, workspaceId } = await personWithBrowser(world);
  const browser = await join(world, await invite(owner), email);
  const { id: userId } = await userOf(world, email);
  const { database } = world.app.services;
  const { token } = await database.transaction(async (tx) => {
    await insertPasskey(tx, {
      id: `pky_${userId}`,
      user_id: userId,
      credential_id: `credential of ${userId}`,
      public_key: "",
      counter: 0,
      transports: "",
      name: "Mine",
      created_at: 1,
      last_used_at: null,
    });
    return createToken(tx, { userId, workspaceId, name: "mine", access: "read_write" });
  });
  const invitation = await invite(browser);
  const client = new Client(world.url, token);
  const hook = { webhook_url: "https://mallory.example/hook" };
  const changed = await client.patch("/notifications/settings", hook);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  return { browser, userId, client, invitation };
}

type Squatter = Awaited<ReturnType<typeof squatter>>;

/** All of these ways are as they should be. */
async function assertWaysIn(world: World, { browser, userId, client, invitation }: Squatter, isOpen: boolean) {
  assert.equal(await isIn(browser), isOpen, "session");
  assert.equal((await client.get("/me")).status, isOpen ? 200 : 401, "token");
  assert.equal((await new Visitor(world.url).fetch(invitation)).status, isOpen ? 200 : 410, "invitation");
  const { read } = world.app.services.database;
  for (const table of ["passkeys", "notification_settings"] as const) {
    const rows = await read.selectFrom(table).select("user_id").where("user_id", "=", userId).execute();
    assert.equal(rows.length > 0, isOpen, table);
  }
}

/** Sends the form of the page that asks. */
async function takeOver(browser: Visitor, page: string): Promise<Response> {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const fields = { form_token: field("form_token"), ticket: field("ticket"), next: field("next") };
  return browser.send(`${START}/take-over`, fields);
}

withProvider("an account with an address that nobody proved", (world, provider) => {
  test("SIGN19 is not opened through a provider before the person says so, and then shuts its maker out", async () => {
    const person = knownPerson();
    const email = person.email ?? "";
    const mallory = await squatter(world, email);
    const browser = new Visitor(world.url);
    const asked = await goThrough(provider, browser, person, `${START}?next=%2Fmembers`);
    const page = await asked.text();
    assert.equal(asked.status, 409);
    assert.match(page, /Is this account yours\?[\s\S]*ask the administrator of this server to verify your address/);
    assert.equal(await isIn(browser), false);
    await assertWaysIn(world, mallory, true);
    assert.equal(await signIn(world, email), 303);

    const taken = await takeOver(browser, page);
    assert.equal(taken.headers.get("location"), "/members");
    assert.equal(await isIn(browser), true);
    await assertWaysIn(world, mallory, false);
    assert.equal(await signIn(world, email), 422, "the password is gone");
    assert.notEqual((await userOf(world, email)).email_verified_at, null);
    const again = new Visitor(world.url);
    assert.equal((await goThrough(provider, again, person)).status, 303);
    const { read } = world.app.services.database;
    const told = await read
      .selectFrom("audit_log")
      .select("summary")
      .where("action", "=", "take_over_account")
      .execute();
    assert.match(told[0]?.summary ?? "", /^Somebody took over the account of Mallory: 127\.0\.0\.1 verified/);
  });

  test("SIGN19 the page counts once, in the browser that came from the provider, for that provider", async () => {
    const person = knownPerson();
    const mallory = await squatter(world, person.email ?? "");
    const browser = new Visitor(world.url);
    const page = await (await goThrough(provider, browser, person)).text();
    const other = new Visitor(world.url);
    const form_token = await other.formToken("/sign-in");
    const ticket = /name="ticket" value="([^"]*)"/.exec(page)?.[1] ?? "";
    const stolen = await other.send(`${START}/take-over`, { form_token, ticket });
    assert.equal(stolen.status, 403);
    assert.match(await stolen.text(), /took too long, or was done in another window/);
    assert.equal((await browser.send("/sign-in/oidc/2/take-over", { form_token, ticket })).status, 403);
    await assertWaysIn(world, mallory, true);
    assert.equal((await takeOver(browser, page)).status, 303);
    await browser.submit("/account", "/sign-out", {});
    assert.notEqual((await takeOver(browser, page)).status, 303);
    assert.equal(await isIn(browser), false);
  });

  test("SIGN19 an address that the operator vouched for opens the account as it is", async () => {
    const person = knownPerson();
    const email = person.email ?? "";
    const mallory = await squatter(world, email);
    const said = await svc(world.settings, "users", "verify-email", "--email", email);
    assert.deepEqual(said, { user_id: mallory.userId, email, verified: true });
    const browser = new Visitor(world.url);
    assert.equal((await goThrough(provider, browser, person)).status, 303);
    assert.equal(await isIn(browser), true);
    await assertWaysIn(world, mallory, true);
  });

  test("SIGN19 a disabled account gets no second way in that would open with it", async () => {
    const person = knownPerson();
    const { userId } = await squatter(world, person.email ?? "");
    const { database } = world.app.services;
    const setDisabled = (disabled_at: number | null) =>
      database.transaction((tx) => tx.updateTable("users").set({ disabled_at }).where("id", "=", userId).execute());
    await setDisabled(1);
    const refused = await goThrough(provider, new Visitor(world.url), person);
    assert.match(await refused.text(), /This account is disabled/);
    await setDisabled(null);
    assert.equal((await goThrough(provider, new Visitor(world.url), person)).status, 409);
  });

  test("SIGN19 an address that was changed without proof belongs to whoever proves it, of the same provider too", async () => {
    const victim = knownPerson();
    const mallory = new Visitor(world.url);
    await goThrough(provider, mallory, knownPerson({ name: "Mallory" }));
    assert.equal((await mallory.submit("/account", "/account/email", { email: victim.email ?? "" })).status, 303);
    const browser = new Visitor(world.url);
    const asked = await goThrough(provider, browser, victim);
    assert.equal(asked.status, 409);
    assert.equal((await takeOver(browser, await asked.text())).status, 303);
    assert.equal(await isIn(mallory), false);
    assert.equal(await isIn(browser), true);
  });
});

onEachDatabaseWithMail("proving an address by mail", (world, mails) => {
  const isProof = ({ subject }: { subject?: string | undefined }) => subject === "Is this your e-mail address?";
  const linkIn = (text: string | undefined, of: RegExp) => of.exec(text ?? "")?.[0] ?? "";

  test("SIGN20 an invitation proves the address that it was mailed to, not the owner who made it", async () => {
    const { browser: owner } = await personWithBrowser(world);
    const shown = await invite(owner, { email: "grace@example.com" });
    const mailed = linkIn((await mails.mailTo("grace@example.com")).text, /\/join\/[\w.-]+/);
    assert.notEqual(mailed, shown);
    await join(world, shown, "grace@example.com");
    assert.equal((await userOf(world, "grace@example.com")).email_verified_at, null);

    await invite(owner, { email: "eve@example.com" });
    const link = linkIn((await mails.mailTo("eve@example.com")).text, /\/join\/[\w.-]+/);
    await join(world, link, "eve@example.com");
    assert.notEqual((await userOf(world, "eve@example.com")).email_verified_at, null);

    await invite(owner, { email: "one@example.com" });
    const other = linkIn((await mails.mailTo("one@example.com")).text, /\/join\/[\w.-]+/);
    await join(world, other, "another@example.com");
    assert.equal((await userOf(world, "another@example.com")).email_verified_at, null, "only that address");
  });

  test("SIGN20 who joined with a typed address gets a link that counts in their own session alone", async () => {
    const { browser: owner } = await personWithBrowser(world);
    const email = "typed@example.com";
    const browser = await join(world, await invite(owner), email);
    assert.match(await (await browser.fetch("/account")).text(), /address is not verified/);
    const link = linkIn((await mails.mailTo(email, isProof)).text, /\/account\/email\/[\w-]+/);
    const stranger = await new Visitor(world.url).fetch(link);
    assert.equal(stranger.headers.get("location"), `/sign-in?next=${encodeURIComponent(link)}`);
    assert.equal((await owner.fetch(link)).status, 410);
    assert.equal((await owner.submit("/account", link, {})).status, 410);
    assert.equal((await userOf(world, email)).email_verified_at, null);
    assert.equal((await browser.submit(link, link, {})).status, 303);
    assert.match(await (await browser.fetch("/account")).text(), /address is verified/);
    assert.equal((await browser.fetch(link)).status, 410);
  });

  test("SIGN20 five links an hour, the newest counts, and it can be withdrawn", async () => {
    const { browser: owner } = await personWithBrowser(world);
    const email = "often@example.com";
    const browser = await join(world, await invite(owner), email);
    for (let n = 0; n < 4; n++)
      assert.equal((await browser.submit("/account", "/account/email/verify", {})).status, 303);
    const refused = await browser.submit("/account", "/account/email/verify", {});
    assert.equal(refused.status, 429);
    assert.match(await refused.text(), /try again later/);
    const sent = () => mails.sentTo(email).filter(isProof);
    await until("all five arrive", () => sent().length === 5);
    const links = sent().map(({ text }) => linkIn(text, /\/account\/email\/[\w-]+/));
    const works = await Promise.all(links.map(async (link) => (await browser.fetch(link)).status));
    assert.deepEqual(works.toSorted(), [200, 410, 410, 410, 410]);
    await browser.submit("/account", "/account/email/withdraw", {});
    for (const link of links) assert.equal((await browser.fetch(link)).status, 410);
  });

  test("SIGN21 a mailed link for a new password shuts out who made the account without proving the address", async () => {
    const email = "victim@example.com";
    const mallory = await squatter(world, email);
    await new Visitor(world.url).submit("/forgotten", "/forgotten", { email });
    const mail = await mails.mailTo(email, ({ subject }) => subject === "A new password");
    const path = linkIn(mail.text, /\/reset\/[\w-]+/);
    const victim = new Visitor(world.url);
    assert.match(await (await victim.fetch(path)).text(), /This address had never been verified/);
    assert.equal((await victim.submit(path, path, { password: "another three words" })).status, 303);
    assert.equal(await isIn(victim), true);
    await assertWaysIn(world, mallory, false);
    assert.notEqual((await userOf(world, email)).email_verified_at, null);
  });

  test("SIGN21 a link of the operator proves no address, and takes nothing away", async () => {
    const email = "known@example.com";
    const person = await squatter(world, email);
    const { url } = await svc(world.settings, "users", "reset-password", "--email", email);
    const { pathname } = new URL(url);
    const browser = new Visitor(world.url);
    assert.equal((await browser.submit(pathname, pathname, { password: "another three words" })).status, 303);
    assert.equal((await person.client.get("/me")).status, 200);
    assert.equal((await userOf(world, email)).email_verified_at, null);
  });
});
