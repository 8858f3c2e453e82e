import { type BaseFilter, filterName, hides } from "../db/audience/base-filter.ts";
import { sseEvent } from "../http/wire/sse.ts";
import { baseOfEvent, type StoredEvent } from "./queries.ts";

/** Which events a reader wants. */
export interface EventFilter {
  readonly documentSetId?: string | undefined;
  readonly locale?: string | undefined;
  /** Knowledge bases that the reader does not see. */
  readonly hidden?: BaseFilter | undefined;
  /** Who reads: what is for another person alone is left out. */
  readonly userId: string;
}

/** Equal for filters that let the same events through, of those that are for everybody. */
export const filterKey = ({ documentSetId, locale, hidden }: Omit<EventFilter, "userId">): string =>
  JSON.stringify([documentSetId ?? null, locale ?? null, hidden ? filterName(hidden) : null]);

/** The document that an event is about; empty for one about none. Ours stands before all texts of people. */
export const documentOfEvent = (data: string): string => /"document_id":"(\w+)"/.exec(data)?.[1] ?? "";

/**
 * Leaves out what happened to documents that a reader does not see now, wherever they were then: one that moved into a
 * hidden knowledge base has no past for them.
 */
export async function withoutHidden<T>(
  events: readonly T[],
  documentOf: (event: T) => string,
  hidden: BaseFilter | undefined,
  placesOf: (documentIds: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<readonly T[]> {
  if (!hidden || events.length === 0) return events;
  const places = await placesOf([...new Set(events.map(documentOf).filter(Boolean))]);
  return events.filter((event) => {
    const place = places.get(documentOf(event));
    return place === undefined || !hides(hidden, place);
  });
}

/** An event as it goes over the wire, written once for all readers. */
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

/** The events that pass the filter as one piece; undefined when none does. */
export function chunkOf(events: readonly Rendered[], filter: EventFilter): Buffer | undefined {
  const parts = events.filter((event) => wanted(filter, event)).map((event) => event.bytes);
  return parts.length > 1 ? Buffer.concat(parts) : parts[0];
}
