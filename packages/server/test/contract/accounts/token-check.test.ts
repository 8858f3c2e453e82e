import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { before, test } from "node:test";
import { anyTable } from "@svc/server/db/any-table";
import type { Database } from "@svc/server/db/database";
import type { Tables } from "@svc/server/db/schema/tables";
import type { Find, LookupText } from "@svc/server/db/statement/lookup";
import { authenticator } from "@svc/server/http/callers/authenticate";
import type { Updateable } from "kysely";
import { onEachDatabase, type Person } from "../../support/world.ts";

const sha256 = (text: string): string => hash("sha256", text, "hex");

/** The same database; what its lookups are asked for is written down. */
function watched(database: Database, asked: unknown[][]): Database {
  const { read } = database;
  const lookup = <Row>(text: LookupText): Find<Row> => {
    const find = read.lookup<Row>(text);
    return (...key) => {
      asked.push(key);
      return find(...key);
    };
  };
  return new Proxy(database, {
    get: (target, name) => (name === "read" ? { ...read, lookup } : Reflect.get(target, name)),
  });
}

onEachDatabase("the check of a token", (world) => {
  let ada: Person;
  before(async () => {
    ada = await world.person();
  });

  test("HOST6 the store is asked for the hash of the whole token and for nothing else", async () => {
    const asked: unknown[][] = [];
    const authenticate = authenticator(watched(world.app.services.database, asked));
    const nearly = `${ada.token.slice(0, -1)}${ada.token.endsWith("A") ? "B" : "A"}`;
    const others = [nearly, ada.token.slice(0, -1), `${ada.token}x`, `svc_tok_${"A".repeat(43)}`];
    for (const token of [ada.token, ...others]) {
      const identity = await authenticate(`Bearer ${token}`);
      assert.equal("caller" in identity, token === ada.token);
    }
    assert.deepEqual(
      asked,
      [ada.token, ...others].map((token) => [sha256(token)]),
    );
  });

  test("AUTH4 what has changed about a token counts for its next request, whatever that would have been answered", async () => {
    const { client, tokenId, workspaceId, userId } = await world.person({
      scopes: ["documents:read", "knowledge-bases:read"],
    });
    const { data: made } = await ada.client.post("/knowledge-bases", { name: "Base" });
    const requests = ["/documents", "/documents?limit=x", "/documents/doc_unknown", `/knowledge-bases/${made.id}/tree`];
    const statuses = () => Promise.all(requests.map(async (path) => (await client.get(path)).status));
    const change = (values: Partial<Updateable<Tables["tokens"]>>) =>
      world.app.services.database.transaction((tx) =>
        tx.updateTable("tokens").set(values).where("id", "=", tokenId).execute(),
      );
    assert.deepEqual(await statuses(), [200, 400, 404, 404]);
    await change({ scopes: "concepts:read" });
    assert.deepEqual(await statuses(), [403, 403, 403, 403]);
    await change({ scopes: "documents:read knowledge-bases:read" });
    assert.deepEqual(await statuses(), [200, 400, 404, 404]);
    await change({ revoked_at: Date.now() });
    assert.deepEqual(await statuses(), [401, 401, 401, 401]);
    await change({ revoked_at: null });
    assert.deepEqual(await statuses(), [200, 400, 404, 404]);
    await change({ expires_at: Date.now() - 1 });
    assert.deepEqual(await statuses(), [401, 401, 401, 401]);
    await change({ expires_at: null, workspace_id: ada.workspaceId });
    assert.deepEqual(await statuses(), [401, 401, 401, 401], "no member there");
    const membership = { workspace_id: ada.workspaceId, user_id: userId, role: "viewer", created_at: 0 } as const;
    await world.app.services.database.transaction((tx) => tx.insertInto("memberships").values(membership).execute());
    assert.deepEqual(await statuses(), [200, 400, 404, 200]);
    await change({ workspace_id: workspaceId });
    assert.deepEqual(await statuses(), [200, 400, 404, 404]);
  });

  test("HOST6 a wrong token is told nothing about how wrong it is", async () => {
    const answers = new Set<string>();
    for (const length of [0, 1, 8, 9, 20, ada.token.length - 1]) {
      const token = ada.token.slice(0, length).padEnd(ada.token.length, "."); // in no token
      const reply = await fetch(`${world.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
      answers.add(`${reply.status} ${(await reply.text()).replace(/req_\w+/, "")}`);
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
  });

  test("HOST7 no row of the store has a token or a part of it in the clear", async () => {
    const { database } = world.app.services;
    await ada.client.get("/me");
    const secret = ada.token.slice("svc_tok_".length);
    for (const { name } of await database.tables()) {
      const rows = await database.read.selectFrom(anyTable(name)).selectAll().execute();
      const text = JSON.stringify(rows);
      for (let from = 0; from + 12 <= secret.length; from++)
        assert.ok(!text.includes(secret.slice(from, from + 12)), `a part of the token is in ${name}`);
    }
  });
});
