import { Cache } from "../../../cache/cache.ts";
import { keyOf } from "../../../cache/key-of.ts";
import type { Database, Reader } from "../../../db/database.ts";
import { type Linked, rankLinked, type Scope } from "./scan-links.ts";

interface Ranking {
  /** State of the store when the ranking was computed. */
  readonly state: string;
  readonly linked: readonly Linked[];
}

/** Approximate size in bytes of a document in a ranking. */
const LINKED_BYTES = 200;

const RANKINGS = new Cache<Ranking>("linked_rankings", { share: 1 / 4 });

/**
 * The linked documents of a knowledge base, most linked first. Counting reads every document of the knowledge base, 400
 * at a time. The result is cached while nothing changes in the workspace, so paging through it counts only once.
 */
export async function linkedRanking(database: Database, scope: Scope): Promise<readonly Linked[]> {
  const key = keyOf(database) + JSON.stringify([scope.workspaceId, scope.knowledgeBaseId, scope.vias]);
  const state = await stateOf(scope.db, scope.workspaceId);
  const cached = RANKINGS.get(key);
  if (cached?.state === state) return cached.linked;
  const linked = await rankLinked(scope);
  const isWhole = state === (await stateOf(scope.db, scope.workspaceId));
  if (isWhole) RANKINGS.put(key, { state, linked }, linked.length * LINKED_BYTES);
  return linked;
}

/**
 * A key that changes with everything that is counted: every change of a document has an event (bodies hold the links,
 * the folder determines the report), and stated relations have rising ids.
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
