import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import type { SuggestionRow } from "../../../db/schema/tables/discussion.ts";
import { ApiError } from "../../../errors.ts";
import { type ListAnswer, list } from "../../../http/answer.ts";
import { rowsOfPage } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { findSeqOf } from "../../content/versions/queries.ts";
import { listSuggestions, type SuggestionFilter } from "./queries.ts";
import { suggestionOf } from "./represent.ts";

/** A suggestion compared with the current body. */
export async function showSuggestion({ config }: Pick<Services, "config">, db: Reader, row: SuggestionRow) {
  const key = { workspaceId: row.workspace_id, documentId: row.document_id };
  const body = await readBody(db, key);
  const isBaseKept =
    body.version === row.base_version ||
    (await findSeqOf(db, key, row.base_version, config.versionRetention)) !== undefined;
  return suggestionOf(row, body, isBaseKept);
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page of suggestions, the longest waiting first. */
export async function listPage(
  app: Services,
  db: Reader,
  workspaceId: string,
  filter: SuggestionFilter,
  query: PageQuery,
): Promise<ListAnswer<Awaited<ReturnType<typeof showSuggestion>>>> {
  const { shown, page } = await rowsOfPage(app.secret, ["suggestions", filter], query, {
    fetch: ([after = ""], size) => listSuggestions(db, workspaceId, filter, String(after), size),
    keyOf: ({ id }) => [id],
  });
  const found = await Promise.all(shown.map((row) => showUnlessDeleted(app, db, row)));
  return list(
    found.filter((suggestion) => suggestion !== undefined),
    page,
  );
}

/** The document may have been deleted after the rows were read. */
const showUnlessDeleted = (app: Services, db: Reader, row: SuggestionRow) =>
  showSuggestion(app, db, row).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  });
