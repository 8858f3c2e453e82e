import { Cache } from "../../../cache/cache.ts";
import { keyOf } from "../../../cache/key-of.ts";
import type { Reader } from "../../../db/database.ts";
import type { Folder } from "../../../domain/library/folders/queries.ts";
import type { Places } from "../../../domain/library/order/sort-siblings.ts";
import type { EventType } from "../../../events/ledger.ts";
import type { Site } from "./site-tree.ts";

/** An event; a restored store may reuse its number for another event. */
interface LastEvent {
  readonly id: number;
  readonly at: number | null;
}

/** The state from which a site's tree was built. */
interface TreeState {
  readonly folders: string;
  /** The last event before the documents were read: later ones are not reflected in the tree. */
  readonly last: LastEvent;
}

interface KeptSite {
  readonly site: Site;
  readonly state: TreeState;
}

/** The approximate memory of a page beside its title and its line of markup (site-pages.ts), in bytes. */
const PAGE_BYTES = 120;
const LINE_BYTES = 300;

const SITES = new Cache<KeptSite>("share_sites", { share: 1 / 16 });

const keyFor = (db: Reader, folder: Folder): string => `${keyOf(db)} ${folder.workspace_id} ${folder.id}`;

export async function readTreeState(
  db: Reader,
  folders: readonly Folder[],
  places: Places,
  workspaceId: string,
): Promise<TreeState> {
  const row = await db
    .selectFrom("workspace_counters as w")
    .leftJoin("events as e", (join) =>
      join.onRef("e.workspace_id", "=", "w.workspace_id").onRef("e.id", "=", "w.last_event_id"),
    )
    .select(["w.last_event_id as id", "e.created_at as at"])
    .where("w.workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const named = folders.map(({ id, parent_id, name, child_order }) => [id, parent_id, name, child_order]);
  return { folders: JSON.stringify([named, ...places]), last: row };
}

/** The cached site, if its tree is still current. */
export async function findKept(db: Reader, folder: Folder, state: TreeState): Promise<Site | undefined> {
  const kept = SITES.get(keyFor(db, folder));
  if (!kept || kept.state.folders !== state.folders) return undefined;
  if (!(await isSameTree(db, folder.workspace_id, kept.state.last, state.last))) return undefined;
  if (kept.state.last.id !== state.last.id) keep(db, kept.site, state);
  return kept.site;
}

export function keep(db: Reader, site: Site, state: TreeState): void {
  const rest = state.folders.length + site.lines.length * LINE_BYTES;
  const bytes = site.titles.values().reduce((sum, title) => sum + title.length + PAGE_BYTES, rest);
  SITES.put(keyFor(db, site.folder), { site, state }, bytes);
}

/** How many events are checked; after more of them the tree is read again. */
const MAX_EVENTS = 500;

/** The events that change which documents exist, their location or their titles. */
const OF_TREES: ReadonlySet<string> = new Set<EventType>([
  "document.created",
  "document.metadata.updated",
  "document.deleted",
]);

async function isSameTree(db: Reader, workspaceId: string, then: LastEvent, now: LastEvent): Promise<boolean> {
  if (then.id === now.id) return then.at === now.at;
  const events = await db
    .selectFrom("events")
    .select(["id", "type", "created_at"])
    .where("workspace_id", "=", workspaceId)
    .where("id", ">=", then.id)
    .orderBy("id")
    .limit(MAX_EVENTS)
    .execute();
  const [first, ...later] = events;
  if (first?.id !== then.id || first.created_at !== then.at || events.length === MAX_EVENTS) return false;
  return !later.some(({ type }) => OF_TREES.has(type));
}
