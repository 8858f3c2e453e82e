import { type BaseFilter, filterName, hides } from "../db/audience/base-filter.ts";
import { sseEvent } from "../http/sse.ts";
import type { StoredEvent } from "./queries.ts";

/** Which events a reader wants. */
export interface EventFilter {
  readonly documentSetId?: string | undefined;
  readonly locale?: string | undefined;
  /** Knowledge bases that the reader does not see. */
  readonly hidden?: BaseFilter | undefined;
}

/** Equal for filters that let the same events through. */
export const filterKey = ({ documentSetId, locale, hidden }: EventFilter): string =>
  JSON.stringify([documentSetId ?? null, locale ?? null, hidden ? filterName(hidden) : null]);

/**
 * The knowledge base that an event's document was in, from its `data`. Quotes inside of its texts are escaped, so that
 * no title looks like the member.
 */
export const baseOfEvent = (data: string): number => Number(/"knowledge_base_id":(\d+)/.exec(data)?.[1] ?? 0);

/** An event as it goes over the wire, written once for all readers. */
export interface Rendered {
  readonly id: number;
  readonly documentSetId: string | null;
  readonly locale: string | null;
  readonly knowledgeBaseId: number;
  readonly bytes: Buffer;
}

export const render = (event: StoredEvent): Rendered => ({
  id: event.id,
  documentSetId: event.document_set_id,
  locale: event.locale,
  knowledgeBaseId: baseOfEvent(event.data),
  bytes: Buffer.from(sseEvent(event.type, event.data, event.id)),
});

export const wanted = (
  { documentSetId, locale, hidden }: EventFilter,
  event: Pick<Rendered, "documentSetId" | "locale" | "knowledgeBaseId">,
): boolean =>
  !hides(hidden, event.knowledgeBaseId) &&
  (documentSetId === undefined || documentSetId === event.documentSetId) &&
  (locale === undefined || locale === event.locale);

/** The events that pass the filter as one piece; undefined when none does. */
export function chunkOf(events: readonly Rendered[], filter: EventFilter): Buffer | undefined {
  const parts = events.filter((event) => wanted(filter, event)).map((event) => event.bytes);
  return parts.length > 1 ? Buffer.concat(parts) : parts[0];
}
