import type { Reader } from "../../db/database.ts";
import type { DocumentKey } from "../../db/document-key.ts";
import type { HistoryStateRow } from "../../db/schema/tables/history.ts";
import { notFound } from "../../errors.ts";
import { StoredBody } from "../body.ts";
import { getBody, loadSegments, SegmentMissing } from "../load-body.ts";
import { followStep, type Manifest, manifestOf, versionOf } from "../manifest.ts";

const ofDocument = (db: Reader, key: DocumentKey) =>
  db
    .selectFrom("history_states as h")
    .where("h.workspace_id", "=", key.workspaceId)
    .where("h.document_id", "=", key.documentId);

export async function getStateRow(db: Reader, key: DocumentKey, id: string): Promise<HistoryStateRow> {
  const row = await ofDocument(db, key).selectAll().where("h.id", "=", id).executeTakeFirst();
  if (!row) throw notFound("history_state", id);
  return row;
}

/** The state below a state: the one to compare it with. */
export const findStateBelow = (db: Reader, key: DocumentKey, place: number): Promise<HistoryStateRow | undefined> =>
  ofDocument(db, key).selectAll().where("h.place", "<", place).orderBy("h.place", "desc").limit(1).executeTakeFirst();

/** The newest state, which the body still has. */
export const findNewestState = (db: Reader, key: DocumentKey): Promise<HistoryStateRow | undefined> =>
  ofDocument(db, key).selectAll().orderBy("h.place", "desc").limit(1).executeTakeFirst();

/** Up to `limit` states below a place, newest first. */
export const listStates = (db: Reader, key: DocumentKey, below: number, limit: number): Promise<HistoryStateRow[]> =>
  ofDocument(db, key).selectAll().where("h.place", "<", below).orderBy("h.place", "desc").limit(limit).execute();

interface FoundState {
  readonly row: HistoryStateRow;
  readonly manifest: Manifest;
  readonly documentType: StoredBody["documentType"];
}

const MAX_ATTEMPTS = 10;

/** Reads data of a state; again if a write meanwhile changes the chain of states or removes segments. */
async function withState<T>(
  db: Reader,
  key: DocumentKey,
  id: string,
  read: (state: FoundState) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const state = await findState(db, key, id);
    try {
      if (versionOf(state.manifest) !== state.row.version) throw new ChainChanged(id);
      return await read(state);
    } catch (error) {
      const mayPass = error instanceof ChainChanged || error instanceof SegmentMissing;
      if (!mayPass || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

class ChainChanged extends Error {
  constructor(id: string) {
    super(`The chain of states does not lead to ${id}.`);
    this.name = "ChainChanged";
  }
}

/** Goes back from the body to a state, step by step. */
async function findState(db: Reader, key: DocumentKey, id: string): Promise<FoundState> {
  const body = await getBody(db, key);
  const row = await getStateRow(db, key, id);
  const steps = await ofDocument(db, key)
    .select("h.step")
    .where("h.place", ">=", row.place)
    .orderBy("h.place", "desc")
    .execute();
  const manifest = steps.reduce((next, { step }) => (step === null ? next : followStep(step, next)), manifestOf(body));
  return { row, manifest, documentType: body.document_type };
}

/** A state of the history, and the body that it had. */
export const loadState = (db: Reader, key: DocumentKey, id: string): Promise<StoredBody> =>
  withState(db, key, id, async ({ row, manifest, documentType }) => {
    const state = { version: row.version, revision: 0, live_revisions: 0, document_type: documentType };
    return new StoredBody(state, await loadSegments(db, key, manifest));
  });

export const withManifest = <T>(
  db: Reader,
  key: DocumentKey,
  id: string,
  read: (manifest: Manifest, version: string) => Promise<T>,
): Promise<T> => withState(db, key, id, ({ manifest, row }) => read(manifest, row.version));
