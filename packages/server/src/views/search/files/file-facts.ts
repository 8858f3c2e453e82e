import type { Reader } from "../../../db/database.ts";
import type { AttachmentRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import { type Condition, fulfilling } from "../read/filter.ts";
import { filesKey } from "./files-key.ts";

const PAGE_SIZE = 1000;

/**
 * Index numbers of the files that the reader may see and whose documents fulfil the conditions. They are read for every
 * search, because files come and go without an event.
 */
export async function acceptedFiles(
  db: Reader,
  workspaceId: string,
  conditions: readonly Condition[],
  pause: () => unknown,
): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (let from = 0; ; ) {
    const rows = await db
      .selectFrom("search_documents as s")
      .innerJoin("attachments as a", (join) =>
        join.onRef("a.id", "=", "s.document_id").on("a.workspace_id", "=", workspaceId),
      )
      .innerJoin("documents as d", (join) =>
        join.onRef("d.workspace_id", "=", "a.workspace_id").onRef("d.id", "=", "a.document_id"),
      )
      .select("s.number")
      .where("s.workspace_id", "=", filesKey(workspaceId))
      .where("s.number", ">=", from)
      .where("a.expires_at", "is", null)
      .where(fulfilling(conditions))
      .orderBy("s.number")
      .limit(PAGE_SIZE)
      .execute();
    for (const { number } of rows) numbers.add(number);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return numbers;
    from = last.number + 1;
    await pause();
  }
}

/** The number of blocks of these files, and of their words. */
export async function totalsOf(
  db: Reader,
  workspaceId: string,
  numbers: ReadonlySet<number>,
): Promise<{ n: number; totalLength: number }> {
  const rows = await db
    .selectFrom("search_blocks")
    .select((eb) => ["document", eb.fn.countAll<number>().as("n"), eb.fn.sum<number>("length").as("length")])
    .where("workspace_id", "=", filesKey(workspaceId))
    .groupBy("document")
    .execute();
  let [n, totalLength] = [0, 0];
  for (const row of rows)
    if (numbers.has(row.document)) {
      n += Number(row.n);
      totalLength += Number(row.length);
    }
  return { n, totalLength };
}

export type FoundPage = {
  readonly file: Pick<AttachmentRow, "id" | "file_name" | "sha256" | "created_at">;
  readonly document: Pick<DocumentRow, "id" | "title" | "knowledge_base_id" | "folder_id" | "document_type">;
  /** Null for a hit in the file's name. */
  readonly page: number | null;
  readonly label: string | null;
  readonly text: string;
};

/** The pages that the index knows by these numbers, with their files and documents. */
export async function findPages(
  db: Reader,
  workspaceId: string,
  numbers: readonly number[],
): Promise<Map<number, FoundPage>> {
  if (numbers.length === 0) return new Map();
  const key = filesKey(workspaceId);
  const rows = await db
    .selectFrom("search_blocks as b")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "b.workspace_id").onRef("s.number", "=", "b.document"),
    )
    .innerJoin("attachments as a", (join) =>
      join.onRef("a.id", "=", "s.document_id").on("a.workspace_id", "=", workspaceId),
    )
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "a.workspace_id").onRef("d.id", "=", "a.document_id"),
    )
    .select(["b.number", "b.block_id", "a.id", "a.file_name", "a.sha256", "a.created_at"])
    .select(["d.id as document_id", "d.title", "d.knowledge_base_id", "d.folder_id", "d.document_type"])
    .where("b.workspace_id", "=", key)
    .where("b.number", "in", numbers)
    .execute();
  const contents = [...new Set(rows.map((row) => row.sha256))];
  const pages = [...new Set(rows.flatMap((row) => (row.block_id === "" ? [] : Number(row.block_id))))];
  const texts =
    pages.length === 0
      ? []
      : await db
          .selectFrom("file_text_pages")
          .select(["sha256", "page", "label", "text"])
          .where("workspace_id", "=", workspaceId)
          .where("sha256", "in", contents)
          .where("page", "in", pages)
          .execute();
  const textOf = new Map(texts.map((row) => [`${row.sha256} ${row.page}`, row]));
  const found = new Map<number, FoundPage>();
  for (const row of rows) {
    const { id, file_name, sha256, created_at, title, knowledge_base_id, folder_id, document_type } = row;
    const file = { id, file_name, sha256, created_at };
    const document = { id: row.document_id, title, knowledge_base_id, folder_id, document_type };
    const page = row.block_id === "" ? null : Number(row.block_id);
    const stored = textOf.get(`${sha256} ${page}`);
    if (page !== null && !stored) continue;
    found.set(row.number, { file, document, page, label: stored?.label ?? null, text: stored?.text ?? file_name });
  }
  return found;
}

/** The files among these that wait to be read: how many, and the documents that have the first of them. */
export async function readPending(db: Reader, workspaceId: string, conditions: readonly Condition[]) {
  const rows = await db
    .selectFrom("attachments as a")
    .innerJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "a.workspace_id").onRef("d.id", "=", "a.document_id"),
    )
    .select("a.document_id")
    .where("a.workspace_id", "=", workspaceId)
    .where("a.text_status", "is", null)
    .where("a.expires_at", "is", null)
    .where(fulfilling(conditions))
    .orderBy("a.id")
    .execute();
  const ids = [...new Set(rows.map((row) => row.document_id))];
  return { complete: rows.length === 0, stale_count: ids.length, stale_document_ids: ids.slice(0, LISTED) };
}

const LISTED = 100;
