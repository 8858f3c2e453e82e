import { at } from "./base-path.ts";

/** A change of a document, as the event stream sends it. */
export interface DocumentEvent {
  readonly type: string;
  readonly documentId: string;
  readonly title: string;
  readonly knowledgeBaseId: number;
  readonly folderId: number | null;
  readonly userId: string;
  /** The program that made the change; null for a browser. */
  readonly program: string | null;
  /** Of the body, after the change. */
  readonly version: string;
}

type Listener = (event: DocumentEvent) => void;

const TYPES = ["document.created", "document.metadata.updated", "document.content.updated", "document.deleted"];
/** All tabs hear on it what the one that reads the stream hears; the workspace's id follows behind a colon. */
export const CHANNEL = "svc-events";

function parse(type: string, text: string): DocumentEvent | undefined {
  const data = JSON.parse(text);
  if (typeof data?.document_id !== "string") return undefined;
  return {
    type,
    documentId: data.document_id,
    title: String(data.document?.title ?? ""),
    knowledgeBaseId: Number(data.document?.knowledge_base_id),
    folderId: data.document?.folder_id ?? null,
    userId: String(data.actor?.user_id ?? ""),
    program: data.actor?.token_id ? (data.actor.client ?? "a program") : null,
    version: String(data.document?.version ?? ""),
  };
}

/** An event with its place in the log. */
interface Heard {
  readonly id: number;
  readonly event: DocumentEvent;
}

/** What tabs tell each other: what happened, that one of them may have missed what followed an id, and that again. */
export type Message = Heard | { readonly since: number } | { readonly again: readonly Heard[] };

/** Events that a tab keeps for others. */
const MOST_KEPT = 100;

/**
 * Follows the changes of this workspace behind the event that was the newest when the page was made (`NaN`: not known,
 * from now on). All tabs of a
 * browser share one stream: the tab that holds the lock reads it and passes events on to the others; when it closes, the
 * next one goes on behind what it has heard. What was passed on while a page was on its way, the others tell it again.
 */
export function followEvents(workspace: string, since: number, listen: Listener): void {
  if (!("locks" in navigator)) return;
  const channel = new BroadcastChannel(`${CHANNEL}:${workspace}`);
  const post = (message: Message) => channel.postMessage(message);
  const heard = new Map<number, Heard>();
  const hear = (one: Heard) => {
    if (one.id <= since || heard.has(one.id)) return;
    heard.set(one.id, one);
    if (heard.size > MOST_KEPT) heard.delete(Math.min(...heard.keys()));
    listen(one.event);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if ("event" in data) hear(data);
    else if ("again" in data) data.again.forEach(hear);
    else {
      const again = [...heard.values()].filter(({ id }) => id > data.since);
      if (again.length > 0) post({ again });
    }
  });
  post({ since });
  navigator.locks.request(`${CHANNEL}:${workspace}`, () => {
    const last = Math.max(since, ...heard.keys());
    const resume = Number.isNaN(last) ? "" : `?last_event_id=${last}`;
    const source = new EventSource(at(`/app/api/v1/events${resume}`));
    for (const type of TYPES)
      source.addEventListener(type, (message) => {
        const event = parse(type, message.data);
        if (!event) return;
        const one = { id: Number(message.lastEventId), event };
        hear(one);
        post(one);
      });
    // The lock is held for as long as the tab lives.
    return new Promise<never>(() => undefined);
  });
}
