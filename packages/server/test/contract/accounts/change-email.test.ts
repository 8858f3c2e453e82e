import assert from "node:assert/strict";
import { test } from "node:test";
import { createToken } from "@svc/server/domain/identity/tokens/create-token";
import { Client, type Loose } from "../../support/client.ts";
import { switchOnCodes } from "../../support/codes.ts";
import { consent, HandProgram, personWithBrowser } from "../../support/consent.ts";
import { onEachDatabaseWithMail } from "../../support/mail-server.ts";
import { svc } from "../../support/process.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

let count = 0;
const newEmail = () => `moved${++count}@example.com`;

const signIn = async (world: World, email: string) =>
  (await new Visitor(world.url).submit("/sign-in", "/sign-in", { email, password: PASSWORD })).status;

/** By a link of the operator. */
async function setPassword(world: World, email: string, password: string): Promise<Response> {
  const { url } = await svc(world.settings, "users", "reset-password", "--email", email);
  const { pathname } = new URL(url);
  return new Visitor(world.url).submit(pathname, pathname, { password });
}

const forget = (world: World) =>
  world.app.services.database.transaction((tx) => tx.updateTable("sessions").set({ proven_at: 0 }).execute());

const change = (browser: Visitor, email: string, more: Record<string, string> = {}) =>
  browser.submit("/account", "/account/email", { email, ...more });

const told = async (browser: Visitor): Promise<string[]> => {
  const { data }: Loose = await (await browser.fetch("/app/api/v1/notifications")).json();
  return data.map((one: Loose) => `${one.reason}: ${one.excerpt}`);
};

