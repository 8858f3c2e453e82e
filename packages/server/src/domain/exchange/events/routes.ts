import type { Reader } from "../../../db/database.ts";
import { readHistory } from "../../../events/history.ts";
import type { EventFilter } from "../../../events/rendered.ts";
import { parseEventId } from "../../../events/resume.ts";
import { list } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { type Route, read } from "../../../http/route.ts";
import { SSE_HEADERS, SSE_TYPE } from "../../../http/wire/sse.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { getSet } from "../../library/language-versions/queries.ts";
import { listEvents } from "./list-events.ts";
import { Event, exampleEvent, ListQuery, StreamQuery, syncMembers } from "./schema.ts";

const tag = "Events";

/** Builds the filter from the query; responds 404 for a set that the caller cannot see. */
async function filterOf(
  db: Reader,
  { workspaceId, userId, rights }: Caller,
  { document_set_id: documentSetId, locale }: { document_set_id?: string; locale?: string },
): Promise<EventFilter> {
  const hidden = rights?.hidden;
  const filter = { documentSetId, locale: locale === undefined ? undefined : parseLocale(locale), hidden, userId };
  if (documentSetId !== undefined) await getSet(db, workspaceId, documentSetId);
  return filter;
}

/** An id from another history is meaningless here, whatever its number. */
const isOurs = async (db: Reader, history: string | undefined): Promise<boolean> =>
  history === undefined || history === (await readHistory(db));

/** A browser without an id yet sends an empty one. */
const afterOf = (text: string | undefined): number | "unknown" | undefined =>
  text === undefined || text.trim() === "" ? undefined : (parseEventId(text.trim()) ?? "unknown");

export const eventRoutes: Route[] = [
  read({
    operation: "stream_events",
    path: "/events",
    tag,
    summary: "A stream of the changes to documents, as they happen.",
    description: [
      "Server-sent events. Each has a rising `id`, an `event` (`document.created`, `document.metadata.updated`,",
      "`document.content.updated`, `document.deleted`, `comment.created`, `comment.updated`, `comment.resolved`,",
      "`comment.deleted`, `suggestion.created`, `suggestion.decided`, `notification.created`: your own alone) and as `data` the JSON object `Event`.",
      "",
      "Without a resume point the stream starts now. To resume, send the id of the last event you processed in the",
      "header `Last-Event-ID`: what you missed follows first, without a gap and without repetition. Comments keep the",
      "connection alive and send the position that the stream has reached, which a filtered reader may resume from.",
      "",
      "Two control events carry no id. `sync.required` (`resume_from`, `oldest_available`, `reason`: `cursor_expired`",
      "or `cursor_unknown`, `history`): what followed your id is no longer kept, or the id is not ours; list the",
      "documents with `updated_since` and `sort=updated_at`; the stream goes on after `resume_from`, an id of that",
      "`history`: keep both. `auth.revoked` (`reason`: `revoked` or `expired`): the token has ended, and so does the",
      "stream.",
      "",
      "A reader that takes nothing for two heartbeats while something waits for it is cut off; it may resume.",
    ].join("\n"),
    scopes: ["documents:read"],
    access: { action: "read", subject: "workspace" },
    query: StreamQuery,
    errors: ["too_many_streams", "invalid_locale", "not_found"],
    success: { status: 200, description: "The stream; it does not end by itself.", content: [SSE_TYPE] },
    handler: async ({ app, caller, db, query, request }) => {
      const filter = await filterOf(db, caller, query);
      const { "last-event-id": header } = request.headers;
      const sent = afterOf(typeof header === "string" && header !== "" ? header : query.last_event_id);
      const after = (await isOurs(db, query.history)) ? sent : "unknown";
      const body = request.method === "HEAD" ? "" : await app.streams.open({ caller, filter, after });
      return { headers: SSE_HEADERS, raw: { contentType: SSE_TYPE, body } };
    },
  }),
  read({
    operation: "list_events",
    path: "/changes",
    tag,
    summary: "The same events as a list, for clients that cannot hold a stream.",
    description:
      "Ids are those of the stream. Call again with `after` set to `resume_from`; `page.next_cursor` is the same id " +
      "while there is more now. With a filter an answer may be empty although there is more. A store that is put back " +
      "from a backup gives ids out again: keep `history` with your id and send both, and the server recognises such an id as unknown.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "workspace" },
    query: ListQuery,
    errors: ["invalid_locale", "not_found"],
    success: {
      status: 200,
      description: "The events after the id, in order.",
      data: Event,
      list: true,
      more: syncMembers,
      moreExample: {
        resume_from: 1043,
        sync_required: false,
        oldest_available: null,
        reason: null,
        history: "01K9ZQ4T6N4Y3V7J8W2M5R1XCT",
      },
      example: exampleEvent,
    },
    handler: async ({ app, caller, db, query }) => {
      const { limit = 100 } = query;
      const history = await readHistory(db);
      const after = query.history === undefined || query.history === history ? afterOf(query.after) : "unknown";
      const filter = await filterOf(db, caller, query);
      const asked = { workspaceId: caller.workspaceId, after, filter, limit };
      const { events, hasMore, ...sync } = await listEvents(app, asked);
      const next = hasMore ? String(sync.resume_from) : null;
      const page = { cursor: query.after ?? null, next_cursor: next, has_more: hasMore };
      return list(
        events.map((text) => JSON.parse(text)),
        page,
        { ...sync, history },
      );
    },
  }),
];
