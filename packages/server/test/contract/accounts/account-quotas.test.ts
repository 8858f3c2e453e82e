import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { updateDecision } from "@svc/server/domain/identity/devices/queries";
import { revokeToken } from "@svc/server/domain/identity/tokens/queries";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertError, assertStatus, Client } from "../../support/client.ts";
import { HandProgram, personWithBrowser } from "../../support/consent.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

onEachDatabase(
  "quotas of accounts",
  (world) => {
    const transaction: typeof world.app.services.database.transaction = (work) =>
      world.app.services.database.transaction(work);

    async function signedIn(email: string) {
      const passwordHash = await hashPassword(PASSWORD);
      const person = await transaction((tx) => createUser(tx, { email, name: "Ada", passwordHash }));
      const visitor = new Visitor(world.url);
      await visitor.submit("/sign-in", "/sign-in", { email, password: PASSWORD });
      return { visitor, ...person };
    }

    test("ACC8 one workspace more than a person may own is refused, in words, and so are several at once", async () => {
      const { visitor } = await signedIn("ada@example.com");
      const form_token = await visitor.formToken("/workspaces/new");
      const replies = await Promise.all(
        ["Two", "Three", "Four", "Five"].map((name) => visitor.send("/workspaces", { form_token, name })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 303, 422, 422]);
      const refused = defined(replies.find(({ status }) => status === 422));
      assert.match(await refused.text(), /You own 3 workspaces; one person may own 3\./);
    });

    test("ACC8 one token more than a person may have in a workspace: in the browser and by device login", async () => {
      const { visitor, userId, workspaceId } = await signedIn("grace@example.com");
      const make = () =>
        visitor.submit("/account/tokens", "/account/tokens", { name: "t", access: "read_only", days: "90" });
      assert.equal((await make()).status, 201);
      const program = new Client(world.url);
      const { device_code, user_code } = assertStatus(
        await program.post("/auth/device/code", { client_name: "Terminal" }),
        200,
      ).data;
      assert.equal((await make()).status, 201);
      const page = await make();
      assert.equal(page.status, 422);
      assert.match(await page.text(), /You have 2 tokens here, as many as one person may have/);
      const approval = { status: "approved", access: "read_only", user_id: userId, workspace_id: workspaceId } as const;
      await transaction((tx) => updateDecision(tx, hashSecret(user_code), approval, Date.now()));
      const refused = await program.post("/auth/device/token", { device_code });
      const { quota, limit, used } = assertError(refused, "quota_exceeded");
      assert.deepEqual([quota, limit, used], ["tokens", 2, 2]);
      const [, token = ""] = defined(
        /name="token" value="(tok_[^"]+)"/.exec(await (await visitor.fetch("/account/tokens")).text()),
      );
      await visitor.submit("/account/tokens", "/account/tokens/revoke", { token });
      assertStatus(await program.post("/auth/device/token", { device_code }), 200);
    });

    test("ACC8 one connected program more is access_denied to OAuth, whichever grant it uses, until one is ended", async () => {
      const { browser, userId, workspaceId } = await personWithBrowser(world);
      const working = () =>
        world.app.services.database.read
          .selectFrom("tokens")
          .select("id")
          .where("user_id", "=", userId)
          .where("revoked_at", "is", null)
          .execute();
      const first = new HandProgram(world.url);
      const connected = await first.connect(browser);
      assert.equal(connected.status, 200);
      assert.equal((await new HandProgram(world.url).connect(browser)).status, 200);
      const refused = await new HandProgram(world.url).connect(browser);
      assert.deepEqual([refused.status, refused.body.error], [400, "access_denied"]);
      assert.match(refused.body.error_description, /2 tokens and connected programs/);
      // A refresh keeps the token that it has.
      assert.equal((await first.refresh(connected.body.refresh_token)).status, 200);

      const form = { client_id: "terminal", client_name: "Terminal" };
      const { device_code, user_code } = (await first.form("/oauth/device_authorization", form)).body;
      const approval = { status: "approved", access: "read_only", user_id: userId, workspace_id: workspaceId } as const;
      await transaction((tx) => updateDecision(tx, hashSecret(user_code), approval, Date.now()));
      const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: "terminal", device_code };
      const byDevice = await first.form("/oauth/token", grant);
      assert.deepEqual([byDevice.status, byDevice.body.error], [400, "access_denied"]);
      const [one] = await working();
      assert.equal((await working()).length, 2);
      await transaction((tx) => revokeToken(tx, one?.id ?? "", Date.now()));
      assert.equal((await new HandProgram(world.url).connect(browser)).status, 200);
      assert.equal((await working()).length, 2);
    });
  },
  { SVC_MAX_WORKSPACES_PER_USER: "3", SVC_MAX_TOKENS_PER_USER: "2" },
);
