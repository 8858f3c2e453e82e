import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "../../server/test/support/client.ts";
import { makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until, Watch } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { programOf, signedIn } from "./people.ts";

/** Long enough for a busy machine to keep. */
const HEARTBEAT_MS = 2000;

inBrowser(
  "API tokens",
  (stage) => {
    const me = (token: string) => new Client(stage.world.url, token).get("/me");

    test("WEB15 a token is made, shown once, copied, listed with its use, and revoked", async () => {
      const { page } = await signedIn(stage, {
        browser: { permissions: ["clipboard-read", "clipboard-write"] },
      });
      await page.getByRole("button", { name: "Account menu" }).click();
      await page.getByRole("link", { name: "API tokens" }).first().click();
      await page.getByLabel("Name").fill("backup script");
      await page.getByLabel("Read-write").check();
      await page.getByLabel("Expires after").selectOption("30 days");
      await page.getByRole("button", { name: "Create token" }).click();
      const token = (await page.getByRole("textbox", { name: "Token" }).textContent()) ?? "";
      assert.match(token, /^svc_tok_[\w-]{43}$/);
      await page.getByRole("button", { name: "Copy" }).first().click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      assert.equal(await page.evaluate("navigator.clipboard.readText()"), token);
      const line = await page.getByRole("textbox", { name: "Try it" }).textContent();
      assert.equal(line, `curl -H "Authorization: Bearer ${token}" ${stage.world.url}/api/v1/me`);

      const reply = await new Client(stage.world.url, token).get("/me", {
        headers: { "user-agent": "backup/2.1 (Backup)" },
      });
      assert.deepEqual([reply.data.token.access, reply.data.scopes.length], ["read_write", 9]);
      const days = (reply.data.token.expires_at - Date.now()) / 86_400_000;
      assert.ok(days > 29.9 && days < 30.1);
      const { read } = stage.world.app.services.database;
      const used = read.selectFrom("tokens").select("last_used_at").where("id", "=", reply.data.token_id);
      await until("its use is written", async () => Boolean((await used.executeTakeFirst())?.last_used_at));

      await page.getByRole("link", { name: "Done" }).click();
      assert.ok(!(await page.content()).includes(token), "the value is never shown again");
      const row = page.getByRole("listitem").filter({ hasText: "backup script" });
      for (const text of ["read-write", "Used just now", "backup/2.1 (Backup)", "Expires in 30 days"])
        await row.getByText(text).waitFor();
      await row.getByText("Revoke", { exact: true }).click();
      await row.getByRole("button", { name: "Revoke token" }).click();
      await page.getByText("The token has been revoked.").waitFor();
      assert.equal((await me(token)).body.error.code, "token_revoked");
      await page.getByText("1 no longer valid").click();
      await page.getByText("Revoked just now").waitFor();
    });

    test("WEB15 revoking a token ends its open event stream within a heartbeat", async () => {
      const { page, account } = await signedIn(stage);
      const { token } = await programOf(stage, account);
      const headers = { authorization: `Bearer ${token}` };
      const stream = await fetch(`${stage.world.url}/api/v1/events`, { headers });
      assert.equal(stream.status, 200);
      await page.goto("/account/tokens");
      await page.getByText("Revoke", { exact: true }).click();
      await page.getByRole("button", { name: "Revoke token" }).click();
      await page.getByText("The token has been revoked.").waitFor();
      using watch = new Watch();
      assert.match(await stream.text(), /event: auth\.revoked/);
      assert.ok(watch.ms < 3 * HEARTBEAT_MS, "the stream ended in time");
    });

    test("RIGHT7 a token is bound to the knowledge bases that were ticked", async () => {
      const { page, account } = await signedIn(stage);
      const program = await programOf(stage, account);
      const [open, closed] = [await makeKnowledgeBase(program, "Open"), await makeKnowledgeBase(program, "Closed")];
      await page.goto("/account/tokens");
      await page.getByLabel("Name").fill("one base");
      await page.getByText("Only some knowledge bases").click();
      await page.getByLabel("Open", { exact: true }).check();
      await page.getByRole("button", { name: "Create token" }).click();
      const token = (await page.getByRole("textbox", { name: "Token" }).textContent()) ?? "";
      const bound = new Client(stage.world.url, token);
      assert.equal((await bound.get(`/knowledge-bases/${open.id}`)).status, 200);
      assert.equal((await bound.get(`/knowledge-bases/${closed.id}`)).status, 404);
      await page.getByRole("link", { name: "Done" }).click();
      await page.getByRole("listitem").filter({ hasText: "one base" }).getByText("chosen knowledge bases").waitFor();
    });

    test("WEB15 chosen scopes are what the token gets", async () => {
      const { page } = await signedIn(stage);
      await page.goto("/account/tokens");
      await page.getByLabel("Name").fill("narrow");
      assert.equal(await page.getByLabel("documents:read").isVisible(), false);
      await page.getByLabel("Chosen scopes").check();
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("alert").getByText("Tick at least one scope.").waitFor();
      assert.equal(await page.getByLabel("Name").inputValue(), "narrow");
      await page.getByLabel("documents:read").check();
      await page.getByLabel("attachments:write").check();
      await page.getByLabel("Expires after").selectOption("Never");
      await page.getByRole("button", { name: "Create token" }).click();
      const token = (await page.getByRole("textbox", { name: "Token" }).textContent()) ?? "";
      const { data } = await me(token);
      assert.deepEqual(data.scopes, ["documents:read", "attachments:write"]);
      assert.equal(data.token.expires_at, null);
    });

    test("WEB15 a viewer is offered tokens that read", async () => {
      const { account } = await signedIn(stage);
      const { page } = await signedIn(stage, { workspace: account.workspaceId, role: "viewer", name: "Grace" });
      await page.goto("/account/tokens");
      assert.equal(await page.getByLabel("Read-write").count(), 0);
      await page.getByLabel("Chosen scopes").check();
      assert.equal(await page.getByLabel("documents:write").count(), 0);
    });
  },
  { SVC_EVENT_HEARTBEAT_MS: String(HEARTBEAT_MS) },
);
