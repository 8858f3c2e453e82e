import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import type { Database } from "@svc/server/db/database";
import { removeStrayFiles } from "@svc/server/domain/content/attachments/remove-files";
import { openBlobStore } from "@svc/server/ports/blobs/open-blob-store";
import type { Services } from "@svc/server/services";
import { sql } from "kysely";
import type { Client } from "../../support/client.ts";
import { checkDocument } from "./check-bodies.ts";
import { type Bodies, checkRelations, checkSearch, checkUnits } from "./check-views.ts";
import { checkRemarks } from "./discussion.ts";
import type { MixedLoad } from "./mixed-load.ts";
import type { KnownDocument, LoadRecord } from "./record.ts";

interface Aftermath {
  readonly database: Database;
  readonly settings: Readonly<Record<string, string>>;
  readonly workspaceId: string;
  readonly client: Client;
  readonly load: MixedLoad;
  readonly mentioned?: string;
}

/**
 * After a fault, with the server up again and nobody's help: nothing acknowledged is lost, nothing is half there, no
 * event is missing or double, and everything derived is what a rebuild gives.
 */
export async function checkAftermath(aftermath: Aftermath): Promise<void> {
  const { database, workspaceId, client, load } = aftermath;
  await serves(client);
  await load.stopWriting();
  const { record } = load;
  assert.deepEqual(record.unexpected, []);
  await checkJobs(client, record);
  const bodies = await checkDocuments(database, workspaceId, record);
  await checkKeys(database, bodies, record);
  await checkRemarks(database, bodies, record.remarks, aftermath.mentioned);
  await checkEvents(aftermath, bodies);
  await checkRelations(database, bodies);
  await checkUnits(database, bodies);
  await checkCounters(database, workspaceId);
  await checkFiles(aftermath, record);
  await checkSearch(database, client, workspaceId, bodies);
  await checkIntegrity(aftermath);
}

async function serves(client: Client): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const reply = await client.post("/knowledge-bases", { name: "After" }).catch(() => undefined);
    if (reply?.status === 201) return;
    assert.ok(Date.now() < deadline, `the server does not serve again: ${reply?.text}`);
  }
}

async function checkJobs(client: Client, record: LoadRecord): Promise<void> {
  for (const id of record.jobs)
    for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
      const { data } = await client.get(`/summary-jobs/${id}`);
      if (data.finished_at !== null) {
        assert.ok(["succeeded", "obsolete"].includes(data.status), JSON.stringify(data));
        break;
      }
      assert.ok(Date.now() < deadline, `a job does not end: ${JSON.stringify(data)}`);
    }
}

async function checkDocuments({ read }: Database, workspaceId: string, record: LoadRecord): Promise<Bodies> {
  const rows = await read.selectFrom("documents").selectAll().where("workspace_id", "=", workspaceId).execute();
  const bodies = new Map(
    rows.map((row) => [row.id, { row, blocks: [] as Awaited<ReturnType<typeof checkDocument>>["blocks"] }]),
  );
  for (const known of record.documents) checkKnown(known, bodies.get(known.id)?.row);
  const ids = new Set(record.documents.map((known) => known.id));
  const unknown = rows.filter((row) => !ids.has(row.id));
  assert.ok(unknown.length <= record.openCreations, "documents that nobody made");
  for (const [id, body] of bodies) {
    const { blocks, revision } = await checkDocument(read, body.row);
    body.blocks = blocks;
    const { updates } = await read
      .selectFrom("events")
      .select((eb) => eb.fn.countAll<number>().as("updates"))
      .where("document_id", "=", id)
      .where("type", "=", "document.content.updated")
      .executeTakeFirstOrThrow();
    assert.equal(Number(updates), revision - 1, "one event for each change of a body");
  }
  return bodies;
}

function checkKnown(known: KnownDocument, row: { version: string; title: string } | undefined): void {
  if (!row) assert.ok(known.gone || (known.open && known.isOpenDelete), `${known.id} is lost`);
  else assert.ok(!known.gone, `${known.id} is back`);
  if (row && !known.open && known.version !== undefined) assert.equal(row.version, known.version, known.id);
  if (row && !known.open && known.title !== undefined) assert.equal(row.title, known.title, known.id);
}

/** Checks that repeated requests with one key took effect once, and that the answer matches the store. */
async function checkKeys({ read }: Database, bodies: Bodies, record: LoadRecord): Promise<void> {
  for (const { title, answer } of record.keyed) {
    const made = [...bodies.values()].filter(({ row }) => row.title === title).map(({ row }) => row.id);
    assert.deepEqual(made, [answer], title);
  }
  const half = await read.selectFrom("idempotency_keys").select("key").where("status", "=", 0).execute();
  assert.deepEqual(half, []);
}

