import type { Db } from "../../db/database.ts";
import { prepare } from "../../db/prepared-lists.ts";
import type { LastEvent } from "./opening.ts";

const eventsFrom = prepare((db) =>
  db
    .selectFrom("events")
    .select(["document_id", "created_at"])
    .where("workspace_id", "=", "")
    .where("id", ">=", 0)
    .where("id", "<=", 0)
    .orderBy("id"),
);

/**
 * Documents that have changed between two states of a workspace, as its events tell. Undefined when the way from one to
 * the other cannot be followed, or has more than `most` events.
 */
export async function changedDocuments(
  db: Db,
  workspaceId: string,
  before: LastEvent,
  now: LastEvent,
  most: number,
): Promise<ReadonlySet<string> | undefined> {
  const changes = now.id - before.id;
  if (changes < 0 || changes > most) return undefined;
  const [first, ...events] = await eventsFrom(db, workspaceId, before.id, now.id);
  if (first?.created_at !== before.createdAt || events.length !== changes) return undefined;
  return new Set(events.map((row) => row.document_id));
}
