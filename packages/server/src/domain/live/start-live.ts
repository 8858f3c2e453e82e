import { Loop } from "../../background/loop.ts";
import { RECENT_MS } from "../../bodies/recent-states.ts";
import type { Services } from "../../services.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";
import { endEpoch } from "./epochs.ts";
import { lockLive } from "./queries.ts";

const LOOK_MS = 5_000;
/** Fold updates here if no connected process has folded them for this long. */
const LEFT_MS = 5_000;
const MAX_AT_ONCE = 20;
/** A tab that was away longer merges when it reconnects, so rows that are in the state need not be kept. */
const ROWS_MS = 10 * MINUTE_MS;
/** A live state unused for this long is dropped; the next opening creates it again. */
const UNUSED_MS = DAY_MS;
const EPOCH_DAYS = 30;
/** Earlier releases stored restore points for this long. */
const RESTORE_POINT_DAYS = 30;
/** Number of passes between searches for old rows. */
const SWEEP_EVERY = 12;

/** Folds updates left by dead processes and removes expired data. Every process may do it; none needs to. */
export function startLive(app: Services): () => Promise<void> {
  let look = 0;
  return new Loop({
    round: async () => {
      await foldLeft(app);
      if (look++ % SWEEP_EVERY === 0) await sweepLive(app, Date.now());
    },
    pauseMs: LOOK_MS,
    failed: (error) => app.log.warn({ err: error }, "live documents could not be looked after"),
  }).stop;
}

async function foldLeft(
  { database, live }: Pick<Services, "database" | "live">,
  before = Date.now() - LEFT_MS,
): Promise<void> {
  const left = await database.read
    .selectFrom("live_documents")
    .select(["workspace_id", "document_id"])
    .where("unfolded_since", "<", before)
    .where("holder_until", "<", Date.now())
    .orderBy("unfolded_since")
    .limit(MAX_AT_ONCE)
    .execute();
  // Refused text stays in the live state; the next editor who opens the document sees the reason.
  for (const row of left)
    await live.reconcile({ workspaceId: row.workspace_id, documentId: row.document_id }).catch(() => undefined);
}

export async function sweepLive(app: Services, now: number): Promise<void> {
  const { database } = app;
  await database.transaction(async (tx) => {
    await tx
      .deleteFrom("live_people")
      .where("expires_at", "<", now - MINUTE_MS)
      .execute();
    await tx
      .deleteFrom("live_epochs")
      .where("ended_at", "<", now - EPOCH_DAYS * DAY_MS)
      .execute();
    await tx
      .deleteFrom("recent_states")
      .where("created_at", "<", now - RECENT_MS)
      .execute();
    await tx
      .deleteFrom("restore_points")
      .where("created_at", "<", now - RESTORE_POINT_DAYS * DAY_MS)
      .execute();
  });
  await removeRows(app, now);
  await dropUnused(app, now);
}

/** Removes rows that are in their document's state once no tab can request them any more. */
async function removeRows({ database }: Pick<Services, "database">, now: number): Promise<void> {
  const compacted = await database.read
    .selectFrom("live_documents")
    .select(["workspace_id", "document_id", "epoch", "state_seq"])
    .where("state_seq", ">", 0)
    .where("used_at", ">", now - DAY_MS)
    .limit(500)
    .execute();
  for (const { workspace_id, document_id, epoch, state_seq } of compacted)
    await database.transaction((tx) =>
      tx
        .deleteFrom("live_updates")
        .where("workspace_id", "=", workspace_id)
        .where("document_id", "=", document_id)
        .where("epoch", "=", epoch)
        .where("seq", "<=", state_seq)
        .where("created_at", "<", now - ROWS_MS)
        .execute(),
    );
}

async function dropUnused({ database }: Pick<Services, "database">, now: number): Promise<void> {
  const unused = await database.read
    .selectFrom("live_documents")
    .select(["workspace_id", "document_id"])
    .where("used_at", "<", now - UNUSED_MS)
    .limit(MAX_AT_ONCE)
    .execute();
  for (const { workspace_id: workspaceId, document_id: documentId } of unused) {
    const key = { workspaceId, documentId };
    await database.transaction(async (tx) => {
      const row = await lockLive(tx, key);
      const isDone = row && row.used_at < now - UNUSED_MS && row.folded_seq === row.last_seq;
      if (isDone) await endEpoch(tx, key, row);
    });
  }
}
