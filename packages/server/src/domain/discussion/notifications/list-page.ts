import type { Reader } from "../../../db/database.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { type ListedNotification, listNotifications } from "../../../notify/queries.ts";
import type { Services } from "../../../services.ts";

interface NotificationQuery {
  readonly unread?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

const notificationOf = (listed: ListedNotification) => {
  const { workspace_id: _, user_id: __, in_page: ___, digest: ____, actor, document_id, ...row } = listed;
  return { ...row, document_id: document_id || null, actor: JSON.parse(actor) };
};

/** One page of a person's notifications: unread first, then newest first. */
export function listPage(
  { secret }: Pick<Services, "secret">,
  db: Reader,
  person: { readonly workspace_id: string; readonly user_id: string },
  query: NotificationQuery,
): Promise<ListAnswer<ReturnType<typeof notificationOf>>> {
  const unreadOnly = query.unread === true;
  return pageOf(secret, ["notifications", person.user_id, unreadOnly], query, {
    fetch: ([isRead, id], size) =>
      listNotifications(
        db,
        person,
        id === undefined ? undefined : { isRead: isRead === 1, id: String(id) },
        size,
        unreadOnly,
      ),
    keyOf: (row) => [row.read_at === null ? 0 : 1, row.id],
    represent: notificationOf,
  });
}
