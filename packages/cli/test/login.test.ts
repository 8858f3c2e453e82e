import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { updateDecision } from "@svc/server/domain/identity/devices/queries";
import { hashSecret } from "@svc/server/http/callers/authenticate";
import { Client } from "../../server/test/support/client.ts";
import { type Person, World } from "../../server/test/support/world.ts";
import { Terminal, until } from "./support.ts";

describe("svc login", () => {
  const world = new World("sqlite", {});
  let ada: Person;
  let terminal: Terminal;
  before(async () => {
    await world.start();
    ada = await world.person();
    terminal = new Terminal();
  });
  after(async () => {
    terminal.close();
    await world.stop();
  });

  const kept = () => join(terminal.home, "config/svc/credentials.json");
  const decide = (userCode: string, status: "approved" | "denied") =>
    world.app.services.database.transaction((tx) =>
      updateDecision(
        tx,
        hashSecret(userCode),
        { status, access: "read_write", user_id: ada.userId, workspace_id: ada.workspaceId },
        Date.now(),
      ),
    );

  test("CMD1 shows a code, opens the browser, and keeps the token where only its owner can read it", async () => {
    const seen = join(terminal.home, "browser");
    const browser = terminal.file(
      "browser.sh",
      `#!/bin/sh\nprintf %s "$1" > ${seen}.new && mv ${seen}.new ${seen}\n`,
      0o700,
    );
    const { finished } = terminal.start(["login", `${world.url}/`, "--json"], { env: { BROWSER: browser } });
    const address = await until(() => (existsSync(seen) ? readFileSync(seen, "utf8") : undefined), "the browser");
    const code = new URL(address).searchParams.get("code") ?? "";
    await decide(code, "approved");
    const done = await finished;
    assert.equal(done.code, 0, done.stderr);
    assert.ok(done.stderr.includes(`Open ${address}\n`) && done.stderr.includes(code));
    const result = JSON.parse(done.stdout);
    assert.deepEqual([result.profile, result.url, result.user.id], ["default", world.url, ada.userId]);
    assert.ok(!done.stdout.includes("svc_tok_"));
    assert.equal(statSync(kept()).mode & 0o777, 0o600);
    assert.equal(statSync(join(kept(), "..")).mode & 0o777, 0o700);
    assert.equal((await terminal.json("whoami")).token_id, result.token_id);
    assert.match(
      await terminal.text("whoami"),
      new RegExp(`^Ada \\(${ada.email}\\)\nserver +${world.url}, profile default\n`),
    );
  });

  test("CMD1 a refusal in the browser ends with 5 and keeps nothing", async () => {
    const stranger = new Terminal();
    const { child, finished } = stranger.start(["login", world.url, "--no-browser", "--json"]);
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    const code = await until(() => /code=(\S+)/.exec(said)?.[1], "the code");
    await decide(code, "denied");
    const done = await finished;
    assert.equal(done.code, 5);
    assert.match(done.stderr, /"code":"access_denied".*"next":\["svc login"\]/);
    assert.ok(!existsSync(join(stranger.home, "config/svc/credentials.json")));
    stranger.close();
  });

  test("CMD2 a token may come on standard input; one that is none, or does not work, is not kept", async () => {
    const work = new Terminal();
    const login = (stdin: string) => work.run(["login", world.url, "--token"], { stdin });
    assert.equal((await login("password\n")).code, 2);
    const wrong = await login(`svc_tok_${"x".repeat(40)}\n`);
    assert.equal(wrong.code, 5);
    assert.match(wrong.stderr, /^svc: .+\n {5}→ svc login\n$/);
    assert.ok(!existsSync(join(work.home, "config/svc")));
    const done = await login(`${ada.token}\n`);
    assert.equal(done.code, 0, done.stderr);
    assert.match(
      done.stdout,
      /^You are Ada .* may read and write\.\nThe token is kept in .*credentials\.json as profile default\.\n$/,
    );
    work.close();
  });

  test("CMD3 SVC_TOKEN and SVC_URL come before what is kept, a named profile before them", async () => {
    const bob = await world.person();
    const env = { SVC_TOKEN: bob.token, SVC_URL: world.url };
    const who = async (args: string[], given: Record<string, string>) =>
      JSON.parse((await terminal.run(["whoami", "--json", ...args], { env: given })).stdout).user.id;
    assert.equal(await who([], env), bob.userId);
    assert.equal(await who([], { SVC_TOKEN: bob.token }), bob.userId);
    assert.equal(await who(["--profile", "default"], env), ada.userId);
    assert.equal(await who([], { SVC_PROFILE: "default" }), ada.userId);
    assert.equal(await who([], { SVC_URL: `${world.url}/api/v1/` }), ada.userId);
  });

  test("CMD3 a kept token is never sent to another server", async () => {
    const other = { SVC_URL: "http://127.0.0.1:1" };
    const done = await terminal.run(["whoami"], { env: other });
    assert.equal(done.code, 5);
    assert.match(done.stderr, /not signed in to http:\/\/127\.0\.0\.1:1\.\n {5}→ svc login http:\/\/127\.0\.0\.1:1\n$/);
    assert.equal((await terminal.run(["whoami"], { env: { ...other, SVC_PROFILE: "default" } })).code, 2);
  });

  test("CMD4 there may be several profiles; one is current, and each can be forgotten", async () => {
    const stdin = (await world.person()).token;
    assert.equal((await terminal.run(["login", world.url, "--token", "--profile", "work"], { stdin })).code, 0);
    const names = async () =>
      (await terminal.json("profiles")).profiles.map((one: { name: string; current: boolean }) => [
        one.name,
        one.current,
      ]);
    assert.deepEqual(await names(), [
      ["default", false],
      ["work", true],
    ]);
    assert.ok(!(await terminal.text("profiles")).includes("svc_tok_"));
    await terminal.json("profiles", "use", "default");
    assert.equal((await terminal.json("whoami")).user.id, ada.userId);
    const token = JSON.parse(readFileSync(kept(), "utf8")).profiles.default.token;
    const signedOut = { forgotten: ["default"], revoked: ["default"], current: "work" };
    assert.deepEqual(await terminal.json("logout"), signedOut);
    assert.equal((await terminal.refused(5, "whoami", "--profile", "default")).code, "sign_in_needed");
    assert.equal((await new Client(world.url, token).get("/me")).status, 401, "the token is revoked");
    assert.deepEqual(await terminal.json("logout", "--all"), { forgotten: ["work"], revoked: ["work"], current: null });
    assert.ok(!readFileSync(kept(), "utf8").includes("svc_tok_"));
    assert.deepEqual((await terminal.refused(5, "ls")).next, ["svc login"]);
  });

  test("CMD5 a credentials file that others can read, or that is none, is refused with what to do", async () => {
    chmodSync(kept(), 0o644);
    assert.deepEqual((await terminal.refused(1, "ls")).next, [`chmod 600 ${kept()}`]);
    terminal.file("config/svc/credentials.json", "{");
    assert.match((await terminal.refused(1, "ls")).message, /cannot be read as credentials/);
  });
});
