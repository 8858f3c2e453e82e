import type { Reader, Tx } from "../../db/database.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { newId } from "../../ids.ts";
import { type JobKind, succeeded } from "../../jobs/job.ts";
import { insertJob } from "../../jobs/queries.ts";
import { listFoldersOf } from "../../resources/folders/queries.ts";
import { listSubtree } from "../../resources/folders/subtree.ts";
import type { Services } from "../../services.ts";
import { placesOf } from "./nearest-page.ts";
import { resolveTitle } from "./resolve-title.ts";

const kind = "resolve_links";
/** Titles of one job. */
const TITLES = 200;

/** Whose links are to be looked at: those by these titles, or by the titles of all documents in a folder. */
type Names = { readonly knowledge_base_id: number; readonly keys: readonly string[] } | { readonly folder_id: number };

/**
 * Links by name are brought to the pages that fit them best now, by a server in the background. One request that waits
 * stands for all that ask for the same: it is locked, so it begins after their commit.
 */
export async function requestResolving(tx: Tx, app: Services, workspaceId: string, names: Names): Promise<void> {
  const waiting = await tx
    .updateTable("jobs")
    .set((eb) => ({ ready_at: eb.ref("ready_at") }))
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", kind)
    .where("status", "=", "pending")
    .where("payload", "=", JSON.stringify(names))
    .returning("id")
    .execute();
  if (waiting.length > 0) return;
  await insertJob(tx, { workspaceId, id: newId("rjob"), kind, payload: names, createdBy: "" }, app.wakeJobs);
}

/** The same for many titles of a knowledge base. */
export async function requestForTitles(
  tx: Tx,
  app: Services,
  workspaceId: string,
  knowledgeBaseId: number,
  keys: readonly string[],
): Promise<void> {
  for (const some of batchesOf([...new Set(keys)].sort(), TITLES))
    await requestResolving(tx, app, workspaceId, { knowledge_base_id: knowledgeBaseId, keys: some });
}

export const resolveJob: JobKind = {
  kind,
  async run({ workspace_id, payload }, { database }, { signal }) {
    const named = await titlesOf(database.read, workspace_id, JSON.parse(payload));
    let changed = 0;
    if (named !== undefined) {
      const { knowledgeBaseId, keys } = named;
      const placeOf = placesOf(await listFoldersOf(database.read, workspace_id, knowledgeBaseId));
      const work = { database, workspaceId: workspace_id, knowledgeBaseId, signal, placeOf };
      for (const key of keys) changed += await resolveTitle(work, key);
    }
    return async () => succeeded({ changed });
  },
};

interface Titles {
  readonly knowledgeBaseId: number;
  readonly keys: Iterable<string>;
}

async function titlesOf(db: Reader, workspaceId: string, names: Names): Promise<Titles | undefined> {
  if ("keys" in names) return { knowledgeBaseId: names.knowledge_base_id, keys: names.keys };
  const folder = await db
    .selectFrom("folders")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", names.folder_id)
    .executeTakeFirst();
  if (!folder) return undefined;
  const keys = new Set<string>();
  for (const some of batchesOf((await listSubtree(db, folder)).map(({ id }) => id)))
    for (const { title_key } of await db
      .selectFrom("documents")
      .select("title_key")
      .where("workspace_id", "=", workspaceId)
      .where("folder_id", "in", some)
      .execute())
      keys.add(title_key);
  return { knowledgeBaseId: folder.knowledge_base_id, keys };
}
