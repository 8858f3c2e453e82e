import type { Tx } from "../../db/database.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { newId } from "../../ids.ts";
import { insertJob } from "../../jobs/queries.ts";
import type { Services } from "../../services.ts";

/** The kind of the jobs that point links by name to the pages that fit them best. */
export const RESOLVE_LINKS = "resolve_links";

/** The same for the checks before a commit (deferred-checks.ts). Releases that do not know this kind leave it to others. */
export const RESOLVE_LATE = "resolve_links_late";

/** The maximum of titles, or of deleted documents, in one job. */
export const MAX_NAMES = 200;

/**
 * The links to resolve: those by these titles and the unresolved ones of a document; those by the titles of all
 * documents in a folder; or those that lead to deleted documents.
 */
export type Names =
  | { readonly knowledge_base_id: number; readonly keys: readonly string[]; readonly document_id?: string }
  | { readonly folder_id: number }
  | { readonly gone: readonly string[] };

/**
 * Requests a job that points links by name to the pages that fit them best. A waiting job serves all requests for the
 * same links: it is locked, so it starts after their commit.
 */
export async function requestResolving(
  tx: Tx,
  app: Pick<Services, "wakeJobs">,
  workspaceId: string,
  names: Names,
): Promise<void> {
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

/** Requests the jobs for many titles of a knowledge base. */
export async function requestForTitles(
  tx: Tx,
  app: Services,
  workspaceId: string,
  knowledgeBaseId: number,
  keys: readonly string[],
): Promise<void> {
  for (const some of batchesOf([...new Set(keys)].sort(), MAX_NAMES))
    await requestResolving(tx, app, workspaceId, { knowledge_base_id: knowledgeBaseId, keys: some });
}
