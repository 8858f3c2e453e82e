import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { makeStore } from "../support/world.ts";

const root = resolve(import.meta.dirname, "../../../..");
const section = readFileSync(join(root, "docs/operating.md"), "utf8").split("### The log")[1]?.split("\n## ")[0] ?? "";
const documented = new Set(
  [...section.matchAll(/^(`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ),
);

test("OPS14 every field of the lines that a server logs is described", async () => {
  const store = await makeStore("sqlite");
  try {
    await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
    const backups = join(store.settings.SVC_DATA_DIR ?? "", "backups");
    const settings = { ...store.settings, SVC_WORKERS: "2", SVC_BACKUP_DIR: backups, SVC_NO_SUCH: "1" };
    const token = await svc(store.settings, "tokens", "create", "--email", "a@example.com", "--access", "read_only");
    const server = await startServer(settings);
    await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token.token}` } });
    await fetch(`${server.url}/no/such/path`);
    await until("a backup is in the log", () => server.stdout.includes("backup saved"));
    await until("the request is in the log", () => server.stdout.includes("user_id"));
    const { stdout } = await server.stop();
    const lines = stdout.trim().split("\n");
    const found = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))));
    assert.deepEqual([...found.difference(documented)], []);
    for (const name of ["request_id", "user_id", "worker", "workers", "setting", "place", "bytes", "signal"])
      assert.ok(found.has(name), name);
  } finally {
    await store.remove();
  }
});

test("OPS14 so is every field that the sources can log", () => {
  const fields = new Set<string>();
  for (const file of globSync("packages/server/src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] }))
    for (const [, fieldsOf = ""] of readFileSync(join(root, file), "utf8").matchAll(
      /\b(?:log|#log)\.(?:info|warn|error)\(\{ ([^}]*?) \}/g,
    ))
      for (const part of fieldsOf.split(",")) {
        const [, name] = /^\s*(\w+)\s*(?::|$)/.exec(part) ?? [];
        if (name) fields.add(name);
      }
  assert.ok(fields.size > 12, `${fields.size} fields`);
  assert.deepEqual([...fields.difference(documented)], []);
});
