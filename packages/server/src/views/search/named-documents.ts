import type { Db } from "../../db/database.ts";
import { titleKey } from "../../resources/documents/title-key.ts";
import type { NamedBlock } from "./matches.ts";
import { lengthCode } from "./segment-format.ts";

const documentId = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/i;
/** Documents of one title that are put first. */
const most = 1000;

const titleBlocks = (db: Db, workspaceId: string, epoch: number) =>
  db
    .selectFrom("documents as d")
    .innerJoin("search_documents as s", (join) =>
      join.onRef("s.workspace_id", "=", "d.workspace_id").onRef("s.document_id", "=", "d.id"),
    )
    .innerJoin("search_blocks as b", (join) =>
      join.onRef("b.workspace_id", "=", "s.workspace_id").onRef("b.document", "=", "s.number"),
    )
    .select(["b.number", "b.length"])
    .where("d.workspace_id", "=", workspaceId)
    .where("s.indexed_epoch", "=", epoch)
    .where("b.block_id", "=", "")
    .limit(most);

/** Title blocks of the documents that the query names: by their title, whatever its case and accents, or by their id. */
export async function namedDocuments(
  db: Db,
  workspaceId: string,
  epoch: number,
  text: string,
): Promise<{ pinned: ReadonlySet<number>; named: NamedBlock[] }> {
  const asked = text.trim();
  if (documentId.test(asked)) {
    const id = `doc_${asked.slice(4).toUpperCase()}`;
    const rows = await titleBlocks(db, workspaceId, epoch).where("d.id", "=", id).execute();
    const named = rows.map(({ number, length }) => ({ number, code: lengthCode(length, "title") }));
    return { pinned: new Set(rows.map((row) => row.number)), named };
  }
  const title = /^".*"$/su.test(asked) ? asked.slice(1, -1) : asked;
  const rows = await titleBlocks(db, workspaceId, epoch).where("d.title_key", "=", titleKey(title)).execute();
  return { pinned: new Set(rows.map((row) => row.number)), named: [] };
}
