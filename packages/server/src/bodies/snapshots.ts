import type { Reader, Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { SnapshotRow } from "../db/schema/tables/bodies.ts";
import type { DocumentType } from "../db/schema/tables/documents.ts";
import { statement } from "../db/statement/statement.ts";
import { notFound } from "../errors.ts";
import type { StoredBody } from "./body.ts";
import { seqOf } from "./body.ts";
import { getBody } from "./load-body.ts";
import {
  compare,
  followStep,
  type Manifest,
  type ManifestEntry,
  manifestOf,
  missingFrom,
  writeStep,
} from "./manifest.ts";

export const insertSnapshot = statement<SnapshotRow, unknown>((db, value) =>
  db.insertInto("snapshots").values({
    workspace_id: value("workspace_id"),
    document_id: value("document_id"),
    seq: value("seq"),
    version: value("version"),
    manifest: value("manifest"),
    dropped: value("dropped"),
    byte_size: value("byte_size"),
    character_count: value("character_count"),
    reason: value("reason"),
    creator_id: value("creator_id"),
    created_at: value("created_at"),
    suggested_by: value("suggested_by"),
    client: value("client"),
  }),
);

const deleteUpTo = statement<DocumentKey & { upTo: number }, Pick<SnapshotRow, "seq" | "dropped">>((db, value) =>
  db
    .deleteFrom("snapshots")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("seq", "<=", value("upTo"))
    .returning(["seq", "dropped"]),
);

/** Segments that a state of the history needs stay (bodies/history). */
const deleteDropped = statement<DocumentKey & { hash: string; seq: number }, unknown>((db, value) =>
  db
    .deleteFrom("segments")
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("hash", "=", value("hash"))
    .where("added_revision", "<=", value("seq"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("history_segments as h")
            .select("h.hash")
            .whereRef("h.workspace_id", "=", "segments.workspace_id")
            .whereRef("h.document_id", "=", "segments.document_id")
            .whereRef("h.hash", "=", "segments.hash"),
        ),
      ),
    ),
);

/**
 * The first available `seq` of a body whose state has this `seq`. Older ones may still be stored, but nobody can read
 * them.
 */
export const firstKept = (seq: number, retention: number): number => seq - retention;

/** The number of snapshots removed at once: one by one they would cost every edit three statements. */
const REMOVED_TOGETHER = 8;

/**
 * Removes snapshots up to a seq, and the segments that are no longer needed: those that the state after a removed one
 * no longer had, unless a later state added them again.
 */
export async function pruneSnapshots(tx: Tx, key: DocumentKey, upTo: number): Promise<void> {
  if (upTo < 1 || upTo % REMOVED_TOGETHER !== 0) return;
  for (const { seq, dropped } of await deleteUpTo(tx, { ...key, upTo }))
    for (const hash of dropped === "" ? [] : dropped.split(",")) await deleteDropped.enqueue(tx, { ...key, hash, seq });
}

const selectSteps = statement<DocumentKey, Pick<SnapshotRow, "seq" | "manifest" | "dropped">>((db, value) =>
  db
    .selectFrom("snapshots")
    .select(["seq", "manifest", "dropped"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .orderBy("seq", "desc"),
);

const updateStep = statement<DocumentKey & Pick<SnapshotRow, "seq" | "manifest" | "dropped">, unknown>((db, value) =>
  db
    .updateTable("snapshots")
    .set({ manifest: value("manifest"), dropped: value("dropped") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("seq", "=", value("seq")),
);

/** Marks a segment as last added by an older state. */
const giveBack = statement<DocumentKey & { hash: string; seq: number }, unknown>((db, value) =>
  db
    .updateTable("segments")
    .set({ added_revision: value("seq") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("document_id", "=", value("documentId"))
    .where("hash", "=", value("hash"))
    .where("added_revision", ">", value("seq")),
);

/**
 * A live change makes no snapshot: the newest snapshot then leads back from the new state. A segment that the new state
 * no longer has belongs to the newest snapshot that has it, and is deleted with it; if no snapshot has it, it is
 * deleted at once.
 */
export async function followLive(
  tx: Tx,
  key: DocumentKey,
  before: StoredBody,
  after: StoredBody,
  dropped: readonly ManifestEntry[],
): Promise<void> {
  const steps = await selectSteps(tx, key);
  const newest = steps[0];
  if (newest) {
    const kept = followStep(newest.manifest, before.segments);
    const difference = compare(kept, after.segments);
    newest.manifest = writeStep(difference, difference.before);
    newest.dropped = missingFrom(after.segments, difference.before)
      .map(({ hash }) => hash)
      .join(",");
    await updateStep.enqueue(tx, { ...key, ...newest });
  }
  for (const { hash } of dropped) {
    const holder = steps.find((step) => step.dropped.split(",").includes(hash));
    if (holder) await giveBack.enqueue(tx, { ...key, hash, seq: holder.seq });
    else await deleteDropped.enqueue(tx, { ...key, hash, seq: after.seq });
  }
}

/** The id and reason of a document's newest snapshot, if it has one. */
export const findNewestSnapshot = (
  db: Reader,
  key: DocumentKey,
): Promise<Pick<SnapshotRow, "seq" | "reason"> | undefined> =>
  db
    .selectFrom("snapshots")
    .select(["seq", "reason"])
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();

interface SnapshotState {
  readonly version: string;
  readonly documentType: DocumentType;
  readonly manifest: Manifest;
}

/** The state of a snapshot, computed by going back from the current one step by step. */
export async function getSnapshot(
  db: Reader,
  key: DocumentKey,
  seq: number,
  retention: number,
): Promise<SnapshotState> {
  const body = await getBody(db, key);
  if (seq < firstKept(seqOf(body), retention)) throw notFound("version", seq);
  const steps = await db
    .selectFrom("snapshots")
    .select(["seq", "version", "manifest"])
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("seq", ">=", seq)
    .where("seq", "<", seqOf(body))
    .orderBy("seq", "desc")
    .execute();
  const asked = steps.at(-1);
  if (asked?.seq !== seq) throw notFound("version", seq);
  const manifest = steps.reduce((next, step) => followStep(step.manifest, next), manifestOf(body));
  return { version: asked.version, documentType: body.document_type, manifest };
}
