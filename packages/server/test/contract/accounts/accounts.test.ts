import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createUser } from "@svc/server/domain/identity/accounts/create-user";
import { hashPassword } from "@svc/server/domain/identity/accounts/password";
import { listMemberships } from "@svc/server/domain/identity/accounts/queries";
import { admit, signInSubjects } from "@svc/server/domain/identity/attempts/slow-down";
import { deleteMembership } from "@svc/server/domain/identity/members/queries";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { addressSubject } from "@svc/server/http/limits/limit-addresses";
import { Client } from "../../support/client.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type World } from "../../support/world.ts";

const PASSWORD = "three unrelated words";
let passwordHash = "";
before(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

let count = 0;
/** A person with a password, alone or in a workspace. */
async function person(world: World, name: string, workspace?: string, role?: "owner" | "editor" | "viewer") {
  const email = `${name.toLowerCase()}${++count}@example.com`;
  const { database } = world.app.services;
  return database.transaction((tx) => createUser(tx, { email, name, passwordHash, workspace, role }));
}

type Headers = Record<string, string>;
const tryPassword = (visitor: Visitor, email: string, password: string, headers: Headers = {}) =>
  visitor.submit("/sign-in", "/sign-in", { email, password }, headers);

async function signedIn(world: World, email: string, headers: Headers = {}) {
  const visitor = new Visitor(world.url);
  assert.equal((await tryPassword(visitor, email, PASSWORD, headers)).status, 303);
  return visitor;
}

const from = (address: string): Headers => ({ "x-forwarded-for": address });

onEachDatabase(
  "accounts that strangers guess at",
  (world) => {
    /** So many wrong passwords from all over that the email has to wait, for as long as it ever does. */
    async function guess(email: string) {
      const { database } = world.app.services;
      const at = (n: number) => signInSubjects({ email, address: `198.51.100.${n}` });
      let now = Date.now();
      for (let n = 0; n < 40; n++) now += await admit(database, at(n), now);
      const key = `email:${hashSecret(email)}`;
      await database.transaction((tx) =>
        tx
          .updateTable("attempts")
          .set({ free_at: Date.now() + 30_000 })
          .where("subject", "=", key)
          .execute(),
      );
    }

    test("ACC1 the wait of an email is bounded", async () => {
      const { email } = await person(world, "Ada");
      const { database } = world.app.services;
      const elsewhere = () => tryPassword(new Visitor(world.url), email, "wrong one", from("198.51.100.77"));
      await elsewhere();
      const failures = { failures: 1000, free_at: 0 };
      await database.transaction((tx) => tx.updateTable("attempts").set(failures).execute());
      assert.equal((await elsewhere()).status, 422);
      const again = await elsewhere();
      assert.equal(again.status, 429);
      assert.ok(Number(again.headers.get("retry-after")) <= 60);
    });

    test("ACC1 an address and a browser that signed in before do not wait for what strangers tried", async () => {
      const { email } = await person(world, "Ada");
      const home = await signedIn(world, email, from("203.0.113.7"));
      await guess(email);
      await home.submit("/account", "/sign-out", {});
      const stranger = await tryPassword(new Visitor(world.url), email, PASSWORD, from("203.0.113.99"));
      assert.equal(stranger.status, 429, "the email waits elsewhere");
      await signedIn(world, email, from("203.0.113.7"));
      const travelling = await tryPassword(home, email, PASSWORD, from("192.0.2.50"));
      assert.equal(travelling.status, 303, "the browser is known wherever it is");
    });

    test("ACC1 a browser that is known to one account is a stranger to others, and has its own count", async () => {
      const [ada, bob] = [await person(world, "Ada"), await person(world, "Bob")];
      const home = await signedIn(world, ada.email, from("203.0.113.8"));
      await guess(bob.email);
      await home.submit("/account", "/sign-out", {});
      assert.equal((await tryPassword(home, bob.email, PASSWORD, from("203.0.113.8"))).status, 429);
      const statuses = [];
      for (let n = 0; n < 6; n++) statuses.push((await tryPassword(home, ada.email, "wrong one")).status);
      assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
    });

    test("ACC1 wrong passwords elsewhere keep nobody who is signed in from changing theirs", async () => {
      const { email } = await person(world, "Ada");
      const home = await signedIn(world, email, from("203.0.113.9"));
      await guess(email);
      const fields = { current: PASSWORD, password: `${PASSWORD} more` };
      assert.equal((await home.submit("/account", "/account/password", fields)).status, 303);
    });

    test("ACC2 an IPv6 network counts as one address", async () => {
      const replies = [];
      for (let n = 0; n < 70; n++) {
        const email = `nobody${n}@example.com`;
        const reply = await tryPassword(new Visitor(world.url), email, "wrong one", from(`2001:db8:1:2::${n}`));
        replies.push(reply.status);
        if (reply.status === 429) break;
      }
      assert.equal(replies.at(-1), 429, "70 addresses of one network");
      const neighbour = await tryPassword(new Visitor(world.url), "n@example.com", "wrong", from("2001:db8:1:3::1"));
      assert.equal(neighbour.status, 422);
    });
  },
  { SVC_TRUST_PROXY: "on" },
);

test("ACC2 an address counts the same however it is written", () => {
  for (const address of ["2001:db8:1:2::9", "2001:0DB8:1:2:3:4:5:6", "2001:db8:1:2::192.0.2.1", "2001:db8:1:2::1%eth0"])
    assert.equal(addressSubject(address), "address:2001:db8:1:2::/64");
  for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:FFFF:192.0.2.1"])
    assert.equal(addressSubject(address), "address:192.0.2.1");
});

onEachDatabase("people of a workspace", (world) => {
  const invite = async (owner: Visitor, role = "editor") => {
    const made = await owner.submit("/members", "/members/invite", { role, note: "Grace" });
    return /\/join\/[\w-]+/.exec(await made.text())?.[0] ?? "";
  };
  const join = async (path: string, name = "Grace") => {
    const visitor = new Visitor(world.url);
    const fields = { name, email: `${name.toLowerCase()}${++count}@example.com`, password: PASSWORD };
    return { visitor, reply: await visitor.submit("/sign-in", path, fields) };
  };
  const sentences = async (workspaceId: string) => {
    const rows = await world.app.services.database.read
      .selectFrom("audit_log")
      .select("summary")
      .where("workspace_id", "=", workspaceId)
      .orderBy("id")
      .execute();
    return rows.map(({ summary }) => summary).filter((summary) => summary !== null);
  };

  test("ACC3 invitations go with the rights of who made them", async () => {
    const ada = await person(world, "Ada");
    const owner = await signedIn(world, ada.email);
    for (const [action, role] of [
      ["/members/role", "editor"],
      ["/members/remove", ""],
    ] as const) {
      const bob = await person(world, "Bob", ada.workspaceId, "owner");
      const path = await invite(await signedIn(world, bob.email));
      assert.equal((await new Visitor(world.url).fetch(path)).status, 200);
      assert.equal((await owner.submit("/members", action, { user: bob.userId, role })).status, 303);
      assert.equal((await join(path)).reply.status, 410);
    }
  });

  test("ACC3 an invitation whose maker lost their rights in any other way lets nobody in", async () => {
    const ada = await person(world, "Ada");
    const { database } = world.app.services;
    for (const change of [{ role: "viewer" as const }, { disabled_at: 1 }]) {
      const bob = await person(world, "Bob", ada.workspaceId, "owner");
      const path = await invite(await signedIn(world, bob.email));
      await database.transaction((tx) =>
        "role" in change
          ? tx.updateTable("memberships").set(change).where("user_id", "=", bob.userId).execute()
          : tx.updateTable("users").set(change).where("id", "=", bob.userId).execute(),
      );
      assert.equal((await join(path)).reply.status, 410);
    }
  });

  test("ACC4 the audit log tells in words who came, went and changed what", async () => {
    const ada = await person(world, "Ada");
    const owner = await signedIn(world, ada.email);
    await tryPassword(new Visitor(world.url), ada.email, "wrong one");
    const { visitor } = await join(await invite(owner));
    const members = await (await owner.fetch("/members")).text();
    const grace = /name="user" value="(user_\w+)">Remove Grace/.exec(members)?.[1] ?? "";
    await owner.submit("/members", "/members/role", { user: grace, role: "viewer" });
    await visitor.submit("/account", "/sign-out", {});
    await owner.submit("/members", "/members/remove", { user: grace });
    await signedIn(world, ada.email);
    await owner.submit("/account", "/account/sessions/end-others", {});
    const told = await sentences(ada.workspaceId);
    assert.deepEqual(told, [
      "Ada signed in with node from 127.0.0.1",
      "Somebody gave a wrong password for Ada from 127.0.0.1",
      "Ada invited Grace as an editor",
      "Grace joined as an editor, invited by Ada",
      "Ada made Grace a viewer",
      "Grace signed out",
      "Ada removed Grace",
      "Ada signed in with node from 127.0.0.1",
      "Ada ended all their other sessions",
    ]);
    assert.match(await (await owner.fetch("/activity")).text(), /<bdi>Ada made Grace a viewer<\/bdi>/);
    await owner.submit("/workspaces/new", "/workspaces", { name: "Second" });
    assert.match(await (await owner.fetch("/activity")).text(), /<bdi>Ada made the workspace Second<\/bdi>/);
  });

  test("ACC4 no link that lets somebody in stands in the audit log", async () => {
    const ada = await person(world, "Ada");
    const path = await invite(await signedIn(world, ada.email));
    await join(path);
    const rows = await world.app.services.database.read.selectFrom("audit_log").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(path.slice("/join/".length)));
    assert.ok(rows.some((row) => row.path === "/join/…"));
  });

  test("ACC5 an owner sees and revokes every token of the workspace, others their own", async () => {
    const ada = await world.person();
    const [owner, editor] = [
      await person(world, "Olga", ada.workspaceId, "owner"),
      await person(world, "Ed", ada.workspaceId),
    ];
    const page = async (visitor: Visitor) => (await visitor.fetch("/account/tokens")).text();
    const [asEditor, asOwner] = [await signedIn(world, editor.email), await signedIn(world, owner.email)];
    assert.doesNotMatch(await page(asEditor), new RegExp(ada.tokenId));
    await asEditor.submit("/account/tokens", "/account/tokens/revoke", { token: ada.tokenId });
    assert.equal((await ada.client.get("/me")).status, 200);
    assert.match(await page(asOwner), new RegExp(ada.tokenId));
    const stranger = await world.person();
    for (const token of [ada.tokenId, stranger.tokenId])
      await asOwner.submit("/account/tokens", "/account/tokens/revoke", { token });
    assert.equal((await ada.client.get("/me")).status, 401);
    assert.equal((await stranger.client.get("/me")).status, 200, "not of another workspace");
    assert.ok((await sentences(ada.workspaceId)).includes("Olga revoked the token test of Ada"));
  });

  test("WEB11 an owner whose account is disabled is removed by the only one who can act, who stays", async () => {
    const ada = await person(world, "Ada");
    const owner = await signedIn(world, ada.email);
    const { database } = world.app.services;
    const disabledOwner = async () => {
      const gone = await person(world, "Gone", ada.workspaceId, "owner");
      await database.transaction((tx) =>
        tx.updateTable("users").set({ disabled_at: 1 }).where("id", "=", gone.userId).execute(),
      );
      return gone.userId;
    };
    const demoted = await owner.submit("/members", "/members/role", { user: await disabledOwner(), role: "viewer" });
    assert.equal(demoted.status, 303);
    const removed = await owner.submit("/members", "/members/remove", { user: await disabledOwner() });
    assert.equal(removed.status, 303);
    await disabledOwner();
    const left = await owner.submit("/members", "/members/remove", { user: ada.userId });
    assert.match(await left.text(), /only owner/);
  });

  test("WEB16 a workspace is not renamed to nothing, and the page says so", async () => {
    const owner = await signedIn(world, (await person(world, "Ada")).email);
    const refused = await owner.submit("/members", "/workspaces/rename", { name: "  " });
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /A name has 1 to 500 characters/);
  });

  test("WEB2 an unknown account costs as many writes as a wrong password", async (context) => {
    const { database } = world.app.services;
    const writes = context.mock.method(database, "transaction");
    const writesFor = async (tried: string) => {
      const visitor = new Visitor(world.directUrl);
      const form_token = await visitor.formToken("/sign-in");
      const before = writes.mock.callCount();
      assert.equal((await visitor.send("/sign-in", { form_token, email: tried, password: "wrong one" })).status, 422);
      return writes.mock.callCount() - before;
    };
    // Work in the background writes now and then, too: the fewest of several tries are those of a sign-in alone.
    const fewest = { unknown: Number.POSITIVE_INFINITY, known: Number.POSITIVE_INFINITY };
    for (let tries = 0; tries < 6; tries++) {
      const { email } = await person(world, "Ada");
      fewest.unknown = Math.min(fewest.unknown, await writesFor(`nobody${++count}@example.com`));
      fewest.known = Math.min(fewest.known, await writesFor(email));
    }
    assert.equal(fewest.unknown, fewest.known);
  });

  test("WEB6 tabs that are left over lead on after signing in, and say so after signing out", async () => {
    const { email } = await person(world, "Ada");
    const visitor = new Visitor(world.url);
    const form_token = await visitor.formToken("/sign-in?next=/members");
    const fields = { form_token, email, password: PASSWORD, next: "/members" };
    assert.equal((await visitor.send("/sign-in", fields)).headers.get("location"), "/members");
    const again = await visitor.send("/sign-in", { ...fields, password: "wrong", next: "/account" });
    assert.equal(again.headers.get("location"), "/account");
    const foreign = { origin: "https://evil.example" };
    assert.equal((await visitor.send("/sign-in", fields, foreign)).status, 403);
    const inside = await visitor.formToken("/account");
    assert.equal((await visitor.send("/sign-out", { form_token: inside })).status, 303);
    const twice = await visitor.send("/sign-out", { form_token: inside });
    assert.equal(twice.headers.get("location"), "/sign-in");
    const late = await visitor.send("/account/name", { form_token: inside, name: "Bea" });
    assert.equal(late.status, 403);
    assert.match(await late.text(), /You are signed out[\s\S]*href="\/sign-in\?next=%2Faccount"/);
    const crossSite = await visitor.send("/sign-out", { form_token: inside }, foreign);
    assert.equal(crossSite.status, 403);
    assert.deepEqual(crossSite.headers.getSetCookie(), []);
  });

  test("WEB16 a form acts in the workspace that its page showed, wherever another tab has gone since", async () => {
    const ada = await person(world, "Ada");
    const visitor = await signedIn(world, ada.email);
    const form_token = await visitor.formToken("/members");
    await visitor.submit("/workspaces/new", "/workspaces", { name: "Second" });
    const { database } = world.app.services;
    const workspaces = await listMemberships(database.read, ada.userId);
    const second = workspaces.find(({ name }) => name === "Second")?.id ?? "";
    const invited = await visitor.send("/members/invite", { form_token, role: "owner", note: "Grace" });
    assert.match(await invited.text(), /Invitation ready/);
    const rows = await database.read.selectFrom("invitations").select("workspace_id").execute();
    const isIn = (id: string) => rows.some(({ workspace_id }) => workspace_id === id);
    assert.deepEqual([isIn(ada.workspaceId), isIn(second)], [true, false]);
    // The person continues in the workspace of that page.
    assert.match(await (await visitor.fetch("/members")).text(), /class="menu-label">[^<]*s workspace<\/bdi>/);
    // The same for scripts: the other tab makes a knowledge base where it stands, and moves nobody.
    const newer = await visitor.submit("/account", "/workspaces/switch", { workspace: second });
    assert.equal(newer.status, 303);
    const headers = { "x-form-token": form_token, "content-type": "application/json" };
    const body = JSON.stringify({ name: "Mine" });
    const made = await visitor.fetch("/app/api/v1/knowledge-bases", { method: "POST", headers, body });
    assert.equal(made.status, 201);
    const names = async (at: string) => {
      const bases = database.read.selectFrom("knowledge_bases").select("name").where("workspace_id", "=", at);
      return (await bases.execute()).map(({ name }) => name);
    };
    assert.deepEqual([await names(ada.workspaceId), await names(second)], [["Mine"], []]);
    const listed = await visitor.fetch("/app/api/v1/knowledge-bases", { headers: { "x-form-token": form_token } });
    assert.match(await listed.text(), /"Mine"/);
    assert.match(await (await visitor.fetch("/members")).text(), /class="menu-label">Second<\/bdi>/);
    // Nor does a form of a workspace that the person left meanwhile act in the one that is open now.
    await database.transaction((tx) => deleteMembership(tx, ada.workspaceId, ada.userId));
    const stale = await visitor.send("/members/remove", { form_token, user: ada.userId });
    assert.equal(stale.status, 403);
    assert.equal((await listMemberships(database.read, ada.userId)).length, 1);
  });

  test("ACC6 a changed password ends tokens where that is asked for", async () => {
    const { token, email, userId } = await world.person();
    const { database } = world.app.services;
    await database.transaction((tx) =>
      tx.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", userId).execute(),
    );
    const visitor = await signedIn(world, email);
    const change = (current: string, password: string, more = {}) =>
      visitor.submit("/account", "/account/password", { current, password, ...more });
    assert.equal((await change(PASSWORD, "another good one")).status, 303);
    assert.equal((await new Client(world.url, token).get("/me")).status, 200);
    assert.equal((await change("another good one", PASSWORD, { revoke_tokens: "1" })).status, 303);
    assert.equal((await new Client(world.url, token).get("/me")).status, 401);
  });

  test("ACC7 whoever holds a token can end it", async () => {
    const { token, client } = await world.person();
    const revoke = (fields: Record<string, string>) =>
      fetch(`${world.url}/oauth/revoke`, { method: "POST", body: new URLSearchParams(fields) });
    assert.equal((await revoke({})).status, 400);
    assert.equal((await revoke({ token: "svc_tok_of_nobody" })).status, 200);
    assert.equal((await client.get("/me")).status, 200);
    assert.equal((await revoke({ token })).status, 200);
    assert.equal((await client.get("/me")).status, 401);
    assert.equal((await revoke({ token })).status, 200);
  });

  describe("the device page", () => {
    const begin = async (client_name: string): Promise<{ user_code: string }> => {
      const program = new Client(world.url);
      return (await program.post("/auth/device/code", { client_name })).data;
    };

    test("DEV7 the program's name is what it says of itself, with the address that asked", async () => {
      const visitor = await signedIn(world, (await person(world, "Ada")).email);
      const { user_code } = await begin("Your Bank");
      const text = await (await visitor.fetch(`/device?code=${user_code}`)).text();
      assert.match(text, /Name<\/span> <bdi class="client-name">Your Bank<\/bdi>/);
      assert.match(text, /Requested from<\/span> <bdi>127\.0\.0\.1<\/bdi>/);
      assert.match(text, /<h1>An app wants to connect<\/h1>/);
    });

    test("DEV8 wrong codes count when they are sent as when they are looked up", async () => {
      const visitor = await signedIn(world, (await person(world, "Ada")).email);
      const form_token = await visitor.formToken("/account");
      const statuses = [];
      for (let n = 0; n < 11; n++)
        statuses.push((await visitor.send("/device", { form_token, code: "BCDF-GHJK", answer: "approve" })).status);
      assert.deepEqual(statuses.slice(0, 10), Array(10).fill(404));
      assert.equal(statuses[10], 429);
      const { user_code } = await begin("Late");
      assert.equal((await visitor.send("/device", { form_token, code: user_code, answer: "approve" })).status, 429);
    });
  });
});
