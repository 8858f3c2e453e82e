import { pageKey } from "@svc/search/segment/page-key";
import type { EncodedPage } from "@svc/search/segment/segment-format";
import type { Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { prepareInsert } from "../../../db/statement/list-statement.ts";

const insertPageRows = prepareInsert<Tables["search_pages"]>(
  ["workspace_id", "page_key", "first_term", "content"],
  (tx, rows) => tx.insertInto("search_pages").values(rows),
);

export async function insertPages(
  tx: Tx,
  workspaceId: string,
  segment: number,
  pages: readonly EncodedPage[],
): Promise<void> {
  for (let i = 0; i < pages.length; i += 16) {
    const rows = pages.slice(i, i + 16).map((page) => ({
      workspace_id: workspaceId,
      page_key: pageKey({ segment, ...page }),
      first_term: page.firstTerm,
      content: page.bytes,
    }));
    await insertPageRows(tx, rows);
  }
}
