import assert from "node:assert/strict";
import { test } from "node:test";
import { isCommonPassword } from "@svc/server/domain/identity/accounts/common-passwords";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { onEachDatabaseWithMail } from "../../support/mail-server.ts";
import { until } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

let count = 0;
async function account(world: World) {
  const passwordHash = await hashPassword(PASSWORD);
  const email = `forgets${++count}@example.com`;
  return world.app.services.database.transaction((tx) => createUser(tx, { email, name: "Ada", passwordHash }));
}

const ask = (world: World, email: string) => new Visitor(world.url).submit("/forgotten", "/forgotten", { email });

/** Until the server has looked after all who asked. */
const answered = (world: World) =>
  until("every request is looked after", async () => {
    const waiting = await world.app.services.database.read
      .selectFrom("jobs")
      .select("id")
      .where("status", "in", ["pending", "running"])
      .execute();
    return waiting.length === 0;
  });

onEachDatabaseWithMail("forgotten passwords", (world, mails) => {
  test("SIGN10 a mailed link sets a new password, once", async () => {
    const { email } = await account(world);
    assert.equal((await ask(world, email)).status, 200);
    const { text = "" } = await mails.mailTo(email);
    const path = /\/reset\/[\w-]+/.exec(text)?.[0] ?? "";
    const browser = new Visitor(world.url);
    assert.equal((await browser.submit(path, path, { password: "another three words" })).status, 303);
    assert.equal((await browser.fetch("/account")).status, 200);
    assert.equal((await new Visitor(world.url).fetch(path)).status, 410);
    const rows = await world.app.services.database.read.selectFrom("audit_log").select("summary").execute();
    assert.ok(rows.some(({ summary }) => summary?.startsWith("A link with which Ada can set a new password was sent")));
  });

  test("SIGN10 a link that is over leads to a new one; a password that is changed meanwhile ends it", async () => {
    const { email } = await account(world);
    await ask(world, email);
    const path = /\/reset\/[\w-]+/.exec((await mails.mailTo(email)).text ?? "")?.[0] ?? "";
    assert.equal((await new Visitor(world.url).fetch(path)).status, 200);
    const browser = new Visitor(world.url);
    await browser.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    const fields = { current: PASSWORD, password: "another three words" };
    assert.equal((await browser.submit("/account", "/account/password", fields)).status, 303);
    const over = await new Visitor(world.url).fetch(path);
    assert.equal(over.status, 410);
    assert.match(await over.text(), /works once, for an hour[\s\S]*href="\/forgotten"/);
  });

  test("SIGN10 the answer is the same for who has no account, and for one that is disabled", async () => {
    const [known, shut] = [await account(world), await account(world)];
    await world.app.services.database.transaction((tx) =>
      tx.updateTable("users").set({ disabled_at: 1 }).where("id", "=", shut.userId).execute(),
    );
    const said = async (email: string) => (await (await ask(world, email)).text()).replaceAll(email, "…");
    const [first, ...others] = [
      await said(known.email),
      await said(shut.email),
      await said(`nobody${++count}@example.com`),
    ];
    for (const other of others) assert.equal(other, first);
    await mails.mailTo(known.email);
    await answered(world);
    assert.deepEqual(mails.sentTo(shut.email), []);
  });

  test("SIGN10 an account gets three such mails an hour, and the newest link is the one that works", async () => {
    const { email } = await account(world);
    for (let n = 0; n < 5; n++) await ask(world, email);
    await answered(world);
    await until("the mails are there", () => mails.sentTo(email).length >= 3);
    assert.equal(mails.sentTo(email).length, 3);
  });

  test("SIGN11 an invitation goes out by mail", async () => {
    const { email } = await account(world);
    const owner = new Visitor(world.url);
    await owner.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    const to = `guest${++count}@example.com`;
    const made = await owner.submit("/members", "/members/invite", { role: "viewer", note: "", email: to });
    assert.match(await made.text(), new RegExp(`on its way to <bdi>${to}</bdi>`));
    const mail = await mails.mailTo(to);
    assert.equal(mail.subject, "Ada invites you to “Ada's workspace”");
    const path = /\/join\/[\w-]+/.exec(mail.text ?? "")?.[0] ?? "";
    assert.equal((await new Visitor(world.url).fetch(path)).status, 200);
    const wrong = await owner.submit("/members", "/members/invite", { role: "viewer", email: "no address" });
    assert.equal(wrong.status, 422);
  });

  test("SIGN11 a workspace mails a hundred invitations a day; then it says so, and makes none", async () => {
    const { email, workspaceId } = await account(world);
    const owner = new Visitor(world.url);
    await owner.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    const form_token = await owner.formToken("/members");
    const invite = (to: string) => owner.send("/members/invite", { form_token, role: "viewer", email: to });
    for (let n = 0; n < 100; n++) assert.equal((await invite(`many${++count}@example.com`)).status, 201);
    const { read } = world.app.services.database;
    const made = async () =>
      (await read.selectFrom("invitations").select("id").where("workspace_id", "=", workspaceId).execute()).length;
    const refused = await invite(`many${++count}@example.com`);
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /has sent 100 invitations today/);
    assert.equal(await made(), 100);
    assert.equal((await owner.send("/members/invite", { form_token, role: "viewer" })).status, 201, "by link");
  });
});

onEachDatabase("a server that sends no mail", (world) => {
  test("SIGN10 the page says how whoever runs the server can help, and promises nothing", async () => {
    const page = await (await new Visitor(world.url).fetch("/forgotten")).text();
    assert.match(page, /svc users reset-password/);
    assert.doesNotMatch(page, /<form/);
    const { email } = await account(world);
    const owner = new Visitor(world.url);
    await owner.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    assert.doesNotMatch(await (await owner.fetch("/members")).text(), /name="email"/);
  });

  test("SIGN12 one of the 10,000 most common passwords is refused wherever one is set", async () => {
    const { email } = await account(world);
    const browser = new Visitor(world.url);
    await browser.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
    for (const password of ["password1", "Football1", "1qaz2wsx3edc"]) {
      const reply = await browser.submit("/account", "/account/password", { current: PASSWORD, password });
      assert.equal(reply.status, 422, password);
      assert.match(await reply.text(), /too easy to guess/);
    }
  });
});

test("SIGN12 the list knows common passwords in any case, and not the good ones", () => {
  for (const common of ["123456", "PASSWORD", "qwertyuiop", "liverpool"]) assert.ok(isCommonPassword(common), common);
  for (const good of ["three unrelated words", "", "correct horse battery staple"])
    assert.ok(!isCommonPassword(good), good);
});
