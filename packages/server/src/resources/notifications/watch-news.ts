import { defined } from "@svc/document/defined";
import type { Lease } from "../../background/lease.ts";
import { Loop } from "../../background/loop.ts";
import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { eventReads, type StoredEvent } from "../../events/queries.ts";
import type { Services } from "../../services.ts";
import { doerOf } from "./doer.ts";
import { notify, watchersOf } from "./notify.ts";
import { hasUnreadWatch } from "./queries.ts";

const PAUSE_MS = 2000;
const BATCH = 100;
const TOLD = new Set(["document.created", "document.content.updated"]);

interface PageChange {
  readonly document_id: string;
  readonly actor: { readonly user_id: string; readonly token_id: string | null };
}

/**
 * Tells those who watch that a page is new or has changed. It follows the log of events, so that no edit waits for it.
 * Somebody who has not read the last such notification about a page gets no other.
 */
async function tellWatchers(app: Services, lease: Lease, workspaceIds: readonly string[]): Promise<void> {
  for (const workspaceId of workspaceIds) while (await tellSome(app, lease, workspaceId));
}

/** Workspaces where somebody watches something and something has happened since the last look. */
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

/** The next events of one workspace, and the position after them, in one transaction; true when there are more. */
async function tellSome(app: Services, lease: Lease, workspaceId: string): Promise<boolean> {
  const reads = eventReads(app.database.read);
  const newest = await reads.newest(workspaceId);
  const position = await findPosition(app.database.read, workspaceId);
  if (position === undefined || position === newest) return false;
  // A position beyond the end: the store was replaced by an older one.
  const events = position > newest ? [] : await reads.after(workspaceId, position, BATCH);
  const last = events.at(-1)?.id ?? newest;
  await app.database.transaction(async (tx) => {
    await lease.hold(tx);
    await putPosition(tx, workspaceId, last);
    const changed = changedIn(events);
    // They stay to the end of the transaction: notifications about a page go with it.
    const pages = await tx.lockAll("document", workspaceId, [...changed.keys()].sort(), "keep");
    for (const page of pages) await tellOf(app, tx, page, defined(changed.get(page.id)));
  });
  return last < newest;
}

/** The last change of each page. */
function changedIn(events: readonly StoredEvent[]): ReadonlyMap<string, PageChange> {
  const byPage = new Map<string, PageChange>();
  for (const { type, data } of events) {
    if (!TOLD.has(type)) continue;
    const change: PageChange = JSON.parse(data);
    byPage.set(change.document_id, change);
  }
  return byPage;
}

async function tellOf(app: Services, tx: Tx, document: DocumentRow, { actor }: PageChange): Promise<void> {
  const { workspace_id: workspaceId } = document;
  const userIds: string[] = [];
  for (const user_id of new Set(await watchersOf(tx, document)))
    if (!(await hasUnreadWatch(tx, { workspace_id: workspaceId, user_id }, document.id))) userIds.push(user_id);
  if (userIds.length === 0) return;
  const doer = await doerOf(tx, { userId: actor.user_id, tokenId: actor.token_id, isAgent: false });
  await notify(app, tx, { workspaceId, document, doer, excerpt: "" }, [{ reason: "watch", userIds }]);
}

async function findPosition(db: Reader, workspaceId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("watch_positions")
    .select("last_event_id")
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return row?.last_event_id;
}

/** Called with the first watch of a workspace: nobody is notified of what was before. */
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

/** Follows the events, by one process at a time. */
export function startWatchNews(services: Services): () => Promise<void> {
  const loop = new Loop({
    round: async () => {
      const behind = await listBehind(services.database.read);
      if (behind.length > 0)
        await services.leases.during("watch news", (lease) => tellWatchers(services, lease, behind));
    },
    pauseMs: () => PAUSE_MS * (0.5 + Math.random()),
    failed: (error) => services.log.warn({ err: error }, "those who watch could not be told"),
  });
  return loop.stop;
}
