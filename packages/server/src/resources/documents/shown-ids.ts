import type { Reader } from "../../db/database.ts";
import { listVersions } from "./queries.ts";

/** An id of a document as a reader is told it: null for one that is hidden from them. */
type ShownId = (id: string | null) => string | null;

/** Looks these ids up for a reader from whom knowledge bases are hidden; for one who sees all, nothing is read. */
export async function shownIds(db: Reader, workspaceId: string, ids: Iterable<string | null>): Promise<ShownId> {
  if (db.audience === undefined) return (id) => id;
  const named = [...new Set(ids)].filter((id) => id !== null);
  const seen = await listVersions(db, workspaceId, named);
  return (id) => (id !== null && seen.has(id) ? id : null);
}
