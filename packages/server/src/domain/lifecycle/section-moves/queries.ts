import type { Reader, Tx } from "../../../db/database.ts";
import { batchesOf } from "../../../db/statement/batches.ts";
import type { Moved } from "./relink.ts";

/** Documents with a link to one of these blocks, each with its knowledge base. */
export async function listLinking(
  db: Reader,
  workspaceId: string,
  documentId: string,
  blockIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const ids of batchesOf([...blockIds])) {
    const rows = await db
      .selectFrom("inline_relations as r")
      .innerJoin("documents as d", (join) =>
        join.onRef("d.workspace_id", "=", "r.workspace_id").onRef("d.id", "=", "r.document_id"),
      )
      .select(["d.id", "d.knowledge_base_id"])
      .distinct()
      .where("r.workspace_id", "=", workspaceId)
      .where("r.target_document_id", "=", documentId)
      .where("r.target_block_id", "in", ids)
      .execute();
    for (const row of rows) found.set(row.id, row.knowledge_base_id);
  }
  return found;
}

/** Moves the blocks' threads and stated relations along. Returns whether there were any of each. */
export async function moveAttached(tx: Tx, workspaceId: string, { from, to, blockIds }: Moved) {
  let [hasThreads, hasRelations] = [false, false];
  for (const ids of batchesOf([...blockIds])) {
    for (const table of ["comments", "deleted_comments"] as const) {
      const threads = await tx
        .selectFrom(table)
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("document_id", "=", from)
        .where("anchor_block_id", "in", ids)
        .execute();
      hasThreads ||= threads.length > 0;
      for (const thread of batchesOf(threads.map(({ id }) => id))) await moveThreads(tx, workspaceId, to, thread);
    }
    const stated = await tx
      .updateTable("manual_relations")
      .set({ document_id: to })
      .where("workspace_id", "=", workspaceId)
      .where("document_id", "=", from)
      .where("source_block_id", "in", ids)
      .returning("id")
      .execute();
    hasRelations ||= stated.length > 0;
    for (const id of ids)
      await tx
        .updateTable("manual_relations")
        .set({ target_document_id: to, target_uri: `svc://doc/${to}#block=${id}` })
        .where("workspace_id", "=", workspaceId)
        .where("target_document_id", "=", from)
        .where("target_block_id", "=", id)
        .execute();
  }
  return { hasThreads, hasRelations };
}

async function moveThreads(tx: Tx, workspaceId: string, to: string, threadIds: readonly string[]): Promise<void> {
  const moved = await tx
    .updateTable("comments")
    .set({ document_id: to })
    .where("workspace_id", "=", workspaceId)
    .where("thread_id", "in", threadIds)
    .returning("id")
    .execute();
  await tx
    .updateTable("deleted_comments")
    .set({ document_id: to })
    .where("workspace_id", "=", workspaceId)
    .where("thread_id", "in", threadIds)
    .execute();
  for (const ids of batchesOf(moved.map(({ id }) => id)))
    await tx
      .updateTable("comment_reactions")
      .set({ document_id: to })
      .where("workspace_id", "=", workspaceId)
      .where("comment_id", "in", ids)
      .execute();
}