onEachDatabase("the address of an account, without mail", (world) => {
  test("ACC9 it is changed at once, and one signs in with it; tokens and sessions stay", async () => {
    const { browser, email: before, userId, workspaceId } = await personWithBrowser(world);
    const { token } = await world.app.services.database.transaction((tx) =>
      createToken(tx, { userId, workspaceId, name: "mine", access: "read_only" }),
    );
    const email = newEmail();
    assert.equal((await change(browser, email.toUpperCase())).status, 303);
    const page = await (await browser.fetch("/account")).text();
    assert.match(page, /Your email has been changed\./);
    assert.match(page, new RegExp(email));
    assert.doesNotMatch(page, /verif/, "nobody can prove one here, so nothing is said of it");
    assert.equal(await signIn(world, before), 422);
    assert.equal(await signIn(world, email), 303);
    assert.equal((await new Client(world.url, token).get("/me")).data.user.email, email);
    assert.deepEqual(await told(browser), [`security: Ada changed their e-mail address from ${before} to ${email}.`]);
  });

  test("ACC9 a proof of the last ten minutes is asked for", async () => {
    const { browser, email: before } = await personWithBrowser(world);
    await forget(world);
    const email = newEmail();
    assert.equal((await change(browser, email)).status, 403);
    assert.equal((await change(browser, email, { proof: "password", proof_password: "wrong" })).status, 422);
    assert.equal(await signIn(world, before), 303);
    assert.equal((await change(browser, email, { proof: "password", proof_password: PASSWORD })).status, 303);
    assert.equal(await signIn(world, email), 303);
  });

  test("ACC9 one that is none, is taken, or is the same is refused in words", async () => {
    const { browser, email: own } = await personWithBrowser(world);
    const { email: others } = await personWithBrowser(world);
    for (const [email, words] of [
      ["nobody", /is not an email address/],
      ["<a@b", /is not an email address/],
      [others, /cannot be used here/],
      [own, /already your email/],
    ] as const) {
      const refused = await change(browser, email);
      assert.equal(refused.status, 422, email);
      assert.match(await refused.text(), words);
    }
  });

  test("ACC9 of several who take one address at once, one gets it", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => personWithBrowser(world)));
    const email = newEmail();
    const replies = await Promise.all(people.map(({ browser }) => change(browser, email)));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 422, 422, 422]);
  });

  test("ACC11 every password that can be set can be given again, whatever its letters", async () => {
    const { browser: owner } = await personWithBrowser(world);
    const made = await owner.submit("/members", "/members/invite", { role: "viewer" });
    const link = /\/join\/[\w-]+/.exec(await made.text())?.[0] ?? "";
    const account = { name: "Grace", email: `${"a".repeat(240)}@example.com`, password: "ä".repeat(501) };
    const refused = await new Visitor(world.url).submit(link, link, account);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /This password is too long/);
    for (const password of ["ä".repeat(500), "漢".repeat(333), "🙂".repeat(250)]) {
      const browser = new Visitor(world.url);
      const { status } = password.startsWith("ä")
        ? await browser.submit(link, link, { ...account, password })
        : await setPassword(world, account.email, password);
      assert.equal(status, 303);
      const again = new Visitor(world.url);
      assert.equal((await again.submit("/sign-in", "/sign-in", { email: account.email, password })).status, 303);
    }
  });

  test("WEB4 a sign-in that is under way with the old password does not outlive its change", async () => {
    const { browser, email, userId } = await personWithBrowser(world);
    const { read } = world.app.services.database;
    const passwords = [PASSWORD, "another three words", "and yet three others", "these are the last"];
    for (const [at, current] of passwords.entries()) {
      const password = passwords[at + 1];
      if (password === undefined) break;
      let isDone = false;
      const knocking = Array.from({ length: 3 }, async () => {
        while (!isDone) await new Visitor(world.url).submit("/sign-in", "/sign-in", { email, password: current });
      });
      const changed = await browser.submit("/account", "/account/password", { current, password });
      isDone = true;
      await Promise.all(knocking);
      assert.equal(changed.status, 303);
      const open = await read.selectFrom("sessions").select("id").where("user_id", "=", userId).execute();
      assert.equal(open.length, 1, "the one that changed it");
    }
  });

  test("ACC6 a session that ends makes no token after those of before were revoked", async () => {
    const { browser, email, userId } = await personWithBrowser(world);
    const other = new Visitor(world.url);
    await other.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    const form_token = await other.formToken("/account/tokens");
    let isDone = false;
    const making = Array.from({ length: 6 }, async () => {
      while (!isDone) await other.send("/account/tokens", { form_token, name: "one", access: "read_only", days: "90" });
    });
    const fields = { current: PASSWORD, password: "another three words", revoke_tokens: "1" };
    const changed = await browser.submit("/account", "/account/password", fields);
    isDone = true;
    await Promise.all(making);
    assert.equal(changed.status, 303);
    const { read } = world.app.services.database;
    const tokens = await read.selectFrom("tokens").select("revoked_at").where("user_id", "=", userId).execute();
    assert.ok(tokens.length > 0);
    assert.ok(tokens.every(({ revoked_at }) => revoked_at !== null));
  });

  test("ACC6 revoking all tokens also ends a code that a program has yet to exchange", async () => {
    const { browser } = await personWithBrowser(world);
    const program = new HandProgram(world.url);
    await program.register();
    const codeOf = async () => (await consent(browser, program.authorizeUrl())).searchParams.get("code") ?? "";
    const fields = { current: PASSWORD, password: PASSWORD };
    const kept = await codeOf();
    assert.equal((await browser.submit("/account", "/account/password", fields)).status, 303);
    assert.equal((await program.exchange(kept)).status, 200);
    const ended = await codeOf();
    await browser.submit("/account", "/account/password", { ...fields, revoke_tokens: "1" });
    const refused = await program.exchange(ended);
    assert.deepEqual([refused.status, refused.body.error], [400, "invalid_grant"]);
  });

  test("ACC10 of several who join with one address at once, one gets an account", async () => {
    const { browser: owner } = await personWithBrowser(world);
    const links: string[] = [];
    for (let n = 0; n < 4; n++) {
      const made = await owner.submit("/members", "/members/invite", { role: "viewer" });
      links.push(/\/join\/[\w-]+/.exec(await made.text())?.[0] ?? "");
    }
    const account = { name: "Grace", email: newEmail(), password: PASSWORD };
    const replies = await Promise.all(links.map((link) => new Visitor(world.url).submit(link, link, account)));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 422, 422, 422]);
  });
});

