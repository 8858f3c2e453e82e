import type { Side } from "@svc/web/shared/page";
import { byName } from "../../domain/library/order/natural-order.ts";
import { listPersonal } from "../../domain/library/personal/queries.ts";
import { countUnread } from "../../notify/queries.ts";
import { listBases } from "./library/browse-queries.ts";
import { canWriteIn, type MemberVisit } from "./visit.ts";

const MAX_FAVOURITES = 30;
const MAX_RECENT = 5;
const MAX_UNREAD = 100;

/** The content of this person's sidebar. */
export async function readSide(visit: MemberVisit): Promise<Side> {
  const { app, viewer } = visit;
  const { read } = app.database;
  const person = { workspace_id: viewer.workspace.id, user_id: viewer.userId };
  const [bases, favourites, recent, unread] = await Promise.all([
    listBases(read, viewer.workspace.id),
    listPersonal(read, person, "favourite_at", MAX_FAVOURITES),
    listPersonal(read, person, "viewed_at", MAX_RECENT),
    countUnread(read, person, MAX_UNREAD),
  ]);
  const item = (document: (typeof recent)[number]) => ({
    id: document.document_id,
    title: document.title,
    type: document.document_type,
  });
  return {
    bases: bases
      .map(({ id, name }) => ({ id, name, mayWrite: canWriteIn(visit, id) }))
      .sort(byName((base) => base.name)),
    favourites: favourites.map(item),
    recent: recent.map(item),
    unread,
  };
}
