import type { Side } from "@svc/web/page";
import { byName } from "../resources/knowledge-bases/natural-order.ts";
import { countUnread } from "../resources/notifications/queries.ts";
import { listBases } from "./library/browse-queries.ts";
import { canWriteIn, type MemberVisit } from "./visit.ts";

const MOST_FAVOURITES = 30;
const MOST_RECENT = 5;
const MOST_UNREAD = 100;

/** What the sidebar shows to this person. */
export async function readSide(visit: MemberVisit): Promise<Side> {
  const { api, app, viewer } = visit;
  const person = { workspace_id: viewer.workspace.id, user_id: viewer.userId };
  const [bases, favourites, recent, unread] = await Promise.all([
    listBases(app.database.read, viewer.workspace.id),
    api.get("/me/favourites", { query: { limit: MOST_FAVOURITES } }),
    api.get("/me/recent", { query: { limit: MOST_RECENT } }),
    countUnread(app.database.read, person, MOST_UNREAD),
  ]);
  const item = (document: (typeof recent.data)[number]) => ({
    id: document.document_id,
    title: document.title,
    type: document.document_type,
  });
  return {
    bases: bases
      .map(({ id, name }) => ({ id, name, mayWrite: canWriteIn(visit, id) }))
      .sort(byName((base) => base.name)),
    favourites: favourites.data.map(item),
    recent: recent.data.map(item),
    unread,
  };
}
