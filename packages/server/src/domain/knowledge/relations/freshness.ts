import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Cache } from "../../../cache/cache.ts";
import { keyOf } from "../../../cache/key-of.ts";
import type { Database, Reader } from "../../../db/database.ts";
import { findViewState, listViewStates } from "./document-queries.ts";

export type Freshness = "current" | "stale";

/** Documents compared per query. */
const STEP = 2000;

/**
 * Per workspace, the document id up to which views were found current. A current view stays current, because every
 * write of a body updates it, so it needs no second check.
 */
const SEEN_CURRENT = new Cache<string>("relations_current", { share: 1 / 64 });

/** Whether a document's stored links match its current body. */
export const outgoingFreshness = async (db: Reader, workspaceId: string, documentId: string): Promise<Freshness> =>
  (await findViewState(db, workspaceId, documentId))?.is_current ? "current" : "stale";

/** Whether the stored links of all documents of a workspace match their bodies; only then are backlinks complete. */
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
