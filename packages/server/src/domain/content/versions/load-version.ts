import { StoredBody } from "../../../bodies/body.ts";
import { loadSegments, SegmentMissing } from "../../../bodies/load-body.ts";
import { loadJson } from "../../../bodies/read-json.ts";
import { loadRuns } from "../../../bodies/read-runs.ts";
import { getSnapshot } from "../../../bodies/snapshots.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { BodySource } from "../content/render.ts";

/** The version of a snapshot and where its body is loaded from. */
export async function findVersion(
  db: Reader,
  key: DocumentKey,
  seq: number,
  retention: number,
): Promise<{ readonly version: string; readonly source: BodySource }> {
  const { version, documentType, manifest } = await getSnapshot(db, key, seq, retention);
  const checked = async <T>(reading: Promise<T>): Promise<T> => {
    try {
      return await reading;
    } catch (error) {
      // A concurrent write may have pruned the snapshot with its segments; if the snapshot still exists, the store is
      // corrupt.
      if (error instanceof SegmentMissing) await getSnapshot(db, key, seq, retention);
      throw error;
    }
  };
  const state = { version, revision: seq, live_revisions: 0, document_type: documentType };
  return {
    version,
    source: {
      body: async () => new StoredBody(state, await checked(loadSegments(db, key, manifest))),
      json: async () => ({ version, json: await checked(loadJson(db, key, manifest)) }),
      runs: async (form) => ({ version, runs: await checked(loadRuns(db, key, manifest, form)) }),
    },
  };
}

/** The body of a snapshot. */
export async function loadVersion(db: Reader, key: DocumentKey, seq: number, retention: number): Promise<StoredBody> {
  const { source } = await findVersion(db, key, seq, retention);
  return source.body();
}
