import assert from "node:assert/strict";
import { test } from "node:test";
import { mailBaseUrl } from "@svc/server/mail/mail-url";
import { queueMail } from "@svc/server/mail/queue-mail";
import { onEachDatabaseWithMail } from "../../support/mail-server.ts";
import { until } from "../../support/until.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const letter = (to: string) => ({ to, subject: "Grüße: all's well", text: "Hello", html: "<p>Hello</p>" });
const origin = { workspaceId: "ws_mail", createdBy: "user_mail" };

const queue = (world: World, to: string, more: { readonly unsubscribe?: string } = {}) => {
  const { services } = world.app;
  return services.database.transaction((tx) => queueMail(services, tx, { ...letter(to), ...more }, origin));
};

const jobsOf = (world: World) =>
  world.app.services.database.read.selectFrom("jobs").selectAll().where("workspace_id", "=", "ws_mail").execute();

onEachDatabaseWithMail("mail", (world, server) => {
  test("MAIL1 a queued mail goes out once, signed in, with text, HTML and who it is from", async () => {
    assert.equal(await queue(world, "ada@example.com"), true);
    const mail = await server.mailTo("ada@example.com");
    assert.deepEqual(
      [mail.subject, mail.text?.trim(), mail.html?.trim(), mail.from?.name, mail.from?.address],
      ["Grüße: all's well", "Hello", "<p>Hello</p>", "Knowledge", "svc@example.org"],
    );
    assert.ok(!mail.headers.some(({ key }) => key === "list-unsubscribe"));
    assert.deepEqual([...new Set(server.credentials)], ["mailer:secret"]);
    await until("the job has ended", async () => (await jobsOf(world)).every((job) => job.status === "succeeded"));
    assert.equal(server.sentTo("ada@example.com").length, 1);
  });

  test("MAIL2 a mail that the server puts off is tried again and keeps its name", async () => {
    server.refusals.push(451);
    await queue(world, "late@example.com");
    const mail = await server.mailTo("late@example.com");
    const job = (await jobsOf(world)).find(({ id }) => mail.messageId === `<${id}@example.org>`);
    assert.equal(job?.attempts, 2);
  });

  test("MAIL3 a mail that the server refuses for good is not tried again", async () => {
    server.refusals.push(550);
    await queue(world, "nobody@example.com");
    const isRefused = async () => (await jobsOf(world)).some(({ error }) => error?.includes("mail_refused"));
    await until("the job has failed", isRefused);
    assert.deepEqual(server.sentTo("nobody@example.com"), []);
  });

  test("MAIL4 what a mail says is sealed while it waits and forgotten afterwards", async () => {
    server.refusals.push(451);
    await queue(world, "secret@example.com");
    const waiting = (await jobsOf(world)).filter(({ finished_at }) => finished_at === null);
    assert.ok(waiting.length > 0);
    for (const { payload } of waiting) assert.doesNotMatch(payload, /secret@example|Hello/);
    await server.mailTo("secret@example.com");
    await until("nothing is kept", async () => (await jobsOf(world)).every(({ payload }) => payload === "{}"));
  });

  test("MAIL5 a mail that can be unsubscribed from says so for one click", async () => {
    await queue(world, "list@example.com", { unsubscribe: "https://kb.example.org/unsubscribe?t=x" });
    const { headers } = await server.mailTo("list@example.com");
    const headerOf = (name: string) => headers.find(({ key }) => key === name)?.value;
    assert.equal(headerOf("list-unsubscribe"), "<https://kb.example.org/unsubscribe?t=x>");
    assert.equal(headerOf("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  });
});

onEachDatabase("no mail", (world) => {
  test("MAIL6 without a mail server nothing is queued, and the caller is told", async () => {
    assert.equal(await queue(world, "ada@example.com"), false);
    assert.deepEqual(await jobsOf(world), []);
  });
});

test("MAIL7 links in mails lead where the settings say, whatever a request names as its host", () => {
  const settings = { host: "127.0.0.1", port: 3000, baseUrl: undefined };
  assert.equal(mailBaseUrl({ ...settings, baseUrl: "https://kb.example.org/notes" }), "https://kb.example.org/notes");
  assert.equal(mailBaseUrl(settings), "http://127.0.0.1:3000");
  assert.equal(mailBaseUrl({ ...settings, host: "::1" }), "http://[::1]:3000");
});
