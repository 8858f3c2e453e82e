import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { prepare } from "../../db/prepared-lists.ts";
import { titleKey } from "../../resources/documents/title-key.ts";
import type { Counters } from "./store-port.ts";
import { countersOf, emptyIndex } from "./stored-index.ts";

/** What a search reads first, in one statement. */
export type Opening = {
  readonly counters: Counters;
  readonly hasTranslations: boolean;
  /** Some document has the query as its title. */
  readonly hasNamesake: boolean;
};

/** Written out, not as parameters: so the databases know that the index of translations serves. */
const target = sql.lit("target" as const);
const one = sql.lit(1);

const openings = prepare((db) =>
  db
    .selectFrom("search_counters as c")
    .selectAll("c")
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
        .where("n.title_key", "=", "")
        .limit(one)
        .as("namesake"),
    ])
    .where("c.workspace_id", "=", ""),
);

export async function readOpening(db: Db, workspaceId: string, title: string): Promise<Opening> {
  const [row] = await openings(db, titleKey(title), workspaceId);
  return {
    counters: row ? countersOf(row) : emptyIndex,
    hasTranslations: typeof row?.translation === "string",
    hasNamesake: typeof row?.namesake === "string",
  };
}
