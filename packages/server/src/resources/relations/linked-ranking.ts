import type { Database, Reader } from "../../db/database.ts";
import { type Linked, rankLinked, type Scope } from "./scan-links.ts";

interface Ranking {
  /** What the store was like when it was made. */
  readonly state: string;
  readonly linked: readonly Linked[];
}

/** Rankings that are kept for a database; the one that was not used for longest goes first. */
const MOST_RANKINGS = 50;
/** A longer one is made anew for every page. */
const MOST_LINKED = 100_000;

const rankings = new WeakMap<Database, Map<string, Ranking>>();

/**
 * The documents of a knowledge base that others point to, the most linked first. Counting looks at every document of
 * the knowledge base, 400 at a time; the result is kept for the following pages as long as nothing has changed in the
 * workspace, so a walk through all pages counts once.
 */
export async function linkedRanking(database: Database, scope: Scope): Promise<readonly Linked[]> {
  const known = rankings.get(database) ?? new Map<string, Ranking>();
  rankings.set(database, known);
  const key = JSON.stringify([scope.workspaceId, scope.knowledgeBaseId, scope.vias]);
  const state = await stateOf(scope.db, scope.workspaceId);
  const kept = known.get(key);
  known.delete(key);
  const linked = kept?.state === state ? kept.linked : await rankLinked(scope);
  const isWhole = kept?.linked === linked || state === (await stateOf(scope.db, scope.workspaceId));
  if (isWhole && linked.length <= MOST_LINKED) known.set(key, { state, linked });
  for (const oldest of known.keys()) {
    if (known.size <= MOST_RANKINGS) break;
    known.delete(oldest);
  }
  return linked;
}

/**
 * Another one after every change of what is counted: a document's change has an event (bodies hold the links, the place
 * decides which report it is in), and stated relations have rising ids.
 */
async function stateOf(db: Reader, workspaceId: string): Promise<string> {
  const documents = await db
    .selectFrom("workspace_counters as w")
    .leftJoin("events as e", (join) =>
      join.onRef("e.workspace_id", "=", "w.workspace_id").onRef("e.id", "=", "w.last_event_id"),
    )
    .select(["w.last_event_id", "e.created_at"])
    .where("w.workspace_id", "=", workspaceId)
    .executeTakeFirst();
  const stated = await db
    .selectFrom("manual_relations")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("id").as("last")])
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  const views = await db
    .selectFrom("inline_relations")
    .select((eb) => eb.fn.max("id").as("last"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return JSON.stringify([documents, stated, views]);
}
