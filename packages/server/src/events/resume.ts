import type { Database } from "../db/database.ts";
import { DAY_MS } from "../time.ts";
import { readHistory } from "./history.ts";
import { type EventReads, oldestSince, type StoredEvent } from "./queries.ts";

/** The reason why a reader cannot continue, and where it can. */
export interface SyncRequired {
  /** The newest event. Readers get the state before it by listing documents. */
  readonly resume_from: number;
  /** Null if no event is stored. */
  readonly oldest_available: number | null;
  readonly reason: "cursor_expired" | "cursor_unknown";
  /** The run of events that `resume_from` belongs to. */
  readonly history: string;
}

/** Events before this time have outlived the retention, removed or not. */
export const retainedSince = (retentionDays: number): number => Date.now() - retentionDays * DAY_MS;

/** Parses an id that was sent as text. Undefined if this server cannot have issued it. */
export const parseEventId = (text: string): number | undefined =>
  /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

/**
 * Whether every event after `id` is still stored. Ids have no gaps and old events are removed first, so it is enough to
 * check the next one.
 */
export async function checkResume(
  database: Database,
  reads: EventReads,
  { workspaceId, id, retentionDays }: { workspaceId: string; id: number | undefined; retentionDays: number },
): Promise<SyncRequired | undefined> {
  const newest = await reads.newest(workspaceId);
  if (id === newest) return undefined;
  const since = retainedSince(retentionDays);
  const [next] = id === undefined || id > newest ? [] : await reads.after(workspaceId, id, 1);
  if (next && id !== undefined && isNext(next, id) && next.created_at >= since) return undefined;
  const reason = id === undefined || id > newest ? "cursor_unknown" : "cursor_expired";
  return syncRequired(database, workspaceId, newest, since, reason);
}

export const isNext = (event: Pick<StoredEvent, "id">, position: number): boolean => event.id === position + 1;

export async function syncRequired(
  database: Database,
  workspaceId: string,
  newest: number,
  since: number,
  reason: SyncRequired["reason"],
): Promise<SyncRequired> {
  const [oldest, history] = await Promise.all([
    oldestSince(database.read, workspaceId, since),
    readHistory(database.read),
  ]);
  return { resume_from: newest, oldest_available: oldest?.id ?? null, reason, history };
}
