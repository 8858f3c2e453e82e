import { pageKey } from "@svc/search/segment/page-key";
import type { EncodedPage } from "@svc/search/segment/segment-format";
import type { Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/schema/tables.ts";
import { statement } from "../../../db/statement/statement.ts";

const insertPageRows = statement<{ rows: readonly Tables["search_pages"][] }, unknown>(
  (tx, value) => tx.insertInto("search_pages").values(value("rows")),
  { rows: "rows", fields: ["workspace_id", "page_key", "first_term", "content"] },
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
    await insertPageRows.enqueue(tx, { rows });
  }
}
