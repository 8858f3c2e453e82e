import { defined } from "@svc/document/defined";
import { hides } from "../../../db/audience/base-filter.ts";
import type { Reader } from "../../../db/database.ts";
import { baseOfEvent } from "../../../events/queries.ts";
import { documentOfEvent, type EventFilter, withoutHidden } from "../../../events/rendered.ts";
import { checkResume } from "../../../events/resume.ts";
import type { Services } from "../../../services.ts";

/** Limit of ids examined for one response, so that a selective filter cannot make a request scan the whole log. */
const WINDOW = 10_000;

interface Asked {
  readonly workspaceId: string;
  readonly after: number | "unknown" | undefined;
  readonly filter: EventFilter;
  readonly limit: number;
}

interface EventPage {
  /** Serialized as JSON. */
  readonly events: readonly string[];
  readonly hasMore: boolean;
  readonly resume_from: number;
  readonly sync_required: boolean;
  readonly oldest_available: number | null;
  readonly reason: "cursor_expired" | "cursor_unknown" | null;
}

const nothing = { events: [], hasMore: false, sync_required: false, oldest_available: null, reason: null } as const;

/** Returns the events after an id, as the stream would send them. */
export async function listEvents(
  { database, config, streams }: Pick<Services, "database" | "config" | "streams">,
  { workspaceId, after, filter, limit }: Asked,
): Promise<EventPage> {
  const { reads } = streams;
  if (after === undefined) return { ...nothing, resume_from: await reads.newest(workspaceId) };
  const id = after === "unknown" ? undefined : after;
  const retentionDays = config.eventRetentionDays;
  const sync = await checkResume(database, reads, { workspaceId, id, retentionDays });
  if (sync || id === undefined) return { ...nothing, resume_from: 0, ...sync, sync_required: true };
  const newest = await reads.newest(workspaceId);
  const end = Math.min(newest, id + WINDOW);
  const rows = await select(database.read, workspaceId, id, end, filter, limit);
  const shown = await withoutHidden(
    rows.filter(({ data }) => !hides(filter.hidden, baseOfEvent(data))),
    ({ data }) => documentOfEvent(data),
    filter.hidden,
    (ids) => reads.knowledgeBasesOf(workspaceId, ids),
  );
  const resumeFrom = rows.length === limit ? defined(rows.at(-1)).id : end;
  return { ...nothing, events: shown.map(({ data }) => data), hasMore: resumeFrom < newest, resume_from: resumeFrom };
}

const select = (
  db: Reader,
  workspaceId: string,
  after: number,
  end: number,
  { documentSetId, locale, userId }: EventFilter,
  limit: number,
) =>
  db
    .selectFrom("events")
    .select(["id", "data"])
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after)
    .where("id", "<=", end)
    .where((eb) => eb.or([eb("user_id", "is", null), eb("user_id", "=", userId)]))
    .$if(documentSetId !== undefined, (rows) => rows.where("document_set_id", "=", documentSetId ?? null))
    .$if(locale !== undefined, (rows) => rows.where("locale", "=", locale ?? null))
    .orderBy("id")
    .limit(limit)
    .execute();
