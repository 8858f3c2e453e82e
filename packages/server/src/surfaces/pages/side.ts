import type { Side } from "@svc/web/shared/page";
import { byName } from "../../domain/library/order/natural-order.ts";
import { countUnread } from "../../notify/queries.ts";
import { listBases } from "./library/browse-queries.ts";
import { canWriteIn, type MemberVisit } from "./visit.ts";

const MAX_FAVOURITES = 30;
const MAX_RECENT = 5;
const MAX_UNREAD = 100;

/** The content of this person's sidebar. */
export async function readSide(visit: MemberVisit): Promise<Side> {
  const { api, app, viewer } = visit;
  const person = { workspace_id: viewer.workspace.id, user_id: viewer.userId };
  const [bases, favourites, recent, unread] = await Promise.all([
    listBases(app.database.read, viewer.workspace.id),
    api.get("/me/favourites", { query: { limit: MAX_FAVOURITES } }),
    api.get("/me/recent", { query: { limit: MAX_RECENT } }),
    countUnread(app.database.read, person, MAX_UNREAD),
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
