import { StoredBody } from "../../../bodies/body.ts";
import { getBody, loadSegments } from "../../../bodies/load-body.ts";
import { manifestOf as segmentsOf } from "../../../bodies/manifest.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { BodyRow } from "../../../db/schema/tables/bodies.ts";
import type { ChangeRow } from "../../../db/schema/tables/events.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import { type ManifestEntry, manifestOf } from "./block-manifest.ts";
import { encodeWatermark, shortVersion, type Watermark } from "./change-cursor.ts";
import { listChanges } from "./queries.ts";
import { type StoredItem, unpackItems } from "./stored-items.ts";

/** A response ends with the write that reaches this number of changes; a write is never split. */
const MAX_ITEMS = 1000;
const MAX_WRITES = 250;

interface ChangeItem extends StoredItem {
  readonly source_version: string;
  readonly cursor: string;
}

interface Changes {
  readonly changes: readonly ChangeItem[];
  readonly manifest?: readonly ManifestEntry[];
  readonly cursor: string;
  readonly source_version: string;
  readonly freshness: "current" | "stale";
  readonly complete: boolean;
  readonly sync_required: boolean;
}

/** The initial state: all blocks, and a cursor for that state. */
async function beginning(
  db: Reader,
  secret: ServerSecret,
  key: DocumentKey,
  row: BodyRow,
  lost: boolean,
): Promise<Changes> {
  const body = new StoredBody(row, await loadSegments(db, key, segmentsOf(row)));
  return {
    changes: [],
    manifest: await manifestOf(body.blocks),
    cursor: encodeWatermark(secret, key.documentId, row),
    source_version: row.version,
    freshness: "current",
    complete: true,
    sync_required: lost,
  };
}

export async function readChanges(
  db: Reader,
  secret: ServerSecret,
  key: DocumentKey,
  after: Watermark | undefined,
  retention: number,
): Promise<Changes> {
  const row = await getBody(db, key);
  if (!after) return beginning(db, secret, key, row, false);
  // A watermark inside a write needs that write again.
  const from = after.items === undefined ? after.revision : after.revision - 1;
  if (from < row.revision - retention) return beginning(db, secret, key, row, true);
  const writes = await listChanges(db, key, from, row.revision, MAX_WRITES);
  if (!follows(writes, from, after, row)) return beginning(db, secret, key, row, true);
  const shown = upTo(writes, MAX_ITEMS);
  const { revision, version } = shown.at(-1) ?? row;
  return {
    changes: shown.flatMap((write) => itemsOf(secret, key.documentId, write, after)),
    cursor: encodeWatermark(secret, key.documentId, { revision, version }),
    source_version: version,
    freshness: version === row.version ? "current" : "stale",
    complete: revision === row.revision,
    sync_required: false,
  };
}

/** Whether the writes follow the watermark without a gap. */
function follows(writes: readonly ChangeRow[], from: number, after: Watermark, current: BodyRow): boolean {
  const [first] = writes;
  if (!first) return from === current.revision && after.version === shortVersion(current.version);
  const known = after.items === undefined ? first.before_version : first.version;
  return shortVersion(known) === after.version && writes.every((write, index) => write.revision === from + 1 + index);
}

function upTo(writes: readonly ChangeRow[], most: number): readonly ChangeRow[] {
  let items = 0;
  const end = writes.findIndex((write) => {
    items += write.item_count;
    return items >= most;
  });
  return end < 0 ? writes : writes.slice(0, end + 1);
}

/** Each change has a cursor for the position after it, so a reader may stop anywhere. */
function itemsOf(secret: ServerSecret, documentId: string, write: ChangeRow, after: Watermark): ChangeItem[] {
  const items = unpackItems(write.items);
  const done = write.revision === after.revision ? (after.items ?? 0) : 0;
  return items.slice(done).map((item, index) => {
    const behind = done + index + 1;
    const position = { revision: write.revision, version: write.version };
    const watermark = behind === items.length ? position : { ...position, items: behind };
    return { ...item, source_version: write.version, cursor: encodeWatermark(secret, documentId, watermark) };
  });
}
