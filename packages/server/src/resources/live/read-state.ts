import { packFrame, type StateHeader } from "@svc/live/frames";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Services } from "../../services.ts";
import { findEpoch } from "./epochs.ts";
import { openLive } from "./make-state.ts";
import { listUpdates } from "./queries.ts";

interface Reader {
  readonly userId: string;
  readonly mayWrite: boolean;
  /** The epoch that the tab has, if any. */
  readonly epoch: string | null;
}

/**
 * What a tab needs to begin: the live state and the rows since. A tab that comes from an ended epoch is also told which
 * of its updates are in the body: a second kind of part, the state vector, stands first then. One that has none of this
 * epoch gets a client id if it may write.
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
