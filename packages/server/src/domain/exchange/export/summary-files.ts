import type { ZipEntry } from "../../../archives/write-zip.ts";
import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { type FoundSummary, listStored, listSummarised } from "../../knowledge/summaries/queries.ts";
import { loadTarget } from "../../knowledge/summaries/target.ts";
import type { TargetKey } from "../../knowledge/summaries/target-key.ts";
import type { Scope } from "./export-scope.ts";
import type { ExportSource } from "./export-source.ts";

/** Name of the archive's top: the knowledge base or the exported folder. */
export const TOP = "knowledge-base";

/** Each stored summary has a file named by its subject's id, so that no title can collide with it. */
export const summaryPath = (about: string | number): string =>
  `summaries/${typeof about === "number" ? `folder-${about}` : about}.json`;

const lineOf = (row: FoundSummary, current: string) => ({
  block_id: row.block_id || null,
  text: row.text,
  generator: row.generator,
  source_version: row.source_version,
  freshness: row.source_version === current ? "current" : "stale",
  pinned: row.pinned === 1,
  author: row.author_name,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

function* entryOf(path: string, rows: readonly FoundSummary[], current: string): Generator<ZipEntry> {
  if (rows.length === 0) return;
  const modified = new Date(Math.max(...rows.map((row) => row.updated_at)));
  const text = JSON.stringify({ summaries: rows.map((row) => lineOf(row, current)) });
  yield { path, modified, content: Buffer.from(`${text}\n`) };
}

/** Summaries of a document and its sections. */
export async function* documentSummaries(db: Reader, document: DocumentRow): AsyncGenerator<ZipEntry> {
  const rows = await listStored(db, document.workspace_id, ["document", "section"], document.id);
  yield* entryOf(summaryPath(document.id), rows, document.version);
}

/** Summaries of the top and of the folders below it. */
export async function* folderSummaries(source: ExportSource, folders: Scope["folders"]): AsyncGenerator<ZipEntry> {
  const { db, workspaceId, knowledgeBaseId, folderId } = source;
  const file = async (about: string | number, scope: "folder" | "knowledge_base", id: number) => {
    const key: TargetKey = { workspaceId, scope, targetId: String(id), blockId: "" };
    const rows = await listStored(db, workspaceId, [scope], key.targetId);
    return rows.length === 0 ? [] : entryOf(summaryPath(about), rows, (await loadTarget(db, key)).sourceVersion);
  };
  yield* folderId === undefined
    ? await file(TOP, "knowledge_base", knowledgeBaseId)
    : await file(TOP, "folder", folderId);
  const ids = folders.map(({ id }) => id);
  for (const id of await listSummarised(db, workspaceId, ids)) yield* await file(id, "folder", id);
}
