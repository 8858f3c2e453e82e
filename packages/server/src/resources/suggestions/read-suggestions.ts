import { readBody } from "../../bodies/body.ts";
import type { Reader } from "../../db/database.ts";
import type { SuggestionRow } from "../../db/schema/tables/discussion.ts";
import type { Answer } from "../../http/answer.ts";
import { pageOf } from "../../http/page.ts";
import type { Services } from "../../services.ts";
import { findSeqOf } from "../versions/queries.ts";
import { listSuggestions, type SuggestionFilter } from "./queries.ts";
import { suggestionOf } from "./represent.ts";

/** A suggestion as it stands towards the body as it is now. */
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

/** A page of suggestions, oldest first: what has waited longest comes first. */
export async function listPage(
  app: Services,
  db: Reader,
  workspaceId: string,
  filter: SuggestionFilter,
  query: PageQuery,
): Promise<Answer> {
  return pageOf(app.secret, ["suggestions", filter], query, {
    fetch: async ([after = ""], size) => {
      const rows = await listSuggestions(db, workspaceId, filter, String(after), size);
      return Promise.all(rows.map((row) => showSuggestion(app, db, row)));
    },
    keyOf: ({ id }) => [id],
    represent: (suggestion) => suggestion,
  });
}
