import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { characterCount } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { seqOf } from "@svc/server/bodies/body";
import { type Manifest, manifestOf, versionOf } from "@svc/server/bodies/manifest";
import { cut } from "@svc/server/bodies/segment";
import { getSnapshot } from "@svc/server/bodies/snapshots";
import type { Reader } from "@svc/server/db/database";
import type { DocumentRow } from "@svc/server/db/schema/tables/documents";

const KEPT_SNAPSHOTS = 20;
/** Snapshots beyond the limit are removed eight at a time. */
const STORED_SNAPSHOTS = KEPT_SNAPSHOTS + 7;

/** The body as the store holds it, and what was found true of it. */
interface WholeBody {
  readonly blocks: Node[];
  readonly version: string;
  readonly revision: number;
}

/** Body and snapshots are whole: every segment is there, is what its hash says, and the versions are those of the content. */
export async function checkDocument(db: Reader, row: DocumentRow): Promise<WholeBody> {
  const key = { workspaceId: row.workspace_id, documentId: row.id };
  const stored = await storedSegments(db, row.id);
  const body = await db.selectFrom("bodies").selectAll().where("document_id", "=", row.id).executeTakeFirstOrThrow();
  const blocks = checkVersion(stored, manifestOf(body), body.version);
  assert.equal(body.version, row.version);
  assert.equal(blocks.length, row.block_count);
  assert.equal(characterCount({ type: "doc", content: blocks }), row.character_count);
  const snapshots = await db
    .selectFrom("snapshots")
    .select(["seq", "version"])
    .where("document_id", "=", row.id)
    .orderBy("seq")
    .execute();
  const before = seqOf(body) - 1;
  assert.equal(snapshots.at(-1)?.seq ?? 0, before);
  assert.ok(snapshots.length >= Math.min(KEPT_SNAPSHOTS, before));
  assert.ok(snapshots.length <= STORED_SNAPSHOTS);
  for (const { seq, version } of snapshots)
    checkVersion(stored, (await getSnapshot(db, key, seq, STORED_SNAPSHOTS)).manifest, version);
  await checkChanges(db, row.id, body);
  return { blocks, version: body.version, revision: body.revision };
}

/** The writes that change cursors follow: one for each revision, each from where the one before it ended. */
async function checkChanges(db: Reader, id: string, body: { revision: number; version: string }): Promise<void> {
  const changes = await db
    .selectFrom("changes")
    .select(["revision", "before_version", "version"])
    .where("document_id", "=", id)
    .orderBy("revision")
    .execute();
  for (const [i, change] of changes.entries()) {
    const next = changes[i + 1];
    assert.equal(next?.revision ?? body.revision + 1, change.revision + 1);
    assert.equal(next?.before_version ?? body.version, change.version);
  }
}

/** The segments as the store holds them, not as memory does. */
async function storedSegments(db: Reader, documentId: string): Promise<Map<string, Node[]>> {
  const rows = await db
    .selectFrom("segments")
    .select(["hash", "content"])
    .where("document_id", "=", documentId)
    .execute();
  for (const row of rows) assert.equal(hash("sha256", row.content, "base64url"), row.hash);
  return new Map(rows.map((row) => [row.hash, JSON.parse(row.content)]));
}

/** All segments are there, and the version is that of the content, cut anew. */
function checkVersion(stored: ReadonlyMap<string, Node[]>, manifest: Manifest, version: string): Node[] {
  const blocks = manifest.flatMap((entry) => {
    const segment = stored.get(entry.hash);
    assert.equal(segment?.length, entry.count);
    return defined(segment);
  });
  assert.equal(versionOf(cut(blocks)), version);
  return blocks;
}
