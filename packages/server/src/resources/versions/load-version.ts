import { StoredBody } from "../../bodies/body.ts";
import { loadJson } from "../../bodies/read-json.ts";
import { loadRuns } from "../../bodies/read-runs.ts";
import { getSnapshot } from "../../bodies/snapshots.ts";
import { type DocumentKey, loadSegments, SegmentMissing } from "../../bodies/store.ts";
import type { Reader } from "../../db/database.ts";
import type { BodySource } from "../content/render.ts";

/** The version that a snapshot kept, and where its body comes from. */
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
      // A write in between may have pruned the snapshot with its segments; if it is still there, the store is broken.
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

/** The body as a snapshot kept it. */
export async function loadVersion(db: Reader, key: DocumentKey, seq: number, retention: number): Promise<StoredBody> {
  const { source } = await findVersion(db, key, seq, retention);
  return source.body();
}
