import type { Reader } from "../../../db/database.ts";
import { listVersions } from "./queries.ts";

/** Returns the id of a document, or null if it is hidden from the reader. */
type ShownId = (id: string | null) => string | null;

/** Looks up which ids a restricted reader may see; reads nothing for an unrestricted one. */
export async function shownIds(db: Reader, workspaceId: string, ids: Iterable<string | null>): Promise<ShownId> {
  if (db.audience === undefined) return (id) => id;
  const named = [...new Set(ids)].filter((id) => id !== null);
  const seen = await listVersions(db, workspaceId, named);
  return (id) => (id !== null && seen.has(id) ? id : null);
}
