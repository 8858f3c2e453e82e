import assert from "node:assert/strict";
import { test } from "node:test";
import { hashSecret } from "@svc/server/http/authenticate";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { hashPassword } from "@svc/server/resources/accounts/password";
import { updateDecision } from "@svc/server/resources/devices/queries";
import { assertError, assertStatus, Client } from "../support/client.ts";
import { Visitor } from "../support/visitor.ts";
import { onEachDatabase } from "../support/world.ts";

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
      const refused = replies.find(({ status }) => status === 422)!;
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
      const [, token = ""] = /name="token" value="(tok_[^"]+)"/.exec(
        await (await visitor.fetch("/account/tokens")).text(),
      )!;
      await visitor.submit("/account/tokens", "/account/tokens/revoke", { token });
      assertStatus(await program.post("/auth/device/token", { device_code }), 200);
    });
  },
  { SVC_MAX_WORKSPACES_PER_USER: "3", SVC_MAX_TOKENS_PER_USER: "2" },
);
