import { sql } from "kysely";
import type { Reader, Tx } from "../../../db/database.ts";
import type { ManualRelationRow } from "../../../db/schema/tables/relations.ts";
import { REFERS_TO } from "./predicates.ts";

const BATCH = 500;

/** A relation of either origin. */
export interface Relation extends Omit<ManualRelationRow, "target_document_id"> {
  readonly origin: "inline" | "manual";
  readonly target_document_id: string | null;
}

const columns = [
  "workspace_id",
  "id",
  "document_id",
  "source_block_id",
  "target_uri",
  "target_document_id",
  "target_block_id",
  "anchor_text",
  "created_by",
  "created_at",
] as const;
const inlineColumns = columns.map((column) => `r.${column}` as const);

/** Links that name this service, with the document version that they were read from. */
const inlineRelations = (db: Reader, workspaceId: string, vias: readonly string[]) =>
  db
    .selectFrom("inline_relations as r")
    .leftJoin("relation_views as v", (join) =>
      join.onRef("v.workspace_id", "=", "r.workspace_id").onRef("v.document_id", "=", "r.document_id"),
    )
    .select(inlineColumns)
    .select((eb) => [
      eb.fn.coalesce("v.version", sql.lit("")).as("source_version"),
      sql.lit(REFERS_TO).as("predicate"),
      sql.lit("inline" as const).as("origin"),
    ])
    .where("r.workspace_id", "=", workspaceId)
    .where("r.via", "in", vias);

const manualRelations = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("manual_relations")
    .select([...columns, "source_version", "predicate", sql.lit("manual" as const).as("origin")])
    .where("workspace_id", "=", workspaceId);

/** The requested end of relations. */
export interface RelationEnd {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly end: "document_id" | "target_document_id";
  /** Omits a document's relations to itself. */
  readonly withoutSelf?: boolean;
}

/** Inline relations of a document, by id. */
export function listInline(
  db: Reader,
  { workspaceId, documentId, end, withoutSelf }: RelationEnd,
  vias: readonly string[],
  after: string,
  limit: number,
): Promise<Relation[]> {
  let rows = inlineRelations(db, workspaceId, vias).where(`r.${end}`, "=", documentId).where("r.id", ">", after);
  if (withoutSelf) rows = rows.where("r.document_id", "!=", documentId);
  return rows.orderBy("r.id").limit(limit).execute();
}

/** Stated relations of a document, by id. */
export function listManual(
  db: Reader,
  { workspaceId, documentId, end, withoutSelf }: RelationEnd,
  predicate: string | undefined,
  after: string,
  limit: number,
): Promise<Relation[]> {
  let rows = manualRelations(db, workspaceId).where(end, "=", documentId).where("id", ">", after);
  if (predicate !== undefined) rows = rows.where("predicate", "=", predicate);
  if (withoutSelf) rows = rows.where("document_id", "!=", documentId);
  return rows.orderBy("id").limit(limit).execute();
}

/** Relations from any of these documents, by document and id. */
export async function listOutgoingOf(
  db: Reader,
  workspaceId: string,
  documentIds: readonly string[],
  vias: readonly string[],
  [afterDocument = "", afterId = ""]: readonly string[],
  limit: number,
): Promise<Relation[]> {
  const inline = await inlineRelations(db, workspaceId, vias)
    .where("r.document_id", "in", documentIds)
    .where((eb) => eb.or([eb("r.document_id", "!=", afterDocument), eb("r.id", ">", afterId)]))
    .orderBy("r.document_id")
    .orderBy("r.id")
    .limit(limit)
    .execute();
  const manual = await manualRelations(db, workspaceId)
    .where("document_id", "in", documentIds)
    .where((eb) => eb.or([eb("document_id", "!=", afterDocument), eb("id", ">", afterId)]))
    .orderBy("document_id")
    .orderBy("id")
    .limit(limit)
    .execute();
  return [...inline, ...manual]
    .sort((a, b) => compare(a.document_id, b.document_id) || compare(a.id, b.id))
    .slice(0, limit);
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const insertManual = (tx: Tx, rows: ManualRelationRow | readonly ManualRelationRow[]) =>
  tx.insertInto("manual_relations").values(rows).execute();

export async function deleteManual(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom("manual_relations")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return gone !== undefined;
}

export const findManual = (db: Reader, workspaceId: string, id: string) =>
  manualRelations(db, workspaceId).where("id", "=", id).executeTakeFirst();

export const findInline = (db: Reader, workspaceId: string, vias: readonly string[], id: string) =>
  inlineRelations(db, workspaceId, vias).where("r.id", "=", id).executeTakeFirst();

/** Deletes all relations from these documents. Relations to them remain and dangle. */
export async function deleteRelationsOf(tx: Tx, workspaceId: string, documentIds: readonly string[]): Promise<void> {
  for (let i = 0; i < documentIds.length; i += BATCH)
    for (const table of ["inline_relations", "relation_views", "manual_relations"] as const)
      await tx
        .deleteFrom(table)
        .where("workspace_id", "=", workspaceId)
        .where("document_id", "in", documentIds.slice(i, i + BATCH))
        .execute();
}