async function checkEvents({ database, workspaceId, client, load }: Aftermath, bodies: Bodies): Promise<void> {
  const events = await database.read
    .selectFrom("events")
    .select(["id", "type", "document_id", "user_id"])
    .where("workspace_id", "=", workspaceId)
    .orderBy("id")
    .execute();
  const ids = events.map(({ id }) => id);
  assert.deepEqual(
    ids,
    Array.from(ids, (_, i) => i + 1),
  );
  const of = (type: string) => events.filter((event) => event.type === type).map((event) => event.document_id);
  const created = of("document.created");
  const deleted = of("document.deleted");
  assert.equal(new Set(created).size, created.length);
  assert.equal(new Set(deleted).size, deleted.length);
  const living = new Set(created).difference(new Set(deleted));
  assert.deepEqual([...living].sort(), [...bodies.keys()].sort());
  // Personal events are sent to nobody else.
  const { user } = (await client.get("/me")).data;
  const told = events.filter(({ user_id }) => user_id === null || user_id === user.id).map(({ id }) => id);
  await load.stopReading(told.at(-1) ?? 0);
  for (const seen of load.record.streams) assert.deepEqual(seen, told);
}

async function checkCounters({ read }: Database, workspaceId: string): Promise<void> {
  const countOf = async (table: "knowledge_bases" | "folders" | "documents") =>
    (await read.selectFrom(table).select("id").where("workspace_id", "=", workspaceId).execute()).length;
  const files = await read
    .selectFrom("attachments")
    .select("size")
    .where("workspace_id", "=", workspaceId)
    .where("expires_at", "is", null)
    .execute();
  const { last_event_id, ...counters } = await read
    .selectFrom("workspace_counters")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    { ...counters },
    {
      workspace_id: workspaceId,
      knowledge_bases: await countOf("knowledge_bases"),
      folders: await countOf("folders"),
      documents: await countOf("documents"),
      attachment_bytes: files.reduce((sum, { size }) => sum + size, 0),
    },
  );
  for (const base of await read.selectFrom("knowledge_bases").selectAll().execute()) {
    const inside = await read.selectFrom("documents").select("id").where("knowledge_base_id", "=", base.id).execute();
    assert.equal(base.document_count, inside.length);
  }
}

/** Every file that was acknowledged is there, byte for byte; what no row names is taken away by the sweep. */
async function checkFiles({ database, settings, workspaceId, client }: Aftermath, record: LoadRecord): Promise<void> {
  const rows = await database.read
    .selectFrom("attachments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .execute();
  const living = new Map(rows.filter((row) => row.expires_at === null).map((row) => [row.id, row]));
  for (const { id, sha256, state } of record.files) {
    if (state !== "open") assert.equal(living.has(id), state === "there", `file ${id}`);
    if (living.has(id)) assert.equal(defined(living.get(id)).sha256, sha256);
  }
  for (const { id, sha256 } of living.values()) {
    const reply = await fetch(`${client.url}/api/v1/attachments/${id}`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    const content = createHash("sha256").update(Buffer.from(await reply.arrayBuffer()));
    assert.deepEqual([reply.status, content.digest("hex")], [200, sha256]);
  }
  const blobs = openBlobStore({ blobUrl: undefined, dataDir: settings.SVC_DATA_DIR ?? "", env: {} });
  await removeStrayFiles({ database, blobs } as Services, new Date(Date.now() + 1e9));
  const left = new Set(await Array.fromAsync(blobs.list("files/"), ({ key }) => key));
  const named = await database.read.selectFrom("attachments").select(["blob_key", "expires_at"]).execute();
  for (const { blob_key, expires_at } of named)
    if (expires_at === null) assert.ok(left.has(blob_key), "a row without its file");
  assert.deepEqual([...left.difference(new Set(named.map((row) => row.blob_key)))], [], "files that no row names");
}

async function checkIntegrity({ database, settings }: Aftermath): Promise<void> {
  if (settings.SVC_DATABASE_URL) return;
  const { rows } = await database.transaction((tx) => sql<Record<string, string>>`pragma integrity_check`.execute(tx));
  assert.deepEqual(
    rows.map((row) => Object.values(row)[0]),
    ["ok"],
  );
  assert.deepEqual((await database.transaction((tx) => sql`pragma foreign_key_check`.execute(tx))).rows, []);
}
