import type { CallOptions, Client, OptionsOf } from "./client.ts";
import type { Changes, Event, Reading } from "./generated/api.ts";

/** A document in parts of at most `max_tokens`, in order; `read_cursor_stale` is thrown when it changes meanwhile. */
export async function* readParts(
  client: Client,
  id: string,
  options: Omit<OptionsOf<"/documents/{id}/read">, "path"> = {},
): AsyncGenerator<Reading, void, undefined> {
  let { query } = options;
  while (true) {
    const { data } = await client.get("/documents/{id}/read", { ...options, path: { id }, query });
    yield data;
    if (data.next_cursor === null) return;
    query = { ...query, cursor: data.next_cursor };
  }
}

/**
 * Yields the changes of a document's blocks since `after`, oldest first; keep the `cursor` of the last answer for the next
 * time. Without `after` the one answer has the `manifest` of all blocks.
 */
export async function* blockChanges(
  client: Client,
  id: string,
  after?: string,
  options: CallOptions = {},
): AsyncGenerator<Changes, void, undefined> {
  let cursor = after;
  while (true) {
    const query = cursor === undefined ? {} : { after: cursor };
    const { data } = await client.get("/documents/{id}/changes", { ...options, path: { id }, query });
    yield data;
    if (data.complete) return;
    cursor = data.cursor;
  }
}

export interface EventPage {
  readonly events: Event[];
  /** The cursor for the next call. */
  readonly resumeFrom: number;
  /** Events after your position are no longer kept: list the documents, then go on from `resumeFrom`. */
  readonly syncRequired: boolean;
  /** Keep it with the position and send both: after the service was put back from a backup it is another one. */
  readonly history: string;
}

/** The events after a position up to now, without keeping a stream open. Without `after` it only returns the position. */
export async function* eventsSince(
  client: Client,
  after?: number | string,
  options: CallOptions & {
    readonly documentSetId?: string;
    readonly locale?: string;
    readonly limit?: number;
    readonly history?: string | undefined;
  } = {},
): AsyncGenerator<EventPage, void, undefined> {
  const { documentSetId, locale, limit, history, ...sending } = options;
  const filter = {
    ...(documentSetId !== undefined && { document_set_id: documentSetId }),
    ...(locale !== undefined && { locale }),
    ...(limit !== undefined && { limit }),
  };
  let position = after;
  while (true) {
    const query = position === undefined ? filter : { ...filter, after: String(position) };
    const answer = await client.get("/changes", {
      ...sending,
      query: { ...query, ...(history !== undefined && position === after && { history }) },
    });
    const { resume_from: resumeFrom, sync_required: syncRequired } = answer;
    yield { events: answer.data, resumeFrom, syncRequired, history: answer.history };
    if (!answer.page.has_more) return;
    position = answer.resume_from;
  }
}
