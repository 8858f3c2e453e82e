import { at } from "../common/base-path.ts";

/** Dispatched on the document when somebody comments on the shown page or suggests a change to it. */
export const DISCUSSED = "svc-discussed";

/** An event about a document, its discussion, or a notification, from the event stream. */
export interface DocumentEvent {
  readonly type: string;
  /** Empty for notifications without a document. */
  readonly documentId: string;
  readonly title: string;
  readonly knowledgeBaseId: number;
  readonly folderId: number | null;
  readonly userId: string;
  /** The program that made the change; null for a browser. */
  readonly program: string | null;
  /** The body's version after the change. */
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
 * The channel on which the tab that reads the stream passes events to the others; the workspace's id follows after a
 * colon. The number changes with the format of `Message`, so tabs of two releases ignore each other.
 */
export const CHANNEL = "svc-events-3";

/** Undefined for irrelevant events: the session may have switched workspaces. */
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

/** An event with its position in the log. */
interface Heard {
  readonly id: number;
  readonly event: DocumentEvent;
}

/**
 * Messages between tabs: an event; "I may have missed events after this id"; such an event again; the log restarts
 * after an id.
 */
export type Message =
  | Heard
  | { readonly missedSince: number }
  | { readonly again: readonly Heard[] }
  | { readonly restart: number };

/** Max events that a tab keeps for others. */
const MAX_KEPT = 100;

/** The events that a tab has received, each once. */
class Memory {
  readonly #heard = new Map<number, Heard>();
  readonly #listen: Listener;
  /** Events up to here are known or too old. */
  #floor: number;

  constructor(floor: number, listen: Listener) {
    this.#floor = floor;
    this.#listen = listen;
  }

  hear(one: Heard): void {
    if (one.id <= this.#floor || this.#heard.has(one.id)) return;
    this.#heard.set(one.id, one);
    if (this.#heard.size > MAX_KEPT) {
      this.#floor = Math.min(...this.#heard.keys());
      this.#heard.delete(this.#floor);
    }
    this.#listen(one.event);
  }

  since(id: number): Heard[] {
    return [...this.#heard.values()].filter((one) => one.id > id);
  }

  /** Zero if none is known. */
  get newest(): number {
    return Math.max(this.#floor, ...this.#heard.keys());
  }

  restart(floor: number): void {
    this.#heard.clear();
    this.#floor = floor;
  }
}

/**
 * Follows the events of this workspace after the newest one at the time the page was rendered, or from now on if that
 * is unknown. All tabs of a browser share one stream: the tab that holds the lock reads it and passes events on; when
 * it closes, the next one continues after its last event. Other tabs repeat events that were passed on while a page was
 * loading. Browsers without locks (no TLS) read the stream in each visible tab: they allow six connections for all of
 * them.
 */
export function followEvents(workspace: string, since: number | undefined, listen: Listener): void {
  const channel = new BroadcastChannel(`${CHANNEL}:${workspace}`);
  const post = (message: Message) => channel.postMessage(message);
  const memory = new Memory(since ?? 0, listen);
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if ("event" in data) memory.hear(data);
    else if ("again" in data) {
      // Without a start position, replayed events would look new.
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
  // The lock is held as long as the tab lives.
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
