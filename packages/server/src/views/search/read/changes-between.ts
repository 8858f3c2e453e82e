import type { Reader } from "../../../db/database.ts";
import { statement } from "../../../db/statement/statement.ts";
import type { LastEvent } from "./opening.ts";

const eventsFrom = statement<{ workspaceId: string; from: number; to: number }, Change>((db, value) =>
  db
    .selectFrom("events")
    .select(["id", "document_id as documentId", "created_at as createdAt"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", ">=", value("from"))
    .where("id", "<=", value("to"))
    .orderBy("id"),
);

/** An event and its document. */
export type Change = LastEvent & { readonly documentId: string };

/**
 * Returns the changes from one state of a workspace to another, read from its events, starting after the last event of
 * the first state. Returns undefined if the events between them are not complete, or more than `most`.
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
  const changes = await eventsFrom(db, { workspaceId, from: before.id, to: now.id });
  return changes[0]?.createdAt === before.createdAt && changes.length === length + 1 ? changes : undefined;
}
