import { packFrame, type StateHeader } from "@svc/live/frames";
import type { DocumentKey } from "../../db/document-key.ts";
import type { Services } from "../../services.ts";
import { findEpoch } from "./epochs.ts";
import { openLive } from "./make-state.ts";
import { listUpdates } from "./queries.ts";

interface Reader {
  readonly userId: string;
  readonly mayWrite: boolean;
  /** The tab's epoch, if any. */
  readonly epoch: string | null;
}

/**
 * The data that a tab needs to start: the live state and the rows since. A tab from an ended epoch also receives the
 * state vector of its updates that are in the body, as a second kind of part at the beginning. A tab without data of
 * this epoch gets a client id if it may write.
 */
export async function readState(app: Services, key: DocumentKey, reader: Reader): Promise<Uint8Array> {
  const { epoch: from } = reader;
  const row = await openLive(app, key);
  const { epoch, encoding, state, state_seq: after, last_seq: seq } = row;
  const rows = await listUpdates(app.database.read, { ...key, epoch, after, upTo: seq });
  const ended = from !== null && from !== epoch ? await findEpoch(app.database.read, key, from) : undefined;
  const header: StateHeader = {
    epoch,
    encoding,
    seq,
    foldedSeq: row.folded_seq,
    foldedVersion: row.folded_version,
    hasVector: ended !== undefined,
    ...(reader.mayWrite && from !== epoch && (await app.live.giveClient(key, epoch, reader.userId))),
  };
  const updates = [state, ...rows.map(({ payload }) => payload)];
  return packFrame(header, ...(ended ? [ended.state_vector, ...updates] : updates));
}
