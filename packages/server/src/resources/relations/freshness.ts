import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Cache } from "../../cache/cache.ts";
import { keyOf } from "../../cache/key-of.ts";
import type { Database, Reader } from "../../db/database.ts";
import { findViewState, listViewStates } from "./document-queries.ts";

export type Freshness = "current" | "stale";

/** Documents compared in one go. */
const STEP = 2000;

/**
 * Up to which document id each workspace's views were seen to be current. A view that is current stays so, because
 * every write of a body brings its view along; so what was compared once need not be compared again.
 */
const SEEN_CURRENT = new Cache<string>("relations_current", { share: 1 / 64 });

/** Whether a document's own links are those of its body as it is now. */
export const outgoingFreshness = async (db: Reader, workspaceId: string, documentId: string): Promise<Freshness> =>
  (await findViewState(db, workspaceId, documentId))?.is_current ? "current" : "stale";

/** Whether the links of all documents of a workspace are those of their bodies: only then are back-links complete. */
export async function incomingFreshness(database: Database, workspaceId: string): Promise<Freshness> {
  const key = keyOf(database) + workspaceId;
  for (;;) {
    const after = SEEN_CURRENT.get(key) ?? "";
    const rows = await listViewStates(database.read, workspaceId, after, STEP);
    const stale = rows.findIndex((row) => !row.is_current);
    const last = rows.at(stale === -1 ? -1 : stale - 1);
    if (last && stale !== 0) SEEN_CURRENT.put(key, last.id, 2 * last.id.length);
    if (stale !== -1) return "stale";
    if (rows.length < STEP) return "current";
    await yieldToEventLoop();
  }
}
