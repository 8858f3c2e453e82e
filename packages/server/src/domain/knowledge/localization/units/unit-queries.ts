import type { Reader, Tx } from "../../../../db/database.ts";
import type { TranslationUnitRow } from "../../../../db/schema/tables/localization.ts";
import { notFound } from "../../../../errors.ts";
import type { Unit } from "./unit-state.ts";

const BATCH = 500;

/** Identifies the target version whose units are meant. */
export interface TargetKey {
  readonly workspace_id: string;
  readonly document_id: string;
}

const unitsOf = (db: Reader, { workspace_id, document_id }: TargetKey) =>
  db
    .selectFrom("translation_units")
    .selectAll()
    .where("workspace_id", "=", workspace_id)
    .where("document_id", "=", document_id);

export const listUnits = (db: Reader, key: TargetKey): Promise<TranslationUnitRow[]> =>
  unitsOf(db, key).orderBy("id").execute();

/** Units whose column has one of these values. */
export async function listUnitsBy(
  db: Reader,
  key: TargetKey,
  column: "id" | "source_block_id" | "target_block_id",
  values: readonly string[],
): Promise<TranslationUnitRow[]> {
  const units: TranslationUnitRow[] = [];
  for (let i = 0; i < values.length; i += BATCH)
    units.push(
      ...(await unitsOf(db, key)
        .where(column, "in", values.slice(i, i + BATCH))
        .orderBy("id")
        .execute()),
    );
  return units;
}

export const listOrphans = (db: Reader, key: TargetKey, after: string, limit: number): Promise<TranslationUnitRow[]> =>
  unitsOf(db, key).where("source_hash", "is", null).where("id", ">", after).orderBy("id").limit(limit).execute();

export async function findUnit(
  db: Reader,
  workspaceId: string,
  targetIds: readonly string[],
  id: string,
): Promise<TranslationUnitRow> {
  const [row] =
    targetIds.length === 0
      ? []
      : await db
          .selectFrom("translation_units")
          .selectAll()
          .where("workspace_id", "=", workspaceId)
          .where("document_id", "in", targetIds)
          .where("id", "=", id)
          .execute();
  if (!row) throw notFound("translation_unit", id);
  return row;
}

/** Inserts or updates units. */
export async function upsertUnits(tx: Tx, units: readonly Unit[]): Promise<void> {
  for (let i = 0; i < units.length; i += 100)
    await tx
      .insertInto("translation_units")
      .values(units.slice(i, i + 100))
      .onConflict((conflict) =>
        conflict.columns(["workspace_id", "document_id", "id"]).doUpdateSet((eb) => ({
          source_block_id: eb.ref("excluded.source_block_id"),
          source_hash: eb.ref("excluded.source_hash"),
          target_block_id: eb.ref("excluded.target_block_id"),
          target_present: eb.ref("excluded.target_present"),
          target_hash: eb.ref("excluded.target_hash"),
          copied_hash: eb.ref("excluded.copied_hash"),
          agreed_source_hash: eb.ref("excluded.agreed_source_hash"),
          agreed_target_hash: eb.ref("excluded.agreed_target_hash"),
          agreed_origin: eb.ref("excluded.agreed_origin"),
          review_status: eb.ref("excluded.review_status"),
          candidate: eb.ref("excluded.candidate"),
          updated_at: eb.ref("excluded.updated_at"),
        })),
      )
      .execute();
}

export async function deleteUnits(tx: Tx, key: TargetKey, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += BATCH)
    await tx
      .deleteFrom("translation_units")
      .where("workspace_id", "=", key.workspace_id)
      .where("document_id", "=", key.document_id)
      .where("id", "in", ids.slice(i, i + BATCH))
      .execute();
}
