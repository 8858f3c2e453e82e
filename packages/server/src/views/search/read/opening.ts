import { emptyIndex } from "@svc/search/segment/empty-index";
import type { Counters } from "@svc/search/segment/store-port";
import { sql } from "kysely";
import type { Reader } from "../../../db/database.ts";
import type { SearchCountersRow } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";
import { titleKey } from "../../../domain/library/documents/title-key.ts";
import { countersOf } from "./stored-index.ts";

/**
 * The last change of any document of the workspace: every change has an event, and event ids have no gaps. The time
 * distinguishes it from another event with the same id after the store was restored to an earlier state.
 */
export type LastEvent = { readonly id: number; readonly createdAt: number | null };

/** The data that a search reads first, in one statement. */
export type Opening = {
  readonly counters: Counters;
  readonly event: LastEvent;
  /** The number of documents in the workspace. */
  readonly documents: number;
  readonly hasTranslations: boolean;
  /** Some document has the query as its title. */
  readonly hasNamesake: boolean;
};

/** A literal instead of a parameter, so that the databases know they can use the index of translations. */
const target = sql.lit("target" as const);
const one = sql.lit(1);

type OpeningRow = SearchCountersRow & {
  readonly last_event_id: number | null;
  readonly documents: number | null;
  readonly event_at: number | null;
  readonly translation: string | null;
  readonly namesake: string | null;
};

const openings = statement<{ workspaceId: string; titleKey: string }, OpeningRow>((db, value) =>
  db
    .selectFrom("search_counters as c")
    .leftJoin("workspace_counters as w", "w.workspace_id", "c.workspace_id")
    .leftJoin("events as e", (join) =>
      join.onRef("e.workspace_id", "=", "w.workspace_id").onRef("e.id", "=", "w.last_event_id"),
    )
    .selectAll("c")
    .select(["w.last_event_id", "w.documents", "e.created_at as event_at"])
    .select((eb) => [
      eb
        .selectFrom("documents as t")
        .select("t.id")
        .whereRef("t.workspace_id", "=", "c.workspace_id")
        .where("t.variant_role", "=", target)
        .limit(one)
        .as("translation"),
      eb
        .selectFrom("documents as n")
        .select("n.id")
        .whereRef("n.workspace_id", "=", "c.workspace_id")
        .where("n.title_key", "=", value("titleKey"))
        .limit(one)
        .as("namesake"),
    ])
    .where("c.workspace_id", "=", value("workspaceId")),
);

export async function readOpening(db: Reader, workspaceId: string, title: string): Promise<Opening> {
  const [row] = await openings(db, { workspaceId, titleKey: titleKey(title) });
  return {
    counters: row ? countersOf(row) : emptyIndex,
    event: { id: row?.last_event_id ?? 0, createdAt: row?.event_at ?? null },
    documents: row?.documents ?? 0,
    hasTranslations: typeof row?.translation === "string",
    hasNamesake: typeof row?.namesake === "string",
  };
}
