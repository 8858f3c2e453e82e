import { packFrame, type StateHeader } from "@svc/live/frames";
import type { DocumentKey } from "../../bodies/store.ts";
import type { Services } from "../../services.ts";
import { findEpoch } from "./epochs.ts";
import { openLive } from "./make-state.ts";
import { listUpdates } from "./queries.ts";

/**
 * What a tab needs to begin: the live state and the rows since. A tab that comes from an ended epoch is also told which
 * of its updates are in the body: a second kind of part, the state vector, stands first then.
 */
export async function readState(app: Services, key: DocumentKey, from: string | null): Promise<Uint8Array> {
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
  };
  const updates = [state, ...rows.map(({ payload }) => payload)];
  return packFrame(header, ...(ended ? [ended.state_vector, ...updates] : updates));
}
