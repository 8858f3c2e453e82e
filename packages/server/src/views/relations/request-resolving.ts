import type { Tx } from "../../db/database.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { newId } from "../../ids.ts";
import { insertJob } from "../../jobs/queries.ts";
import type { Services } from "../../services.ts";

/** The kind of the jobs that bring links by name to the pages that fit them best. */
export const RESOLVE_LINKS = "resolve_links";

/** The same, for what was met at the last moment (late-looks.ts). Releases that do not know of it leave it to others. */
export const RESOLVE_LATE = "resolve_links_late";

/** Titles of one job, and documents of one that are gone. */
export const MOST_NAMES = 200;

/**
 * Whose links are to be looked at: those by these titles, and those of a document that lead to nothing; those by the
 * titles of all documents in a folder; or those that lead to documents that are gone.
 */
export type Names =
  | { readonly knowledge_base_id: number; readonly keys: readonly string[]; readonly document_id?: string }
  | { readonly folder_id: number }
  | { readonly gone: readonly string[] };

/**
 * Links by name are brought to the pages that fit them best now, by a server in the background. One request that waits
 * stands for all that ask for the same: it is locked, so it begins after their commit.
 */
export async function requestResolving(tx: Tx, app: Services, workspaceId: string, names: Names): Promise<void> {
  const waiting = await tx
    .updateTable("jobs")
    .set((eb) => ({ ready_at: eb.ref("ready_at") }))
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", RESOLVE_LINKS)
    .where("status", "=", "pending")
    .where("payload", "=", JSON.stringify(names))
    .returning("id")
    .execute();
  if (waiting.length > 0) return;
  const job = { workspaceId, id: newId("rjob"), kind: RESOLVE_LINKS, payload: names, createdBy: "" };
  await insertJob(tx, job, app.wakeJobs);
}

/** The same for many titles of a knowledge base. */
export async function requestForTitles(
  tx: Tx,
  app: Services,
  workspaceId: string,
  knowledgeBaseId: number,
  keys: readonly string[],
): Promise<void> {
  for (const some of batchesOf([...new Set(keys)].sort(), MOST_NAMES))
    await requestResolving(tx, app, workspaceId, { knowledge_base_id: knowledgeBaseId, keys: some });
}