onEachDatabaseWithMail("the address of an account, with mail", (world, mails) => {
  const isProof = ({ subject }: { subject?: string | undefined }) => subject === "Is this your e-mail address?";
  const isAlert = ({ subject }: { subject?: string | undefined }) => subject === "Your account was changed";
  const linkTo = async (email: string) =>
    /\/account\/email\/[\w-]+/.exec((await mails.mailTo(email, isProof)).text ?? "")?.[0] ?? "";

  test("ACC9 it changes when the link that went there is opened, and the address before is told", async () => {
    const { browser, email: before } = await personWithBrowser(world);
    const email = newEmail();
    assert.equal((await change(browser, email)).status, 303);
    assert.match(await (await browser.fetch("/account")).text(), new RegExp(`A link was sent to <bdi>${email}`));
    assert.equal(await signIn(world, email), 422);
    assert.equal(await signIn(world, before), 303);
    await new Visitor(world.url).submit("/forgotten", "/forgotten", { email: before });
    const reset = await mails.mailTo(before, ({ subject }) => subject === "A new password");
    const link = await linkTo(email);
    assert.match(await (await browser.fetch(link)).text(), new RegExp(`in place of <bdi>${before}`));
    assert.equal((await browser.submit(link, link, {})).status, 303);
    assert.equal(await signIn(world, email), 303);
    assert.equal(await signIn(world, before), 422);
    assert.match(await (await browser.fetch("/account")).text(), /address is verified/);
    const alert = await mails.mailTo(before, isAlert);
    assert.match(alert.text ?? "", new RegExp(`from ${before} to ${email}`));
    assert.deepEqual(mails.sentTo(email).filter(isAlert), [], "the new one is no news to itself");
    const path = /\/reset\/[\w-]+/.exec(reset.text ?? "")?.[0] ?? "";
    assert.equal((await new Visitor(world.url).fetch(path)).status, 410, "what was mailed to the old one is over");
  });

  test("ACC9 an address that somebody has got meanwhile is refused when its link is opened", async () => {
    const { browser, email: before } = await personWithBrowser(world);
    const { email: others } = await personWithBrowser(world);
    assert.equal((await change(browser, others)).status, 303, "nobody learns who has an account");
    const link = await linkTo(others);
    const refused = await browser.submit(link, link, {});
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /cannot be used here/);
    assert.equal(await signIn(world, before), 303);
  });

  test("NTF19 a changed password, passkey or code is mailed at once, whatever the settings", async () => {
    const { browser, email, userId, workspaceId } = await personWithBrowser(world);
    const { token } = await world.app.services.database.transaction((tx) =>
      createToken(tx, { userId, workspaceId, name: "mine", access: "read_write" }),
    );
    const quiet = { kinds: { security: { page: true, email: "off", webhook: false } } };
    assert.equal((await new Client(world.url, token).patch("/notifications/settings", quiet)).status, 200);
    const fields = { current: PASSWORD, password: "another three words" };
    assert.equal((await browser.submit("/account", "/account/password", fields)).status, 303);
    const mail = await mails.mailTo(email, isAlert);
    assert.match(mail.text ?? "", /> Ada changed their password\./);
    await switchOnCodes(browser);
    assert.equal((await browser.submit("/account/security", "/account/security/totp/remove", {})).status, 303);
    await mails.mailTo(email, ({ text }) => /switched codes of an authenticator app off/.test(text ?? ""));
    assert.deepEqual(await told(browser), [
      "security: Ada switched codes of an authenticator app off.",
      "security: Ada switched codes of an authenticator app on.",
      "security: Ada changed their password.",
    ]);
  });
});
