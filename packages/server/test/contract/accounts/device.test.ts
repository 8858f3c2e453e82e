import assert from "node:assert/strict";
import { before, test } from "node:test";
import { updateDecision } from "@svc/server/domain/identity/devices/queries";
import { readUserCode } from "@svc/server/domain/identity/devices/user-code";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { assertError, assertStatus, Client } from "../../support/client.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

onEachDatabase("device login", (world) => {
  let ada: Person;
  let program: Client;
  before(async () => {
    ada = await world.person();
    program = new Client(world.url);
  });

  const start = async (body: object = { client_name: "Terminal" }) =>
    assertStatus(await program.post("/auth/device/code", body), 200).data;
  const poll = (device_code: string) => program.post("/auth/device/token", { device_code });
  const { transaction, read } = {
    transaction: <T>(work: Parameters<typeof world.app.services.database.transaction<T>>[0]) =>
      world.app.services.database.transaction(work),
    read: () => world.app.services.database.read,
  };
  const decide = (userCode: string, status: "approved" | "denied", access: "read_only" | "read_write" = "read_write") =>
    transaction((tx) =>
      updateDecision(
        tx,
        hashSecret(userCode),
        { status, access, user_id: ada.userId, workspace_id: ada.workspaceId },
        Date.now(),
      ),
    );
  const age = (deviceCode: string, change: { polled_at?: number; expires_at?: number }) =>
    transaction((tx) =>
      tx.updateTable("device_codes").set(change).where("device_code_hash", "=", hashSecret(deviceCode)).execute(),
    );

  test("DEV1 begins without a token and tells codes, addresses and times", async () => {
    const data = await start();
    assert.match(data.user_code, /^[BCDFGHJKMNPRSTWXZ]{4}-[BCDFGHJKMNPRSTWXZ]{4}$/);
    assert.equal(data.verification_uri, `${world.url}/device`);
    assert.equal(data.verification_uri_complete, `${world.url}/device?code=${data.user_code}`);
    assert.deepEqual([data.expires_in, data.interval], [600, 5]);
  });

  test("DEV1 wants a client name and knows two kinds of access", async () => {
    assertError(await program.post("/auth/device/code", {}), "invalid_request");
    assertError(await program.post("/auth/device/code", { client_name: " " }), "invalid_request");
    assertError(await program.post("/auth/device/code", { client_name: "x", scopes: "everything" }), "invalid_request");
    await start({ client_name: "x", scopes: "read_only" });
  });

  test("DEV10 a program that names scopes gets those at most, and only the reading ones of a reading grant", async () => {
    const asked = ["documents:read", "documents:write", "concepts:read"];
    const granted = async (access: "read_only" | "read_write", scopes: readonly string[] = asked) => {
      const { device_code, user_code } = await start({ client_name: "Some scopes", scopes });
      await decide(user_code, "approved", access);
      return poll(device_code);
    };
    assert.deepEqual((await granted("read_write")).data.scopes, asked);
    const { data } = await granted("read_only");
    assert.equal(data.scope, "documents:read concepts:read");
    const me = await new Client(world.url, data.access_token).get("/me");
    assert.deepEqual(me.data.scopes, ["documents:read", "concepts:read"]);
    assertError(await granted("read_only", ["documents:write"]), "access_denied");
    for (const scopes of [[], ["everything"], ["documents:read", "x"]])
      assertError(await program.post("/auth/device/code", { client_name: "x", scopes }), "invalid_request");
  });

  test("DEV2 stores hashes only", async () => {
    const data = await start({ client_name: "hash-check" });
    const rows = JSON.stringify(await read().selectFrom("device_codes").selectAll().execute());
    assert.ok(rows.includes("hash-check"));
    for (const secret of [data.device_code, data.user_code]) assert.ok(!rows.includes(secret));
  });

  test("DEV3 is pending first, and too fast a poll hears how long to wait", async () => {
    const { device_code } = await start();
    assertError(await poll(device_code), "authorization_pending");
    const early = await poll(device_code);
    assertError(early, "slow_down");
    const wait = Number(early.headers.get("retry-after"));
    assert.ok(wait >= 1 && wait <= 5, String(wait));
    await age(device_code, { polled_at: Date.now() - 5000 });
    assertError(await poll(device_code), "authorization_pending");
  });

  test("DEV4 gives one token, once, that works as approved", async () => {
    const { device_code, user_code } = await start({ client_name: "Once" });
    assertError(await poll(device_code), "authorization_pending");
    await decide(user_code, "approved");
    const { data, headers } = assertStatus(await poll(device_code), 200);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(data.access_token, /^svc_tok_/);
    assert.deepEqual([data.token_type, data.access, data.expires_in], ["Bearer", "read_write", 90 * 24 * 60 * 60]);
    assert.equal(data.scope, data.scopes.join(" "));
    assert.equal(data.scopes.length, 9);
    const me = assertStatus(await new Client(world.url, data.access_token).get("/me"), 200).data;
    assert.deepEqual([me.token_id, me.user.id, me.token.name], [data.token_id, ada.userId, "Once"]);
    assertError(await poll(device_code), "expired_token");
  });

  test("DEV4 of many polls at once exactly one gets the token", async () => {
    const { device_code, user_code } = await start();
    await decide(user_code, "approved", "read_only");
    const replies = await Promise.all(Array.from({ length: 8 }, () => poll(device_code)));
    const given = replies.filter(({ status }) => status === 200);
    assert.equal(given.length, 1);
    assert.deepEqual([given[0]?.data.access, given[0]?.data.scopes.length], ["read_only", 4]);
    for (const reply of replies) if (reply.status !== 200) assertError(reply, "expired_token");
  });

  test("DEV5 a refusal, an unknown and an outlived code have their codes", async () => {
    const denied = await start();
    await decide(denied.user_code, "denied");
    assertError(await poll(denied.device_code), "access_denied");
    assertError(await poll("nobody-was-given-this"), "expired_token");
    const old = await start();
    await age(old.device_code, { expires_at: Date.now() - 1 });
    assertError(await poll(old.device_code), "expired_token");
    assert.equal(await decide(old.user_code, "approved"), undefined);
  });

  test("DEV5 who lost their membership after approving gives nothing away", async () => {
    const guest = await world.person({ workspace: ada.workspaceId });
    const { device_code, user_code } = await start();
    const decision = { status: "approved", access: "read_write" } as const;
    const by = { user_id: guest.userId, workspace_id: ada.workspaceId };
    await transaction((tx) => updateDecision(tx, hashSecret(user_code), { ...decision, ...by }, Date.now()));
    await transaction((tx) => tx.deleteFrom("memberships").where("user_id", "=", guest.userId).execute());
    assertError(await poll(device_code), "access_denied");
  });

  test("DEV6 a form is not an API call: it stays 415", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assertError(await program.post("/auth/device/token", "device_code=x", { headers }), "unsupported_media_type");
  });
});

test("DEV1 a typed code is read however it is written", () => {
  for (const typed of ["bcdf-ghjk", "BCDFGHJK", " bcdf ghjk ", "B-C-D-F-G-H-J-K"])
    assert.equal(readUserCode(typed), "BCDF-GHJK");
  for (const typed of ["", "BCDF", "AEIO-UAEI", "BCDF-GHJK-M", "ＢＣＤＦ-ＧＨＪＫ"])
    assert.equal(readUserCode(typed), undefined);
});
