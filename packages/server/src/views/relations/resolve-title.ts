import { defined } from "@svc/document/defined";
import type { Database, Reader, Tx } from "../../db/database.ts";
import { batchesOf, yieldToEventLoop } from "../../db/statement/batches.ts";
import { unknownPage } from "../../domain/knowledge/relations/target.ts";
import { BY_NAME, BY_NAME_UNKNOWN } from "../../domain/library/links-by-name/read-pages.ts";
import { byId } from "../../ids.ts";
import { type FolderPath, fitOf, nearestOf } from "./nearest-page.ts";

/** Links that one transaction checks and may change. */
const STEP = 500;
/** Pages whose links are looked up at once. */
const PAGES = 200;

interface Work {
  readonly database: Database;
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly signal: AbortSignal;
  readonly pathOf: (folderId: number | null) => FolderPath;
}

/** Returns how many links with a title now lead elsewhere. */
export async function resolveTitle(work: Work, key: string): Promise<number> {
  const { database, workspaceId, knowledgeBaseId, signal, pathOf } = work;
  signal.throwIfAborted();
  await yieldToEventLoop();
  const rows = key === "" ? [] : await listPages(database.read, workspaceId, knowledgeBaseId, key);
  const pages = rows.map(({ id, folder_id }) => ({ id, path: pathOf(folder_id) }));
  if (pages.length === 0) return 0;
  const paths = new Map(pages.map(({ id, path }) => [id, path]));
  const nearest = nearestOf(pages);
  const prefix = `name:${knowledgeBaseId}:`;
  const better = ({ target_uri, target_document_id, source_folder }: Link): string | undefined => {
    const [wanted, from] = [target_uri.slice(prefix.length), pathOf(source_folder)];
    const current = paths.get(target_document_id ?? "");
    const best = target_uri.startsWith(prefix) ? nearest(wanted, from) : undefined;
    if (best === undefined || best.id === target_document_id) return undefined;
    return current === undefined || fitOf(wanted, from, best.path) > fitOf(wanted, from, current) ? best.id : undefined;
  };
  let changed = 0;
  const targets = [unknownPage(knowledgeBaseId, key), ...paths.keys()];
  for (const target of await listLinked(database.read, workspaceId, targets))
    for (let after = ""; ; ) {
      signal.throwIfAborted();
      const links = await listLinksTo(database.read, workspaceId, target, after);
      const moves = links.flatMap((link) => {
        const to = better(link);
        return to === undefined ? [] : [{ id: link.id, from: link.target_document_id, to }];
      });
      if (moves.length > 0) changed += await database.transaction((tx) => moveLinks(tx, workspaceId, moves));
      if (links.length < STEP) break;
      after = defined(links.at(-1)).id;
      await yieldToEventLoop();
    }
  return changed;
}

async function listPages(db: Reader, workspaceId: string, knowledgeBaseId: number, key: string) {
  const pages = await db
    .selectFrom("documents")
    .select(["id", "folder_id"])
    .where("workspace_id", "=", workspaceId)
    .where("knowledge_base_id", "=", knowledgeBaseId)
    .where("title_key", "=", key)
    .execute();
  return pages.sort(byId);
}

interface Link {
  readonly id: string;
  readonly target_uri: string;
  readonly target_document_id: string | null;
  readonly source_folder: number | null;
}

/** Returns the targets that a link by name leads to or waits for. */
async function listLinked(db: Reader, workspaceId: string, targets: readonly string[]): Promise<Set<string>> {
  const linked = new Set<string>();
  for (const some of batchesOf(targets, PAGES))
    for (const target of await db
      .selectFrom("inline_relations")
      .select("target_document_id as id")
      .distinct()
      .where("workspace_id", "=", workspaceId)
      .where("target_document_id", "in", some)
      .where("via", "in", [BY_NAME, BY_NAME_UNKNOWN])
      .execute())
      if (target.id !== null) linked.add(target.id);
  return linked;
}

const listLinksTo = (db: Reader, workspaceId: string, target: string, after: string): Promise<Link[]> =>
  db
    .selectFrom("inline_relations as link")
    .innerJoin("documents as source", (join) =>
      join.onRef("source.workspace_id", "=", "link.workspace_id").onRef("source.id", "=", "link.document_id"),
    )
    .select(["link.id", "link.target_uri", "link.target_document_id", "source.folder_id as source_folder"])
    .where("link.workspace_id", "=", workspaceId)
    .where("link.target_document_id", "=", target)
    .where("link.via", "in", [BY_NAME, BY_NAME_UNKNOWN])
    .where("link.id", ">", after)
    .orderBy("link.id")
    .limit(STEP)
    .execute();

interface Move {
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
}

/** Moves links that still have their old target to pages that still exist: deleting a page releases its links. */
async function moveLinks(tx: Tx, workspaceId: string, moves: readonly Move[]): Promise<number> {
  const ids = [...new Set(moves.map(({ to }) => to))].sort();
  const kept = new Set((await tx.lockAll("document", workspaceId, ids, "keep")).map(({ id }) => id));
  let changed = 0;
  const groups = Map.groupBy(moves, ({ from, to }) => `${from} ${to}`);
  for (const group of groups.values()) {
    const { from, to } = defined(group[0]);
    if (!kept.has(to)) continue;
    const [done] = await tx
      .updateTable("inline_relations")
      .set({ target_document_id: to, via: BY_NAME })
      .where("workspace_id", "=", workspaceId)
      .where("target_document_id", "=", from)
      .where(
        "id",
        "in",
        group.map(({ id }) => id),
      )
      .execute();
    changed += Number(done?.numUpdatedRows ?? 0);
  }
  return changed;
}
