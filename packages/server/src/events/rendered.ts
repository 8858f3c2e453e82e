import { sseEvent } from "../http/sse.ts";
import type { StoredEvent } from "./queries.ts";

/** Which events a reader wants. */
export interface EventFilter {
  readonly documentSetId?: string | undefined;
  readonly locale?: string | undefined;
}

/** Equal for filters that let the same events through. */
export const filterKey = ({ documentSetId, locale }: EventFilter): string =>
  JSON.stringify([documentSetId ?? null, locale ?? null]);

/** An event as it goes over the wire, written once for all readers. */
export interface Rendered {
  readonly id: number;
  readonly documentSetId: string | null;
  readonly locale: string | null;
  readonly bytes: Buffer;
}

export const render = (event: StoredEvent): Rendered => ({
  id: event.id,
  documentSetId: event.document_set_id,
  locale: event.locale,
  bytes: Buffer.from(sseEvent(event.type, event.data, event.id)),
});

export const wanted = (
  { documentSetId, locale }: EventFilter,
  event: { readonly documentSetId: string | null; readonly locale: string | null },
): boolean =>
  (documentSetId === undefined || documentSetId === event.documentSetId) &&
  (locale === undefined || locale === event.locale);

/** The events that pass the filter as one piece; undefined when none does. */
export function chunkOf(events: readonly Rendered[], filter: EventFilter): Buffer | undefined {
  const parts = events.filter((event) => wanted(filter, event)).map((event) => event.bytes);
  return parts.length > 1 ? Buffer.concat(parts) : parts[0];
}
