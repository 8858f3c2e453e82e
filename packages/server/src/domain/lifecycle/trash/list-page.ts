import type { Reader } from "../../../db/database.ts";
import type { TrashRow } from "../../../db/schema/tables/documents.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { listTrash } from "./queries.ts";

const entryOf = ({ workspace_id: _, ...row }: TrashRow) => row;

/** One page of the trash, newest first. */
export const listPage = (
  { secret }: Pick<Services, "secret">,
  db: Reader,
  workspaceId: string,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<ListAnswer<ReturnType<typeof entryOf>>> =>
  pageOf(secret, { list: "trash" }, query, {
    fetch: ([after = ""], size) => listTrash(db, workspaceId, Date.now(), String(after), size),
    keyOf: (row) => [row.id],
    represent: entryOf,
  });
