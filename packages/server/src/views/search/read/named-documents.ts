import type { NamedBlock } from "@svc/search/query/matches";
import { lengthCode } from "@svc/search/segment/segment-format";
import type { Reader } from "../../../db/database.ts";
import { statement } from "../../../db/statement/statement.ts";
import { titleKey } from "../../../domain/library/documents/title-key.ts";
import { findIndexedDocuments, findTitleBlocks } from "../write/documents.ts";

const documentId = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/i;
/** The maximum of documents with one title that are put first. */
const MAX_DOCUMENTS = 1000;

const documentsTitled = statement<{ workspaceId: string; titleKey: string }, { readonly id: string }>((db, value) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("workspace_id", "=", value("workspaceId"))
    .where("title_key", "=", value("titleKey"))
    .limit(MAX_DOCUMENTS),
);

/** Returns the title that a query consists of, if any. */
export function askedTitle(text: string): string {
  const asked = text.trim();
  return /^".*"$/su.test(asked) ? asked.slice(1, -1) : asked;
}

type Named = { readonly pinned: ReadonlySet<number>; readonly named: readonly NamedBlock[] };
const nobody: Named = { pinned: new Set(), named: [] };

/**
 * Returns the title blocks of the documents that the query names: by their title, ignoring case and accents, or by
 * their id.
 */
export async function namedDocuments(
  db: Reader,
  workspaceId: string,
  epoch: number,
  text: string,
  hasNamesake: boolean,
): Promise<Named> {
  const asked = text.trim();
  const isId = documentId.test(asked);
  if (!isId && !hasNamesake) return nobody;
  const ids = isId ? [`doc_${asked.slice(4).toUpperCase()}`] : await titled(db, workspaceId, askedTitle(text));
  const blocks = await titleBlocks(db, workspaceId, epoch, ids);
  return {
    pinned: new Set(blocks.map((block) => block.number)),
    named: isId ? blocks.map(({ number, length }) => ({ number, code: lengthCode(length, "title") })) : [],
  };
}

async function titled(db: Reader, workspaceId: string, title: string): Promise<string[]> {
  const rows = await documentsTitled(db, { workspaceId, titleKey: titleKey(title) });
  return rows.map((row) => row.id);
}

async function titleBlocks(db: Reader, workspaceId: string, epoch: number, ids: readonly string[]) {
  const documents = (await findIndexedDocuments(db, workspaceId, ids)).filter((row) => row.indexed_epoch === epoch);
  return findTitleBlocks(
    db,
    workspaceId,
    documents.map((row) => row.number),
  );
}
