import type { Reader, Tx } from "../../db/database.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { listFoldersOf } from "../../domain/library/folders/queries.ts";
import { listSubtree } from "../../domain/library/folders/subtree.ts";
import { BY_NAME } from "../../domain/library/links-by-name/read-pages.ts";
import { type JobKind, succeeded } from "../../jobs/job.ts";
import { releaseLinks } from "./named-pages.ts";
import { folderPaths } from "./nearest-page.ts";
import { type Names, RESOLVE_LATE, RESOLVE_LINKS } from "./request-resolving.ts";
import { resolveTitle } from "./resolve-title.ts";

export const resolveJob: JobKind = {
  kind: RESOLVE_LINKS,
  async run({ workspace_id, payload }, app, { signal }) {
    const { database } = app;
    const names: Names = JSON.parse(payload);
    const gone = await listGone(database.read, workspace_id, names);
    if (gone.length > 0)
      await database.transaction(async (tx) =>
        releaseLinks(tx, app, workspace_id, await withoutThoseThere(tx, workspace_id, gone)),
      );
    const named = await titlesOf(database.read, workspace_id, names);
    let changed = 0;
    if (named !== undefined) {
      const { knowledgeBaseId, keys } = named;
      const pathOf = folderPaths(await listFoldersOf(database.read, workspace_id, knowledgeBaseId));
      const work = { database, workspaceId: workspace_id, knowledgeBaseId, signal, pathOf };
      for (const key of keys) changed += await resolveTitle(work, key);
    }
    return async () => succeeded({ changed });
  },
};

export const lateResolveJob: JobKind = { ...resolveJob, kind: RESOLVE_LATE };

/** Lists documents that links by name lead to and that may have been deleted. */
async function listGone(db: Reader, workspaceId: string, names: Names): Promise<readonly string[]> {
  if ("gone" in names) return names.gone;
  if (!("keys" in names) || names.document_id === undefined) return [];
  const rows = await db
    .selectFrom("inline_relations as link")
    .leftJoin("documents as page", (join) =>
      join.onRef("page.workspace_id", "=", "link.workspace_id").onRef("page.id", "=", "link.target_document_id"),
    )
    .select("link.target_document_id as id")
    .distinct()
    .where("link.workspace_id", "=", workspaceId)
    .where("link.document_id", "=", names.document_id)
    .where("link.via", "=", BY_NAME)
    .where("page.id", "is", null)
    .execute();
  return rows.flatMap(({ id }) => id ?? []);
}

/** Removes the ids of documents that were restored, and locks those documents so that they stay. */
async function withoutThoseThere(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const there = new Set((await tx.lockAll("document", workspaceId, ids, "keep")).map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

interface Titles {
  readonly knowledgeBaseId: number;
  readonly keys: Iterable<string>;
}

async function titlesOf(db: Reader, workspaceId: string, names: Names): Promise<Titles | undefined> {
  if ("gone" in names) return undefined;
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
