import { type ExpressionBuilder, sql } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { Tables } from "../../../db/schema/tables.ts";

const BATCH = 500;

async function inBatches<T>(ids: readonly string[], find: (some: readonly string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let i = 0; i < ids.length; i += BATCH) found.push(...(await find(ids.slice(i, i + BATCH))));
  return found;
}

/** Returns the ids that are documents of the workspace. */
export async function listExistingIds(db: Reader, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await inBatches(ids, (some) =>
    db.selectFrom("documents").select("id").where("workspace_id", "=", workspaceId).where("id", "in", some).execute(),
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns the ids that are document sets of the workspace. */
export async function listExistingSets(db: Reader, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await inBatches(ids, (some) =>
    db
      .selectFrom("documents")
      .select("document_set_id")
      .distinct()
      .where("workspace_id", "=", workspaceId)
      .where("document_set_id", "is not", null)
      .where("document_set_id", "in", some)
      .execute(),
  );
  return rows.flatMap(({ document_set_id }) => document_set_id ?? []);
}

/** Both versions must come from one statement: a write between two statements could make a current view look stale. */
const viewStates = (db: Reader, workspaceId: string) =>
  db
    .selectFrom("documents as d")
    .leftJoin("relation_views as v", (join) =>
      join.onRef("v.workspace_id", "=", "d.workspace_id").onRef("v.document_id", "=", "d.id"),
    )
    .select(["d.id", sql<number>`case when v.version = d.version then 1 else 0 end`.as("is_current")])
    .where("d.workspace_id", "=", workspaceId);

/** The next documents by id, each with a flag (1 or 0) for whether its links were read from its current version. */
export const listViewStates = (db: Reader, workspaceId: string, after: string, limit: number) =>
  viewStates(db, workspaceId).where("d.id", ">", after).orderBy("d.id").limit(limit).execute();

export const findViewState = (db: Reader, workspaceId: string, documentId: string) =>
  viewStates(db, workspaceId).where("d.id", "=", documentId).executeTakeFirst();

export interface ListedDocument {
  readonly id: string;
  readonly title: string;
}

const inKnowledgeBase = (db: Reader, workspaceId: string, knowledgeBaseId: number) =>
  db
    .selectFrom("documents as d")
    .select(["d.id", "d.title"])
    .where("d.workspace_id", "=", workspaceId)
    .where("d.knowledge_base_id", "=", knowledgeBaseId);

export const listIdsOf = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  from: string,
  limit: number,
): Promise<ListedDocument[]> =>
  inKnowledgeBase(db, workspaceId, knowledgeBaseId).where("d.id", ">=", from).orderBy("d.id").limit(limit).execute();

type Row = ExpressionBuilder<Tables & { d: Tables["documents"] }, "d">;

const linkedInline = (eb: Row, vias: readonly string[]) =>
  eb
    .selectFrom("inline_relations as r")
    .select("r.id")
    .whereRef("r.workspace_id", "=", "d.workspace_id")
    .whereRef("r.target_document_id", "=", "d.id")
    .whereRef("r.document_id", "!=", "d.id")
    .where("r.via", "in", vias);

const linkedManually = (eb: Row) =>
  eb
    .selectFrom("manual_relations as m")
    .select("m.id")
    .whereRef("m.workspace_id", "=", "d.workspace_id")
    .whereRef("m.target_document_id", "=", "d.id")
    .whereRef("m.document_id", "!=", "d.id");

/** Documents in an inclusive range of ids that no other document points to. */
export const listUnlinked = (
  db: Reader,
  workspaceId: string,
  knowledgeBaseId: number,
  [from, to]: readonly [string, string],
  vias: readonly string[],
): Promise<ListedDocument[]> =>
  inKnowledgeBase(db, workspaceId, knowledgeBaseId)
    .where("d.id", ">=", from)
    .where("d.id", "<=", to)
    .where((eb) => eb.not(eb.exists(linkedInline(eb, vias))))
    .where((eb) => eb.not(eb.exists(linkedManually(eb))))
    .orderBy("d.id")
    .execute();

/** Counts the relations from other documents to each of these; omits those without any. */
export async function countIncoming(
  db: Reader,
  workspaceId: string,
  ids: readonly string[],
  vias: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const inline = await db
    .selectFrom("inline_relations")
    .select((eb) => ["target_document_id", eb.fn.countAll<number>().as("count")])
    .where("workspace_id", "=", workspaceId)
    .where("target_document_id", "in", ids)
    .whereRef("document_id", "!=", "target_document_id")
    .where("via", "in", vias)
    .groupBy("target_document_id")
    .execute();
  const manual = await db
    .selectFrom("manual_relations")
    .select((eb) => ["target_document_id", eb.fn.countAll<number>().as("count")])
    .where("workspace_id", "=", workspaceId)
    .where("target_document_id", "in", ids)
    .whereRef("document_id", "!=", "target_document_id")
    .groupBy("target_document_id")
    .execute();
  for (const { target_document_id: id, count } of [...inline, ...manual])
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + Number(count));
  return counts;
}
