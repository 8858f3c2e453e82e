import { getStateRow } from "../../../bodies/history/read-state.ts";
import { nameState } from "../../../bodies/history/states.ts";
import { lockState } from "../../../bodies/load-body.ts";
import type { Config } from "../../../config.ts";
import type { Tx } from "../../../db/database.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import type { HistoryStateRow } from "../../../db/schema/tables/history.ts";
import { checkExpected, type Expected, requireExpected } from "../../../http/preconditions.ts";
import { quotaExceeded } from "../../../quota-error.ts";
import { stateTag } from "./schema.ts";

interface Naming {
  readonly id: string;
  readonly name: string | null;
  readonly expected: Expected | undefined;
}

/** Gives a state a name, which keeps it for ever and ends its session, or takes it away. */
export async function giveName(
  tx: Tx,
  config: Config,
  key: DocumentKey,
  { id, name, expected }: Naming,
): Promise<HistoryStateRow> {
  await lockState(tx, key);
  const row = await getStateRow(tx, key, id);
  checkExpected(requireExpected(expected), stateTag(row));
  if (name === row.name) return row;
  if (name !== null && row.name === null) await checkRoom(tx, config.historyMaxNamed, key);
  // Retention looks at a state that loses its name at once.
  const due_at = name === null ? Date.now() : null;
  await nameState(tx, { ...key, id, name, dueAt: due_at });
  return { ...row, name, due_at };
}

async function checkRoom(tx: Tx, limit: number, key: DocumentKey): Promise<void> {
  const { count } = await tx
    .selectFrom("history_states")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("workspace_id", "=", key.workspaceId)
    .where("document_id", "=", key.documentId)
    .where("name", "is not", null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limit)
    throw quotaExceeded("named_versions", limit, Number(count), "Take the name of another one away.");
}
