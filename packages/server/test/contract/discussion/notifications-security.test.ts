import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import type { Loose } from "../../support/client.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase } from "../../support/world.ts";

const PASSWORD = "three unrelated words";

onEachDatabase(
  "what is done with an account",
  (world) => {
    async function somebody() {
      const { client, workspaceId } = await world.person();
      const email = `ada-${workspaceId.toLowerCase()}@example.com`;
      const passwordHash = await hashPassword(PASSWORD);
      await world.app.services.database.transaction((tx) =>
        createUser(tx, { email, name: "Ada", passwordHash, workspace: workspaceId, role: "editor" }),
      );
      const signIn = async (visitor: Visitor, address: string): Promise<Visitor> => {
        const headers = { "x-forwarded-for": address };
        const reply = await visitor.submit("/sign-in", "/sign-in", { email, password: PASSWORD }, headers);
        assert.equal(reply.status, 303);
        return visitor;
      };
      const told = async (visitor: Visitor): Promise<string[]> => {
        const { data }: Loose = await (await visitor.fetch("/app/api/v1/notifications")).json();
        return data.map((one: Loose) => `${one.reason}: ${one.excerpt}`);
      };
      return { client, signIn, told };
    }

    test("NTF18 a sign-in at a new place is told, one with a known browser or from a known address is not", async () => {
      const { client, signIn, told } = await somebody();
      const home = await signIn(new Visitor(world.url), "192.0.2.1");
      assert.deepEqual(await told(home), []);
      await home.submit("/account", "/sign-out", {});
      await signIn(home, "198.51.100.2");
      await signIn(new Visitor(world.url), "192.0.2.1");
      assert.deepEqual(await told(home), []);
      const stranger = await signIn(new Visitor(world.url), "203.0.113.3");
      const [alert, ...others] = await told(stranger);
      assert.match(alert ?? "", /^security: Ada signed in .*203\.0\.113\.3/);
      assert.deepEqual(others, []);
      assert.deepEqual((await client.get("/notifications")).data, [], "nobody else hears of it");
      assert.match(await (await home.fetch("/notifications")).text(), /Was this you\?/);
    });

    test("NTF18 a token that was made is told", async () => {
      const { signIn, told } = await somebody();
      const home = await signIn(new Visitor(world.url), "192.0.2.1");
      const wish = { name: "backup", access: "read_only", days: "90" };
      assert.equal((await home.submit("/account/tokens", "/account/tokens", wish)).status, 201);
      assert.deepEqual(await told(home), ["security: Ada made the token backup, read-only."]);
    });
  },
  { SVC_TRUST_PROXY: "on" },
);
