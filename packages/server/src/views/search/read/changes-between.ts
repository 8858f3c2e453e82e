import type { Reader } from "../../../db/database.ts";
import { prepare } from "../../../db/statement/list-statement.ts";
import type { LastEvent } from "./opening.ts";

const eventsFrom = prepare((db) =>
  db
    .selectFrom("events")
    .select(["id", "document_id as documentId", "created_at as createdAt"])
    .where("workspace_id", "=", "")
    .where("id", ">=", 0)
    .where("id", "<=", 0)
    .orderBy("id"),
);

/** An event, and the document that it is about. */
export type Change = LastEvent & { readonly documentId: string };

/**
 * The changes from one state of a workspace to another, as its events tell, after the last one of the first state.
 * Undefined when the way from one to the other cannot be followed, or has more than `most` events.
 */
export async function changesBetween(
  db: Reader,
  workspaceId: string,
  before: LastEvent,
  now: LastEvent,
  most: number,
): Promise<readonly Change[] | undefined> {
  const length = now.id - before.id;
  if (length < 0 || length > most) return undefined;
  const changes = await eventsFrom(db, workspaceId, before.id, now.id);
  return changes[0]?.createdAt === before.createdAt && changes.length === length + 1 ? changes : undefined;
}
