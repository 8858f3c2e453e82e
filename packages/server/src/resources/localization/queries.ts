import type { Reader, Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import type { DocumentSetRow, LocalizationAuditRow, TranslationStateRow } from "../../db/schema/tables/localization.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { notFound } from "../../errors.ts";

export const insertSet = (tx: Tx, row: DocumentSetRow) => tx.insertInto("document_sets").values(row).execute();

export const deleteSet = (tx: Tx, workspaceId: string, id: string) =>
  tx.deleteFrom("document_sets").where("workspace_id", "=", workspaceId).where("id", "=", id).execute();

export async function getSet(db: Reader, workspaceId: string, id: string): Promise<DocumentSetRow> {
  const row = await db
    .selectFrom("document_sets")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("document_set", id);
  return row;
}

export const listSets = (db: Reader, workspaceId: string, ids: readonly string[]): Promise<DocumentSetRow[]> =>
  db.selectFrom("document_sets").selectAll().where("workspace_id", "=", workspaceId).where("id", "in", ids).execute();

/** The language versions of a set, the source first, then by language. */
export async function listVersions(db: Reader, workspaceId: string, setId: string): Promise<DocumentRow[]> {
  const rows = await db
    .selectFrom("documents")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("document_set_id", "=", setId)
    .execute();
  const rank = ({ variant_role, locale }: DocumentRow) => `${variant_role === "source" ? 0 : 1}${locale}`;
  return rows.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

export const insertState = (tx: Tx, row: TranslationStateRow) =>
  tx.insertInto("translation_states").values(row).execute();

export const updateState = (tx: Tx, { workspace_id, document_id, ...row }: TranslationStateRow) =>
  tx
    .updateTable("translation_states")
    .set(row)
    .where("workspace_id", "=", workspace_id)
    .where("document_id", "=", document_id)
    .execute();

/** Locked to the end of the transaction: changes of one target's units go one after the other. */
export const lockState = (tx: Tx, workspaceId: string, documentId: string): Promise<TranslationStateRow | undefined> =>
  tx.lock("translation_state", workspaceId, documentId);

/** The same for all targets of a source. */
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

/** The same for all that changes of these documents' bodies touch, in one order: for who changes several at once. */
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

/** Newest first. */
/** `locales`: of these versions, and of none; undefined for all. */
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
