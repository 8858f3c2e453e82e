import { Loop } from "../../background/loop.ts";
import type { Services } from "../../services.ts";
import { DAY_MS, MINUTE_MS } from "../../time.ts";
import { endEpoch } from "./epochs.ts";
import { lockLive } from "./queries.ts";
import { RESTORE_POINT_DAYS } from "./restore-points.ts";

const LOOK_MS = 5_000;
/** Updates that no connected process has folded for so long are folded here. */
const LEFT_MS = 5_000;
const MOST_AT_ONCE = 20;
/** A tab that was away for longer comes back by merging, so rows that are in the state need not be kept. */
const ROWS_MS = 10 * MINUTE_MS;
/** A live state that nobody used for so long is dropped; the next opening makes it again. */
const UNUSED_MS = DAY_MS;
const EPOCH_DAYS = 30;
/** How often old rows are looked for, in looks. */
const SWEEP_EVERY = 12;

/** Folds what dead processes left and removes what has outlived its use. Every process may do it; none needs to. */
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

async function foldLeft({ database, live }: Services, before = Date.now() - LEFT_MS): Promise<void> {
  const left = await database.read
    .selectFrom("live_documents")
    .select(["workspace_id", "document_id"])
    .where("unfolded_since", "<", before)
    .where("holder_until", "<", Date.now())
    .orderBy("unfolded_since")
    .limit(MOST_AT_ONCE)
    .execute();
  // What the body refuses stays in the live state; the next editor who opens the document sees why.
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
      .deleteFrom("restore_points")
      .where("created_at", "<", now - RESTORE_POINT_DAYS * DAY_MS)
      .execute();
  });
  await removeRows(app, now);
  await dropUnused(app, now);
}

/** Rows that are in their document's state, once nobody can ask for them any more. */
async function removeRows({ database }: Services, now: number): Promise<void> {
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

async function dropUnused({ database }: Services, now: number): Promise<void> {
  const unused = await database.read
    .selectFrom("live_documents")
    .select(["workspace_id", "document_id"])
    .where("used_at", "<", now - UNUSED_MS)
    .limit(MOST_AT_ONCE)
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
