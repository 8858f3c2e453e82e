import { type BaseFilter, filterName, hides } from "../db/audience/base-filter.ts";
import { sseEvent } from "../http/wire/sse.ts";
import { baseOfEvent, type StoredEvent } from "./queries.ts";

/** The events that a reader wants. */
export interface EventFilter {
  readonly documentSetId?: string | undefined;
  readonly locale?: string | undefined;
  /** Knowledge bases that the reader does not see. */
  readonly hidden?: BaseFilter | undefined;
  /** The reader: personal events of others are left out. */
  readonly userId: string;
}

/** Equal for filters that accept the same events, apart from personal ones. */
export const filterKey = ({ documentSetId, locale, hidden }: Omit<EventFilter, "userId">): string =>
  JSON.stringify([documentSetId ?? null, locale ?? null, hidden ? filterName(hidden) : null]);

/** The document of an event; empty if it has none. Our member comes before all texts of users. */
export const documentOfEvent = (data: string): string => /"document_id":"(\w+)"/.exec(data)?.[1] ?? "";

/**
 * Leaves out the events of documents that the reader cannot see now, wherever they were at the time: a document that
 * moved into a hidden knowledge base is hidden with its history.
 */
export async function withoutHidden<T>(
  events: readonly T[],
  documentOf: (event: T) => string,
  hidden: BaseFilter | undefined,
  knowledgeBasesOf: (documentIds: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<readonly T[]> {
  if (!hidden || events.length === 0) return events;
  const knowledgeBases = await knowledgeBasesOf([...new Set(events.map(documentOf).filter(Boolean))]);
  return events.filter((event) => {
    const knowledgeBase = knowledgeBases.get(documentOf(event));
    return knowledgeBase === undefined || !hides(hidden, knowledgeBase);
  });
}

/** An event as it is sent, written once for all readers. */
export interface Rendered {
  readonly id: number;
  readonly documentSetId: string | null;
  readonly locale: string | null;
  readonly knowledgeBaseId: number;
  readonly documentId: string;
  /** The only person who may read it. */
  readonly userId: string | null;
  readonly bytes: Buffer;
}

export const render = (event: StoredEvent): Rendered => ({
  id: event.id,
  documentSetId: event.document_set_id,
  locale: event.locale,
  knowledgeBaseId: baseOfEvent(event.data),
  documentId: documentOfEvent(event.data),
  userId: event.user_id,
  bytes: Buffer.from(sseEvent(event.type, event.data, event.id)),
});

const wanted = (
  { documentSetId, locale, hidden, userId }: EventFilter,
  event: Pick<Rendered, "documentSetId" | "locale" | "knowledgeBaseId" | "userId">,
): boolean =>
  (event.userId === null || event.userId === userId) &&
  !hides(hidden, event.knowledgeBaseId) &&
  (documentSetId === undefined || documentSetId === event.documentSetId) &&
  (locale === undefined || locale === event.locale);

/** The events that pass the filter as one piece; undefined if none does. */
export function chunkOf(events: readonly Rendered[], filter: EventFilter): Buffer | undefined {
  const parts = events.filter((event) => wanted(filter, event)).map((event) => event.bytes);
  return parts.length > 1 ? Buffer.concat(parts) : parts[0];
}
