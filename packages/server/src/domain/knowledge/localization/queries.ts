import type { Reader, Tx } from "../../../db/database.ts";
import type {
  DocumentSetRow,
  LocalizationAuditRow,
  TranslationStateRow,
} from "../../../db/schema/tables/localization.ts";
import { batchesOf } from "../../../db/statement/batches.ts";

export const insertSet = (tx: Tx, row: DocumentSetRow) => tx.insertInto("document_sets").values(row).execute();

export const deleteSet = (tx: Tx, workspaceId: string, id: string) =>
  tx.deleteFrom("document_sets").where("workspace_id", "=", workspaceId).where("id", "=", id).execute();

export const listSets = (db: Reader, workspaceId: string, ids: readonly string[]): Promise<DocumentSetRow[]> =>
  db.selectFrom("document_sets").selectAll().where("workspace_id", "=", workspaceId).where("id", "in", ids).execute();

export const insertState = (tx: Tx, row: TranslationStateRow) =>
  tx.insertInto("translation_states").values(row).execute();

export const updateState = (tx: Tx, { workspace_id, document_id, ...row }: TranslationStateRow) =>
  tx
    .updateTable("translation_states")
    .set(row)
    .where("workspace_id", "=", workspace_id)
    .where("document_id", "=", document_id)
    .execute();

/** Locks the state until the end of the transaction, so that changes of one target's units are serialized. */
export const lockState = (tx: Tx, workspaceId: string, documentId: string): Promise<TranslationStateRow | undefined> =>
  tx.lock("translation_state", workspaceId, documentId);

/** Same for all targets of a source. */
export async function lockStatesOf(tx: Tx, workspaceId: string, sourceId: string): Promise<TranslationStateRow[]> {
  const targets = await tx
    .selectFrom("translation_states")
    .select("document_id")
    .where("workspace_id", "=", workspaceId)
    .where("source_document_id", "=", sourceId)
    .execute();
  const ids = targets.map((row) => row.document_id);
  return (await tx.lockAll("translation_state", workspaceId, ids)).filter((row) => row.source_document_id === sourceId);
}

/**
 * Same for all states that changes of these documents' bodies affect, in a fixed order, for callers that change several
 * at once.
 */
export async function lockStatesAround(tx: Tx, workspaceId: string, documentIds: readonly string[]): Promise<void> {
  const around = new Set<string>();
  for (const some of batchesOf(documentIds)) {
    const states = await tx
      .selectFrom("translation_states")
      .select("document_id")
      .where("workspace_id", "=", workspaceId)
      .where((eb) => eb.or([eb("source_document_id", "in", some), eb("document_id", "in", some)]))
      .execute();
    for (const { document_id } of states) around.add(document_id);
  }
  await tx.lockAll("translation_state", workspaceId, [...around]);
}

export async function deleteStates(tx: Tx, workspaceId: string, documentIds: readonly string[]): Promise<void> {
  for (let i = 0; i < documentIds.length; i += 500)
    await tx
      .deleteFrom("translation_states")
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "in", documentIds.slice(i, i + 500))
      .execute();
}

export const insertAudit = async (tx: Tx, rows: readonly LocalizationAuditRow[]): Promise<void> => {
  for (let i = 0; i < rows.length; i += 100)
    await tx
      .insertInto("localization_audit")
      .values(rows.slice(i, i + 100))
      .execute();
};

/** Newest first. `locales`: only entries of these versions and entries of no version; undefined for all. */
export const listAudit = (
  db: Reader,
  workspaceId: string,
  sourceId: string,
  locales: readonly string[] | undefined,
  before: string,
  limit: number,
) =>
  db
    .selectFrom("localization_audit")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_id", "=", sourceId)
    .$if(locales !== undefined, (query) =>
      query.where((eb) => eb.or([eb("locale", "is", null), eb("locale", "in", locales ?? [])])),
    )
    .$if(before !== "", (query) => query.where("id", "<", before))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
