import { defined } from "@svc/document/defined";
import type { Lease } from "../../../background/lease.ts";
import { Loop } from "../../../background/loop.ts";
import type { Reader, Tx } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { eventReads, type StoredEvent } from "../../../events/queries.ts";
import { notify, watchersOf } from "../../../notify/notify.ts";
import { hasUnreadWatch } from "../../../notify/queries.ts";
import type { Services } from "../../../services.ts";
import { loadActor } from "./load-actor.ts";

const PAUSE_MS = 2000;
const BATCH = 100;
const WATCHED_EVENTS = new Set(["document.created", "document.content.updated"]);

interface PageChange {
  readonly document_id: string;
  readonly actor: { readonly user_id: string; readonly token_id: string | null };
}

/**
 * Notifies watchers of new and changed pages. Reads the event log, so that edits do not wait for it. A person with an
 * unread notification about a page gets no second one.
 */
async function notifyWatchers(app: Services, lease: Lease, workspaceIds: readonly string[]): Promise<void> {
  for (const workspaceId of workspaceIds) while (await processBatch(app, lease, workspaceId));
}

/** Workspaces that have watchers and new events. */
async function listBehind(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom("watch_positions as p")
    .innerJoin("workspace_counters as c", "c.workspace_id", "p.workspace_id")
    .select("p.workspace_id")
    .whereRef("c.last_event_id", "!=", "p.last_event_id")
    .where((eb) =>
      eb.exists(
        eb.selectFrom("watches as w").select("w.user_id").whereRef("w.workspace_id", "=", "p.workspace_id").limit(1),
      ),
    )
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Processes the next events of a workspace and stores the new position, in one transaction; true if there are more. */
async function processBatch(app: Services, lease: Lease, workspaceId: string): Promise<boolean> {
  const reads = eventReads(app.database.read);
  const newest = await reads.newest(workspaceId);
  const position = await findPosition(app.database.read, workspaceId);
  if (position === undefined || position === newest) return false;
  // A position beyond the end means that the store was replaced by an older one.
  const events = position > newest ? [] : await reads.after(workspaceId, position, BATCH);
  const last = events.at(-1)?.id ?? newest;
  await app.database.transaction(async (tx) => {
    await lease.hold(tx);
    await putPosition(tx, workspaceId, last);
    const changed = changedIn(events);
    // Locked until the end of the transaction, because a page's notifications are deleted with it.
    const pages = await tx.lockAll("document", workspaceId, [...changed.keys()].sort(), "keep");
    for (const page of pages) await notifyForPage(app, tx, page, defined(changed.get(page.id)));
  });
  return last < newest;
}

/** The last change of each page. */
function changedIn(events: readonly StoredEvent[]): ReadonlyMap<string, PageChange> {
  const byPage = new Map<string, PageChange>();
  for (const { type, data } of events) {
    if (!WATCHED_EVENTS.has(type)) continue;
    const change: PageChange = JSON.parse(data);
    byPage.set(change.document_id, change);
  }
  return byPage;
}

async function notifyForPage(app: Services, tx: Tx, document: DocumentRow, { actor: by }: PageChange): Promise<void> {
  const { workspace_id: workspaceId } = document;
  const userIds: string[] = [];
  for (const user_id of new Set(await watchersOf(tx, document)))
    if (!(await hasUnreadWatch(tx, { workspace_id: workspaceId, user_id }, document.id))) userIds.push(user_id);
  if (userIds.length === 0) return;
  const actor = await loadActor(tx, { userId: by.user_id, tokenId: by.token_id, isAgent: false });
  await notify(app, tx, { workspaceId, document, actor, excerpt: "" }, [{ reason: "watch", userIds }]);
}

async function findPosition(db: Reader, workspaceId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("watch_positions")
    .select("last_event_id")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row?.last_event_id;
}

/** Called with the first watch of a workspace: earlier events are not notified. */
export async function beginPosition(tx: Tx, workspaceId: string): Promise<void> {
  const watch = await tx.selectFrom("watches").select("user_id").where("workspace_id", "=", workspaceId).limit(1);
  if (await watch.executeTakeFirst()) return;
  await putPosition(tx, workspaceId, await eventReads(tx).newest(workspaceId));
}

const putPosition = (tx: Tx, workspaceId: string, last_event_id: number) =>
  tx
    .insertInto("watch_positions")
    .values({ workspace_id: workspaceId, last_event_id })
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet({ last_event_id }))
    .execute();

/** Follows the events in one process at a time. */
export function startWatchNews(services: Services): () => Promise<void> {
  const loop = new Loop({
    round: async () => {
      const behind = await listBehind(services.database.read);
      if (behind.length > 0)
        await services.leases.during("watch news", (lease) => notifyWatchers(services, lease, behind));
    },
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => services.log.warn({ err: error }, "notifying watchers failed"),
  });
  return loop.stop;
}
