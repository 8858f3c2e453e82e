import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { defined } from "@svc/document/defined";
import { SEAL_BYTES, seal } from "@svc/server/db/backup/seal";
import { Client, type Loose } from "../../server/test/support/client.ts";
import { runProgram, type ServerProcess, SVC, startServer, svc } from "../../server/test/support/process.ts";
import { noSmallDisk, SmallDisk } from "../../server/test/support/small-disk.ts";
import { until } from "../../server/test/support/until.ts";
import { Visitor } from "../../server/test/support/visitor.ts";
import { databases, makeStore } from "../../server/test/support/world.ts";
import { Terminal } from "./support.ts";

for (const kind of databases)
  describe(`CLI the svc command beside a running server [${kind}]`, () => {
    let store: Awaited<ReturnType<typeof makeStore>>;
    let server: ServerProcess;
    before(async () => {
      store = await makeStore(kind);
      server = await startServer(store.settings);
    });
    after(async () => {
      await server.stop();
      await store.remove();
    });
    const run = (...args: string[]) => svc(store.settings, ...args);
    const fails = async (...args: string[]) => {
      const done = await runProgram(SVC, args, store.settings);
      assert.equal(done.code, 1, done.stdout);
      assert.equal(done.stdout, "");
      return done.stderr;
    };

    test("CLI1 makes a user, then a token that the running server takes, and revokes it", async () => {
      const ada = await run("users", "create", "--email", "Ada@Example.com", "--name", "Ada", "--password", "secret");
      assert.match(ada.user_id, /^user_/);
      assert.equal(ada.email, "ada@example.com");
      assert.equal(ada.role, "owner");
      const made = await run("tokens", "create", "--email", "ada@example.com", "--access", "read_write");
      assert.match(made.token, /^svc_tok_/);
      assert.equal(made.scopes.length, 9);
      assert.equal(made.expires_at, null);
      const client = new Client(server.url, made.token);
      const me = await client.get("/me");
      assert.equal(me.data.user.id, ada.user_id);
      assert.equal(me.data.token_id, made.token_id);
      const { tokens } = await run("tokens", "list", "--email", "ada@example.com");
      assert.equal(tokens[0].id, made.token_id);
      assert.ok(!JSON.stringify(tokens).includes(made.token));
      assert.equal("token_hash" in tokens[0], false);
      assert.deepEqual(await run("tokens", "revoke", made.token_id), { token_id: made.token_id, revoked: true });
      assert.equal((await client.get("/me")).body.error.code, "token_revoked");
    });

    test("RIGHT7 a token is bound to knowledge bases by --kb", async () => {
      await run("users", "create", "--email", "kim@example.com", "--name", "Kim", "--password", "secret");
      const make = (...more: string[]) =>
        run("tokens", "create", "--email", "kim@example.com", "--access", "read_write", ...more);
      const { token } = await make();
      const client = new Client(server.url, token);
      const ids: number[] = [];
      for (const name of ["One", "Two", "Three"]) ids.push((await client.post("/knowledge-bases", { name })).data.id);
      const bound = await make("--kb", String(ids[0]), "--kb", String(ids[2]));
      assert.deepEqual(bound.knowledge_base_ids, [ids[0], ids[2]]);
      const { data } = await new Client(server.url, bound.token).get("/knowledge-bases");
      assert.deepEqual(
        data.map((base: { id: number }) => base.id),
        [ids[0], ids[2]],
      );
      const missing = ["tokens", "create", "--email", "kim@example.com", "--access", "read_only", "--kb", "999999"];
      assert.match(await fails(...missing), /no knowledge base 999999/);
    });

    test("CLI2 a token may carry fewer scopes and an end", async () => {
      await run("users", "create", "--email", "bob@example.com", "--name", "Bob", "--password", "secret");
      const start = Date.now();
      const made = await run(
        ...["tokens", "create", "--email", "bob@example.com", "--access", "read_only", "--name", "reader"],
        ...["--scopes", "documents:read,concepts:read", "--expires-in-days", "0.5"],
      );
      assert.deepEqual(made.scopes, ["documents:read", "concepts:read"]);
      assert.ok(Math.abs(made.expires_at - start - 43_200_000) < 60_000);
      const me = (await new Client(server.url, made.token).get("/me")).data;
      assert.deepEqual(me.scopes, made.scopes);
      assert.equal(me.token.name, "reader");
    });

    test("CLI3 a user may join a workspace, at creation or later, with a role", async () => {
      const eve = await run("users", "create", "--email", "eve@example.com", "--name", "Eve", "--password", "x");
      const sub = await run(
        ...["users", "create", "--email", "sub@example.com", "--name", "Sub", "--password", "x"],
        ...["--workspace", eve.workspace_id, "--role", "viewer"],
      );
      assert.equal(sub.workspace_id, eve.workspace_id);
      assert.equal(sub.role, "viewer");
      await run("users", "create", "--email", "late@example.com", "--name", "Late", "--password", "x");
      const late = await run("members", "add", "--email", "late@example.com", "--workspace", eve.workspace_name);
      assert.equal(late.role, "editor");
      const reason = await fails("tokens", "create", "--email", "late@example.com", "--access", "read_only");
      assert.match(reason, /several workspaces/);
      const made = await run(
        ...["tokens", "create", "--email", "late@example.com", "--access", "read_only"],
        ...["--workspace", eve.workspace_id],
      );
      assert.equal((await new Client(server.url, made.token).get("/me")).data.workspace.id, eve.workspace_id);
      const { users } = await run("users", "list");
      assert.deepEqual(
        users
          .find((user: { email: string }) => user.email === "late@example.com")
          .workspaces.map((w: { role: string }) => w.role),
        ["owner", "editor"],
      );
    });

    test("CLI10 an account is disabled, enabled, signed out and deleted, beside a running server", async () => {
      const email = "dan@example.com";
      const dan = await run("users", "create", "--email", email, "--name", "Dan", "--password", "long enough");
      const { token } = await run("tokens", "create", "--email", email, "--access", "read_write");
      const client = new Client(server.url, token);
      const signIn = async (password = "long enough") => {
        const visitor = new Visitor(server.url);
        return { visitor, status: (await visitor.submit("/sign-in", "/sign-in", { email, password })).status };
      };
      const isIn = async ({ visitor }: { visitor: Visitor }) => (await visitor.fetch("/account")).status === 200;
      const before = await signIn();
      assert.ok(await isIn(before));
      assert.deepEqual(await run("users", "disable", "--email", email), {
        user_id: dan.user_id,
        email,
        disabled: true,
      });
      assert.equal((await client.get("/me")).status, 401);
      assert.equal(await isIn(before), false);
      assert.equal((await signIn()).status, 403);
      await run("users", "enable", "--email", email);
      assert.equal((await client.get("/me")).status, 200, "old tokens work again");
      assert.equal(await isIn(before), false, "sessions do not");
      const after = await signIn();
      assert.equal((await run("users", "end-sessions", "--email", email)).ended, 1);
      assert.equal(await isIn(after), false);

      const offered = await run("users", "reset-password", "--email", email);
      assert.match(offered.url, /^http:\/\/.+\/reset\/[\w-]{43}$/);
      const { pathname } = new URL(offered.url);
      const set = async (password: string) => {
        const visitor = new Visitor(server.url);
        return {
          visitor,
          status: (await visitor.submit("/sign-in", pathname, { password, revoke_tokens: "1" })).status,
        };
      };
      assert.equal((await set("short")).status, 422);
      assert.ok(await isIn(await set("a new good one")));
      assert.equal((await set("a second one")).status, 410, "once");
      assert.equal((await signIn()).status, 422);
      assert.equal((await signIn("a new good one")).status, 303);
      assert.equal((await client.get("/me")).status, 401, "the person asked to revoke them");

      const base = await run("tokens", "create", "--email", email, "--access", "read_write");
      const writer = new Client(server.url, base.token);
      const kb = (await writer.post("/knowledge-bases", { name: "Left behind" })).data.id;
      const eve = ["--email", "heir@example.com"];
      await run("users", "create", ...eve, "--name", "Heir", "--password", "long enough");
      await run("members", "add", ...eve, "--workspace", dan.workspace_id);
      assert.match(await fails("users", "delete", "--email", email), /only owner/);
      await run("members", "add", ...eve, "--workspace", dan.workspace_id, "--role", "owner");
      assert.deepEqual(await run("users", "delete", "--email", email), { user_id: dan.user_id, email, deleted: true });
      assert.equal((await writer.get("/me")).status, 401);
      const heir = await run("tokens", "create", ...eve, "--access", "read_only", "--workspace", dan.workspace_id);
      assert.equal((await new Client(server.url, heir.token).get(`/knowledge-bases/${kb}`)).status, 200);
      const notices = (await new Client(server.url, heir.token).get("/notifications")).data;
      assert.deepEqual(
        notices.map(({ reason, actor }: Loose) => [reason, actor.name]),
        [
          ["security", "The operator"],
          ["invitation", "The operator"],
        ],
        "NTF12: told once, when they were let in, and not with their next role",
      );
      const { entries } = await run("audit", "--workspace", dan.workspace_id);
      const told = entries.map((entry: { summary: string }) => entry.summary);
      for (const words of ["disabled the account of Dan", "made Heir an owner", "deleted the account of Dan"])
        assert.ok(told.includes(`The operator ${words}`), words);
    });

    test("CLI10 what becomes of tokens, sessions and authorship is said in the help", async () => {
      for (const command of ["disable", "enable", "delete", "reset-password", "end-sessions"]) {
        const { stdout } = await runProgram(SVC, ["users", command, "--help"], store.settings);
        assert.match(stdout, /[Tt]okens/, command);
        assert.match(stdout, /[Ss]ession|browser/, command);
      }
    });

    test("CLI11 the only owner stays one, and a demoted owner's invitations end, also on the command line", async () => {
      const mia = await run(
        "users",
        "create",
        "--email",
        "mia@example.com",
        "--name",
        "Mia",
        "--password",
        "long enough",
      );
      const demote = [
        "members",
        "add",
        "--email",
        "mia@example.com",
        "--workspace",
        mia.workspace_id,
        "--role",
        "viewer",
      ];
      assert.match(await fails(...demote), /only owner/);
    });

    test("CLI12 the tokens of a workspace are listed with whose they are", async () => {
      const { workspace_id } = await run(
        "users",
        "create",
        "--email",
        "w@example.com",
        "--name",
        "W",
        "--password",
        "x",
      );
      const made = await run("tokens", "create", "--email", "w@example.com", "--access", "read_only");
      const { tokens } = await run("tokens", "list", "--workspace", workspace_id);
      assert.deepEqual(
        tokens.map((token: { id: string; holder: string }) => [token.id, token.holder]),
        [[made.token_id, "w@example.com"]],
      );
      assert.match(await fails("tokens", "list"), /--email, --workspace/);
    });

    test("OPS6 nobody else on the machine reads the store or a backup", {
      skip: process.platform === "win32",
    }, async () => {
      const other = await makeStore(kind);
      const dataDir = defined(other.settings.SVC_DATA_DIR);
      chmodSync(dataDir, 0o755);
      if (kind === "sqlite") writeFileSync(join(dataDir, "svc.db"), "", { mode: 0o644 });
      const [oldMask, mode] = [process.umask(0o022), (path: string) => statSync(path).mode & 0o777];
      try {
        await svc(other.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
        assert.equal(mode(dataDir), 0o700);
        if (kind !== "sqlite") return;
        const running = await startServer(other.settings);
        for (const name of ["svc.db", "svc.db-wal", "svc.db-shm"]) assert.equal(mode(join(dataDir, name)), 0o600, name);
        const file = join(dataDir, "..", `${basename(dataDir)}.backup`);
        await svc(other.settings, "backup", file);
        assert.equal(mode(file), 0o600);
        rmSync(file);
        await running.stop();
      } finally {
        process.umask(oldMask);
        await other.remove();
      }
    });

    test("CLI4 what cannot be done is one line on standard error and exit code 1", async () => {
      assert.match(
        await fails("tokens", "create", "--email", "no@example.com", "--access", "read_only"),
        /^svc: There is no user.*\n$/,
      );
      for (const command of [
        ["users", "create", "--email", "e@example.com", "--name", "E", "--password", "long enough"],
        ["reindex"],
      ])
        assert.match(await fails(...command, "--workspace", ""), /^svc: There is no workspace.*\n$/);
      assert.match(
        await fails("users", "create", "--email", "nonsense", "--name", "N", "--password", "x"),
        /not an email/,
      );
      assert.match(
        await fails(
          "users",
          "create",
          "--email",
          "z@example.com",
          "--name",
          "Z",
          "--password",
          "x",
          "--workspace",
          "none",
        ),
        /no workspace/,
      );
      assert.match(await fails("tokens", "revoke", "tok_none"), /no token/);
      assert.match(await fails("tokens", "create", "--email", "ada@example.com", "--access", "all"), /read_write/);
      assert.match(
        await fails(
          "tokens",
          "create",
          "--email",
          "ada@example.com",
          "--access",
          "read_only",
          "--scopes",
          "documents:write",
        ),
        /goes beyond/,
      );
      assert.match(
        await fails(
          "tokens",
          "create",
          "--email",
          "ada@example.com",
          "--access",
          "read_only",
          "--expires-in-days",
          "-1",
        ),
        /days/,
      );
      assert.match(
        await fails("users", "create", "--email", "ada@example.com", "--name", "Ada", "--password", "x"),
        /already/,
      );
      assert.match(await fails("users", "create", "--email", "q@example.com", "--name", "Q"), /password/);
    });

    test("CLI5 the password may come on standard input and is stored as an argon2id hash", async () => {
      const args = ["users", "create", "--email", "pipe@example.com", "--name", "Pipe"];
      const done = await runProgram(SVC, args, store.settings, "from a pipe\n");
      assert.equal(done.code, 0, done.stderr);
      assert.match(done.stdout, /pipe@example\.com \(user_\w+\) is owner of/);
    });

    test("ACC11 a password that could not be given again is refused", async () => {
      const args = ["users", "create", "--email", "long@example.com", "--name", "Long"];
      const done = await runProgram(SVC, args, store.settings, "ä".repeat(501));
      assert.equal(done.code, 1);
      assert.match(done.stderr, /at most 1000 bytes/);
    });

    test("CLI6 the audit log tells who did what, filtered", async () => {
      const all = (await run("audit")).entries;
      assert.ok(all.length > 5);
      assert.ok(all[0].id > all.at(-1).id);
      const revoked = (await run("audit", "--action", "revoke_token", "--email", "ada@example.com")).entries;
      assert.equal(revoked.length, 1);
      assert.equal(revoked[0].client_name, "svc");
      assert.equal(revoked[0].email, "ada@example.com");
      assert.equal((await run("audit", "--limit", "2", "--since", "1h")).entries.length, 2);
      assert.equal((await run("audit", "--since", "2999-01-01")).entries.length, 0);
      const bob = (await run("audit", "--email", "bob@example.com")).entries;
      assert.equal((await run("audit", "--workspace", bob[0].workspace_id)).entries.length, bob.length);
      const shown = await runProgram(SVC, ["audit", "--limit", "1"], store.settings);
      assert.match(shown.stdout, /^TIME +USER/);
    });

    test("CLI13 svc audit --follow prints what comes as JSON lines, each entry once", async () => {
      const terminal = new Terminal(store.settings);
      const { child, finished } = terminal.start(["audit", "--follow", "--json", "--limit", "1"]);
      let stdout = "";
      child.stdout?.on("data", (chunk) => {
        stdout += chunk;
      });
      const lines = () => stdout.split("\n").filter(Boolean);
      await until("the newest entry is printed", () => lines().length === 1);
      await run("users", "create", "--email", "fay@example.com", "--name", "Fay", "--password", "secret");
      await until("the new account is told", () => lines().length >= 2);
      await run("tokens", "create", "--email", "fay@example.com", "--access", "read_only");
      await until("the token is told", () => lines().some((line) => JSON.parse(line).action === "create_token"));
      child.kill("SIGINT");
      const { code } = await finished;
      assert.equal(code, 130);
      const ids = lines().map((line) => JSON.parse(line).id);
      assert.deepEqual(
        ids,
        [...new Set(ids)].toSorted((a, b) => a - b),
      );
      assert.ok(lines().some((line) => JSON.parse(line).email === "fay@example.com"));
    });
  });

describe("CLI backup and restore of SQLite", () => {
  test("CLI7 a backup made while the server writes is one consistent store, attachments included", async () => {
    const store = await makeStore("sqlite");
    const dataDir = store.settings.SVC_DATA_DIR ?? "";
    const file = join(dataDir, "..", `backup-${process.pid}.svc`);
    const server = await startServer({ ...store.settings, SVC_RATE_LIMIT: "1000000" });
    try {
      const blob = Buffer.alloc(3_000_000, "svc");
      mkdirSync(join(dataDir, "attachments/ab"), { recursive: true });
      writeFileSync(join(dataDir, "attachments/ab/one"), blob);
      writeFileSync(join(dataDir, "attachments/empty"), "");
      await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
      const token = ["tokens", "create", "--email", "a@example.com", "--access", "read_write"];
      const before = new Client(server.url, (await svc(store.settings, ...token)).token);
      const saved = await svc(store.settings, "backup", file);
      assert.deepEqual(saved, { file, attachments: 2, bytes: statSync(file).size });

      const later = new Client(server.url, (await svc(store.settings, ...token)).token);
      assert.equal((await later.get("/me")).status, 200);
      rmSync(join(dataDir, "attachments/ab/one"));
      const loud = hammer(before);
      assert.deepEqual(await svc(store.settings, "restore", "--replace", file), {
        file,
        attachments: 2,
        has_files: true,
      });
      assert.deepEqual(await loud.stop(), [], "reads go on during a restore");

      assert.equal((await before.get("/me")).status, 200);
      assert.equal((await later.get("/me")).body.error.code, "token_invalid");
      assert.deepEqual(readFileSync(join(dataDir, "attachments/ab/one")), blob);
      assert.equal(readFileSync(join(dataDir, "attachments/empty")).length, 0);
      const after = new Client(server.url, (await svc(store.settings, ...token)).token);
      assert.equal((await after.get("/me")).status, 200, "the store takes writes again");
    } finally {
      await server.stop();
      await store.remove();
      rmSync(file, { force: true });
    }
  });

  test("CLI7 what a killed backup left is removed by a later one", async () => {
    const store = await makeStore("sqlite");
    const dataDir = store.settings.SVC_DATA_DIR ?? "";
    await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
    const place = (name: string) => join(dataDir, name);
    for (const name of [".backup-old", ".restore-old", ".backup-new"]) mkdirSync(place(name));
    for (const name of ["copy.svc.12.part", "copy.svc.13.part"]) writeFileSync(place(name), "half");
    const days = Date.now() / 1000 - 2 * 86_400;
    for (const old of [".backup-old", ".restore-old", "copy.svc.12.part"]) utimesSync(place(old), days, days);
    await svc(store.settings, "backup", place("copy.svc"));
    const left = readdirSync(dataDir).filter((name) => /backup|restore|copy/.test(name));
    await store.remove();
    assert.deepEqual(left.sort(), [".backup-new", "copy.svc", "copy.svc.13.part"]);
  });

  test("CLI7 on a full disk a backup and a restore say so, leave nothing, and the store stays", {
    skip: noSmallDisk(),
  }, async () => {
    const store = await makeStore("sqlite");
    const user = ["users", "create", "--name", "A", "--password", "x"];
    await svc(store.settings, ...user, "--email", "a@example.com");
    const { file } = await svc(store.settings, "backup", join(store.settings.SVC_DATA_DIR ?? "", "..", "copy.svc"));
    try {
      using disk = new SmallDisk(4);
      const settings = { ...store.settings, SVC_DATA_DIR: join(disk.directory, "data") };
      await svc(settings, ...user, "--email", "b@example.com");
      disk.fill();
      const target = join(disk.directory, "copy.svc");
      const backup = await runProgram(SVC, ["backup", target], store.settings);
      assert.deepEqual([backup.code, backup.stdout], [1, ""]);
      assert.ok(backup.stderr.startsWith(`svc: The backup cannot be written to ${target}: `), backup.stderr);
      const restore = await runProgram(SVC, ["restore", "--replace", file], settings);
      assert.match(`${restore.code} ${restore.stderr}`, /^1 svc: The store was not changed: .+\.\n$/);
      assert.deepEqual(readdirSync(disk.directory).sort(), ["data", "filler"]);
      assert.deepEqual(
        readdirSync(settings.SVC_DATA_DIR).filter((name) => name.startsWith(".")),
        [],
      );
      disk.empty();
      const { users } = await svc(settings, "users", "list");
      assert.deepEqual(
        users.map(({ email }: Loose) => email),
        ["b@example.com"],
      );
    } finally {
      rmSync(file);
      await store.remove();
    }
  });

  test("CLI4 a command for a store that is not there makes none, but for the one that makes the first user", async () => {
    const store = await makeStore("sqlite");
    const dataDir = join(store.settings.SVC_DATA_DIR ?? "", "elsewhere");
    const settings = { ...store.settings, SVC_DATA_DIR: dataDir };
    try {
      for (const command of [["users", "list"], ["tokens", "list", "--email", "a@example.com"], ["audit"]]) {
        const done = await runProgram(SVC, command, settings);
        assert.deepEqual([done.code, done.stdout], [1, ""]);
        assert.equal(done.stderr, `svc: There is no store in ${dataDir}: set SVC_DATA_DIR as the server has it.\n`);
      }
      assert.ok(!existsSync(dataDir));
      const first = ["users", "create", "--email", "a@example.com", "--name", "A", "--password", "x"];
      const made = await runProgram(SVC, first, settings);
      assert.equal(made.code, 0, made.stderr);
      assert.match(made.stderr, /^A new store is made in .*\/elsewhere, .*\n/);
      assert.equal((await svc(settings, "users", "list")).users.length, 1);
    } finally {
      await store.remove();
    }
  });

  test("CLI8 restores into an empty place, and refuses what is no backup", async () => {
    const from = await makeStore("sqlite");
    const to = await makeStore("sqlite");
    const file = join(from.settings.SVC_DATA_DIR ?? "", "copy.svc");
    try {
      await svc(from.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
      await svc(from.settings, "backup", file);
      await svc(to.settings, "restore", file);
      assert.equal((await svc(to.settings, "users", "list")).users[0].email, "a@example.com");
      const bytes = readFileSync(file);
      const place = (name: string) => join(from.settings.SVC_DATA_DIR ?? "", name);
      const write = (name: string, content: Uint8Array) => {
        writeFileSync(place(name), content);
        return place(name);
      };
      const flipped = Uint8Array.from(bytes);
      flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
      const changed = async (name: string, change: string) => {
        const path = write(name, bytes.subarray(0, bytes.length - SEAL_BYTES));
        const database = new DatabaseSync(path);
        database.exec(change);
        database.close();
        await seal(path);
        return path;
      };
      const setFact = (key: string, value: string) =>
        `update svc_backup_facts set value = '${value}' where key = '${key}'`;
      for (const [wrong, reason] of [
        [write("half.svc", bytes.subarray(0, bytes.length / 2)), /its end is missing/],
        [write("short.svc", bytes.subarray(0, bytes.length - 1)), /its end is missing/],
        [write("flipped.svc", flipped), /its checksum does not match/],
        [
          await changed("schema.svc", setFact("schema", "9999-later")),
          /newer release of svc \(its schema is 9999-later\)/,
        ],
        [await changed("format.svc", setFact("format", "2")), /newer release of svc \(its format is 2\)/],
        [SVC, /its end is missing/],
        [place("svc.db"), /its end is missing/],
        ["/no/such/file", /There is no file/],
      ] as const)
        for (const option of ["--replace", "--verify"]) {
          const done = await runProgram(SVC, ["restore", option, wrong], to.settings);
          assert.equal(done.code, 1, wrong);
          assert.match(done.stderr, /^svc: .+\n$/);
          assert.match(done.stderr, reason);
        }
      const lessRows = await changed("rows.svc", "delete from memberships");
      const verified = await runProgram(SVC, ["restore", "--verify", lessRows], to.settings);
      assert.match(verified.stderr, /^svc: .+ is damaged: the table memberships had 1 rows.+\n$/);
      assert.equal((await svc(to.settings, "users", "list")).users.length, 1);
    } finally {
      await from.remove();
      await to.remove();
    }
  });
});

/** Calls without a pause until stopped, and tells every answer that was not a 200. */
function hammer(client: Client) {
  const wrong: string[] = [];
  let on = true;
  const loop = (async () => {
    while (on) {
      const reply = await client.get("/me");
      if (reply.status !== 200) wrong.push(reply.text);
    }
  })();
  return {
    stop: async () => {
      on = false;
      await loop;
      return wrong;
    },
  };
}
