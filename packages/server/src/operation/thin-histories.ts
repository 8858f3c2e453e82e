import { thinHistory } from "../bodies/history/thin-history.ts";
import type { Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import { ApiError } from "../errors.ts";
import type { Services } from "../services.ts";

/** Documents of one pass, each in a transaction of its own. */
const DOCUMENTS = 50;

/** Removes states that the history keeps no longer. Returns true if there may be more. */
export async function thinHistories(services: Services, now: number): Promise<boolean> {
  const due = await services.database.read
    .selectFrom("history_states")
    .select(["workspace_id", "document_id"])
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(DOCUMENTS * 20)
    .execute();
  const keys = new Map(
    due.map((row) => [row.document_id, { workspaceId: row.workspace_id, documentId: row.document_id }]),
  );
  const failures: unknown[] = [];
  for (const key of [...keys.values()].slice(0, DOCUMENTS)) failures.push(await thinOne(services, key, now));
  const failure = failures.find((error) => error !== undefined);
  if (failure) throw failure;
  return keys.size > DOCUMENTS || due.length === DOCUMENTS * 20;
}

/** A document may be deleted meanwhile. A failure is thrown only after the others had their turn. */
async function thinOne({ database, config }: Services, key: DocumentKey, now: number): Promise<unknown> {
  try {
    await database.transaction((tx) => thinHistory(tx, config, key, now));
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) return error;
    await database.transaction((tx) => removeLeftStates(tx, key));
    return undefined;
  }
}

/** Removes the history of a document that a release without histories has deleted. */
async function removeLeftStates(tx: Tx, { workspaceId, documentId }: DocumentKey): Promise<void> {
  const { count } = await tx
    .selectFrom("documents")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", documentId)
    .executeTakeFirstOrThrow();
  if (Number(count) > 0) return;
  for (const table of ["history_states", "history_segments"] as const)
    await tx.deleteFrom(table).where("workspace_id", "=", workspaceId).where("document_id", "=", documentId).execute();
}
