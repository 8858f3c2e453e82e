import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { findProgram } from "../support/peers/peer.ts";
import { MAIN, SVC, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";

const root = resolve(import.meta.dirname, "../../../..");
const folder = mkdtempSync(join(tmpdir(), "svc-operating-"));
const page = readFileSync(join(root, "docs/operating.md"), "utf8");
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));

/** Commands that another test runs: the image's test builds and starts containers. */
const IS_ELSEWHERE = /^docker /;

let store: Awaited<ReturnType<typeof makeStore>>;
let empty: Awaited<ReturnType<typeof makeStore>>;

before(async () => {
  store = await makeStore("sqlite");
  empty = await makeStore("postgres");
  await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
  for (const name of ["bin", "secrets", "backups"]) mkdirSync(join(folder, name));
  // The commands are what an installation has; here they run from the sources.
  const programs = {
    npm: `exec "${process.execPath}" "${MAIN}"`,
    npx: `shift; exec "${process.execPath}" "${SVC}" "$@"`,
    sudo: 'shift 2; exec "$@"',
  };
  for (const [name, command] of Object.entries(programs)) {
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${command}\n`);
    chmodSync(join(folder, "bin", name), 0o755);
  }
  for (const [name, secret] of [
    ["oidc", "secret"],
    ["key", "secret"],
    ["smtp", "smtp://user:password@127.0.0.1:2525"],
  ] as const)
    writeFileSync(join(folder, "secrets", name), secret);
  writeFileSync(join(folder, "svc.env"), "SVC_BASE_URL=https://kb.example.com\nSVC_TRUST_PROXY=on\n");
});
after(async () => {
  await Promise.all([store.remove(), empty.remove()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A line with the places of this machine. */
function here(line: string): string {
  const database = new URL(defined(empty.settings.SVC_DATABASE_URL));
  const { host, pathname, search } = database;
  const who = `${database.username}:${database.password}`.replace(/:$/, "");
  return line
    .replace("svc:secret@db1.internal:5432,db2.internal:5432/svc?", `${who}@${host},${host}${pathname}?`)
    .replace("postgres://svc:secret@db.internal/svc", `postgres://${who}@${host}${pathname}${search}`)
    .replaceAll("/run/secrets/", `${folder}/secrets/`)
    .replaceAll("/backups", `${folder}/backups`)
    .replaceAll(`s3://bucket${folder}/backups`, "s3://bucket/backups")
    .replaceAll("/opt/svc", root)
    .replaceAll("/var/lib/svc", defined(store.settings.SVC_DATA_DIR))
    .replaceAll("/etc/svc.env", `${folder}/svc.env`);
}

const environment = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: [join(folder, "bin"), dirname(process.execPath), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  ...settings,
});

async function run(line: string, settings: Record<string, string>): Promise<string> {
  const child = spawn("sh", ["-c", line], { env: environment(settings) });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, "close");
  assert.equal(code, 0, `${line}\n${output}`);
  return output;
}

/** Runs a line that serves, until it says where. */
async function serve(line: string): Promise<void> {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const env = environment({ SVC_DATA_DIR: dataDir, SVC_PORT: "0" });
  const child = spawn("sh", ["-c", line], { env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  await until(`it serves: ${line}`, () => {
    assert.equal(child.exitCode, null, `${line}\n${output}`);
    return output.includes('"address":"');
  });
  const closed = once(child, "close");
  process.kill(-defined(child.pid), "SIGTERM");
  await closed;
}

test("OPS15 the page has the commands that this test expects", () => {
  assert.ok(lines.length > 15, `${lines.length} lines`);
  const known = /npm start|npx svc |^psql |^docker /;
  assert.deepEqual(
    lines.filter((line) => !known.test(line)),
    [],
  );
});

test("OPS15 every line that serves does so with its settings", async () => {
  for (const line of lines.filter((one) => one.includes("npm start"))) await serve(here(line.replace(/ +#.*$/, "")));
});

test("OPS15 every command works, in the order of the page", async () => {
  const settings = { ...store.settings, SVC_BACKUP_DIR: join(folder, "backups") };
  // The server makes one every day.
  await svc(settings, "backup");
  for (const line of lines.filter((one) => one.includes("npx svc ") && !IS_ELSEWHERE.test(one)))
    await run(here(line), settings);
});

test("OPS15 the store has moved, and the line for programs that follow the events works", {
  skip: findProgram("psql") ? false : "no psql",
}, async () => {
  assert.equal((await svc(empty.settings, "users", "list")).users.length, 1);
  const psql = lines.filter((line) => line.startsWith("psql "));
  assert.equal(psql.length, 1);
  assert.match(await run(defined(psql[0]), empty.settings), /UPDATE 1/);
});
