import { at } from "../common/base-path.ts";

/** Told on the document when somebody commented on the page that is shown, or suggested a change of it. */
export const DISCUSSED = "svc-discussed";

/** A change of a document, what is said about it, or news for the person, as the event stream sends it. */
export interface DocumentEvent {
  readonly type: string;
  /** Empty for news about no document. */
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

const TYPES = [
  ...["created", "metadata.updated", "content.updated", "deleted"].map((what) => `document.${what}`),
  ...["created", "updated", "resolved", "deleted"].map((what) => `comment.${what}`),
  "suggestion.created",
  "suggestion.decided",
  "notification.created",
];
/**
 * All tabs hear on it what the one that reads the stream hears; the workspace's id follows behind a colon. The number
 * changes with the form of `Message`: tabs of two releases do not understand each other.
 */
export const CHANNEL = "svc-events-3";

/** Undefined for what is of no concern here: the session may have gone to another workspace. */
function parse(workspace: string, type: string, text: string): DocumentEvent | undefined {
  const data = JSON.parse(text);
  if (data?.workspace_id !== workspace) return undefined;
  return {
    type,
    documentId: data.document_id ?? "",
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

/**
 * What tabs tell each other: what happened; that one of them may have missed what followed an id; that again; and that
 * the log begins anew behind an id.
 */
export type Message =
  | Heard
  | { readonly missedSince: number }
  | { readonly again: readonly Heard[] }
  | { readonly restart: number };

/** Events that a tab keeps for others. */
const MOST_KEPT = 100;

/** What a tab has heard, each event once. */
class Memory {
  readonly #heard = new Map<number, Heard>();
  readonly #listen: Listener;
  /** What came up to here is known or too long ago. */
  #floor: number;

  constructor(floor: number, listen: Listener) {
    this.#floor = floor;
    this.#listen = listen;
  }

  hear(one: Heard): void {
    if (one.id <= this.#floor || this.#heard.has(one.id)) return;
    this.#heard.set(one.id, one);
    if (this.#heard.size > MOST_KEPT) {
      this.#floor = Math.min(...this.#heard.keys());
      this.#heard.delete(this.#floor);
    }
    this.#listen(one.event);
  }

  since(id: number): Heard[] {
    return [...this.#heard.values()].filter((one) => one.id > id);
  }

  /** Zero where nothing is known. */
  get newest(): number {
    return Math.max(this.#floor, ...this.#heard.keys());
  }

  restart(floor: number): void {
    this.#heard.clear();
    this.#floor = floor;
  }
}

/**
 * Follows the changes of this workspace behind the event that was the newest when the page was made; where that is not
 * known, from now on. All tabs of a browser share one stream: the tab that holds the lock reads it and passes events on
 * to the others; when it closes, the next one goes on behind what it has heard. What was passed on while a page was on
 * its way, the other tabs tell it again. Where browsers have no locks, which is without TLS, each tab reads the stream
 * while it is in sight: they allow six connections for all of them.
 */
export function followEvents(workspace: string, since: number | undefined, listen: Listener): void {
  const channel = new BroadcastChannel(`${CHANNEL}:${workspace}`);
  const post = (message: Message) => channel.postMessage(message);
  const memory = new Memory(since ?? 0, listen);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if ("event" in data) memory.hear(data);
    else if ("again" in data) {
      // Who does not know since when would take old events for news.
      if (since !== undefined) for (const one of data.again) memory.hear(one);
    } else if ("restart" in data) memory.restart(data.restart);
    else {
      const again = memory.since(data.missedSince);
      if (again.length > 0) post({ again });
    }
  });
  if (since !== undefined) post({ missedSince: since });
  const read = (): EventSource => {
    const { newest } = memory;
    const resume = since === undefined && newest === 0 ? "" : `?last_event_id=${newest}`;
    const source = new EventSource(at(`/app/api/v1/events${resume}`));
    for (const type of TYPES)
      source.addEventListener(type, (message) => {
        const event = parse(workspace, type, message.data);
        if (!event) return;
        const one = { id: Number(message.lastEventId), event };
        memory.hear(one);
        post(one);
      });
    source.addEventListener("sync.required", ({ data }) => {
      const { resume_from: restart } = JSON.parse(data);
      memory.restart(restart);
      post({ restart });
    });
    return source;
  };
  // The lock is held for as long as the tab lives.
  const readForAll = () => {
    read();
    return new Promise<never>(() => undefined);
  };
  if ("locks" in navigator) navigator.locks.request(`${CHANNEL}:${workspace}`, readForAll);
  else whileInSight(read);
}

function whileInSight(read: () => EventSource): void {
  let source: EventSource | undefined;
  const follow = () => {
    source?.close();
    source = document.visibilityState === "visible" ? read() : undefined;
  };
  document.addEventListener("visibilitychange", follow);
  follow();
}
