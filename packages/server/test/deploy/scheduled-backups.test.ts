import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { nameOf } from "@svc/server/backup/keep";
import { readBackupState } from "@svc/server/backup/state";
import { readConfig } from "@svc/server/config";
import { connect } from "@svc/server/db/connect";
import { s3Client } from "@svc/server/ports/blobs/s3-client";
import { readS3Url } from "@svc/server/ports/blobs/s3-settings";
import { DAY_MS } from "@svc/server/time";
import { makeDocument, upload } from "../support/fixtures.ts";
import { requireSwift, startSwift } from "../support/peers/swift.ts";
import { runProgram, SVC, startServer, svc } from "../support/process.ts";
import { until } from "../support/until.ts";
import { databases, makeStore, World } from "../support/world.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-scheduled-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function stateOf(settings: Record<string, string>) {
  const database = await connect(readConfig(settings), { warn: () => undefined });
  const state = await readBackupState(database.read);
  await database.close();
  return state;
}

const metric = async (url: string, name: string): Promise<number | undefined> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1];
  return value === undefined ? undefined : Number(value.replace("Inf", "Infinity"));
};

for (const kind of databases)
  describe(`scheduled backups [${kind}]`, () => {
    test("OPS8 one of several processes makes a backup, old ones go, and the state is in metrics", async () => {
      const store = await makeStore(kind);
      const place = join(folder, kind);
      const old = Array.from({ length: 40 }, (_, days) => `${nameOf(Date.now() - (days + 1) * DAY_MS)}.svc`);
      await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
      const settings = { ...store.settings, SVC_BACKUP_DIR: place, SVC_BACKUP_KEEP: "3,2" };
      await svc(settings, "backup");
      for (const name of old) writeFileSync(join(place, name), "an older backup");
      writeFileSync(join(place, "notes.txt"), "not a backup");
      // Nothing is due: a day has not passed since the backup above.
      const early = await startServer(settings);
      await until("metrics know the backup", async () =>
        Number.isFinite(await metric(early.url, "svc_backup_age_seconds")),
      );
      await early.stop();
      const database = await connect(readConfig(settings), { warn: () => undefined });
      await database.transaction((tx) => tx.deleteFrom("server_state").where("key", "like", "backup_%").execute());
      await database.close();

      const servers = await Promise.all([startServer(settings), startServer(settings), startServer(settings)]);
      const saved = () => servers.flatMap(({ stdout }) => stdout.match(/"msg":"backup saved"/g) ?? []).length;
      await until("a backup is made and old ones are removed", () =>
        servers.some(({ stdout }) => stdout.includes("old backups removed")),
      );
      for (const { url } of servers) {
        const age = await metric(url, "svc_backup_age_seconds");
        assert.ok(age !== undefined && age < 600, `${age}`);
        assert.equal(await metric(url, "svc_backup_failing"), 0);
      }
      await Promise.all(servers.map((server) => server.stop()));
      assert.equal(saved(), 1);
      const names = readdirSync(place).filter((name) => name.endsWith(".svc"));
      assert.ok(names.length >= 3 && names.length <= 5, names.join(" "));
      assert.ok(readdirSync(place).includes("notes.txt"));
      const { lastGood } = await stateOf(settings);
      assert.ok(names.includes(`${lastGood?.name}.svc`));
      const verified = await svc(settings, "restore", "--verify", "latest");
      assert.equal(verified.has_files, true);
      await store.remove();
    });

    test("OPS8 a failed backup is logged, shows in metrics and leaves nothing under a backup's name", async () => {
      const store = await makeStore(kind);
      const place = join(folder, `${kind}-file`);
      writeFileSync(place, "a file where a folder should be");
      const settings = { ...store.settings, SVC_BACKUP_DIR: place };
      await svc(store.settings, "users", "create", "--email", "a@example.com", "--name", "A", "--password", "x");
      const server = await startServer(settings);
      await until("the failure is in the log", () => server.stdout.includes('"msg":"backup failed"'));
      await until("and in metrics", async () => (await metric(server.url, "svc_backup_failing")) === 1);
      assert.equal(await metric(server.url, "svc_backup_age_seconds"), Number.POSITIVE_INFINITY);
      await server.stop();
      const left = readdirSync(store.settings.SVC_DATA_DIR ?? "").filter((name) => name.startsWith("."));
      assert.deepEqual(left, []);
      const { failure } = await stateOf(store.settings);
      assert.match(failure?.message ?? "", /./);
      await store.remove();
    });
  });

describe("backups in an S3 store", requireSwift(), () => {
  test("OPS8 files and backups in buckets go into a backup and come back", async () => {
    const peer = await startSwift();
    const address = (prefix: string) =>
      `s3://${encodeURIComponent(peer.accessKeyId)}:${peer.secretAccessKey}@svc-test/${prefix}?endpoint=${peer.endpoint}&region=${peer.region}`;
    await s3Client(readS3Url(address("x")))({ method: "PUT", objectKey: "" });
    const world = new World("sqlite", { SVC_BLOB_URL: address("files"), SVC_BACKUP_DIR: address("backups") });
    await world.start();
    const target = await makeStore("sqlite");
    try {
      const ada = await world.person();
      const { id } = await makeDocument(ada.client);
      await upload(ada.client, id, Buffer.alloc(6_000_000, "svc"), "large.bin");
      // The running server makes the first backup by itself, maybe from before the upload.
      const listed = () => svc(world.settings, "backup", "--list");
      await until("the server has made a backup", async () => (await listed()).backups.length > 0);
      await until("another one can be made", async () => {
        const done = await runProgram(SVC, ["backup"], world.settings);
        assert.match(done.stderr, /^(|svc: Another backup of this store is being made.*\n)$/);
        return done.code === 0;
      });
      const { backups } = await svc(world.settings, "backup", "--list");
      assert.ok(backups.length >= 1);
      const settings = { ...target.settings, SVC_BACKUP_DIR: address("backups") };
      const verified = await svc(settings, "restore", "--verify", "latest");
      assert.deepEqual([verified.attachments, verified.documents], [1, 1]);
      await svc(settings, "restore", "latest");
      const inside = await runProgram(SVC, ["backup"], {
        ...world.settings,
        SVC_BACKUP_DIR: address("files/backups"),
      });
      assert.match(inside.stderr, /^svc: .*SVC_BACKUP_DIR.*inside of SVC_BLOB_URL/);
    } finally {
      await world.stop();
      await target.remove();
      await peer.stop();
    }
  });
});

test("OPS9 owners see the age of the last backup on the Usage page, and others do not", async () => {
  const { Visitor } = await import("../support/visitor.ts");
  const { signIn } = await import("../support/live-editor.ts");
  const world = new World("sqlite", {});
  await world.start();
  try {
    const ada = await world.person();
    const bob = await world.person({ workspace: ada.workspaceId, role: "editor" });
    const pageOf = async (person: typeof ada) => {
      const visitor = new Visitor(world.directUrl);
      visitor.keep(await signIn(world, person));
      return (await visitor.fetch("/usage")).text();
    };
    assert.match(await pageOf(ada), /There is no backup of this server yet/);
    await svc(world.settings, "backup", join(folder, "by-hand.svc"));
    assert.match(await pageOf(ada), /The last good backup of this server was made <time[^>]*>just now/);
    assert.doesNotMatch(await pageOf(bob), /backup/i);
  } finally {
    await world.stop();
  }
});
