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

/**
 * Follows the changes of this workspace. All tabs of a browser share one stream: the tab that holds the lock reads it and
 * passes events on to the others; when it closes, the next one takes over.
 */
export function followEvents(workspace: string, listen: Listener): void {
  if (!("locks" in navigator)) return;
  const channel = new BroadcastChannel(`${CHANNEL}:${workspace}`);
  channel.addEventListener("message", ({ data }: MessageEvent<DocumentEvent>) => listen(data));
  navigator.locks.request(`${CHANNEL}:${workspace}`, () => {
    const source = new EventSource(at("/app/api/v1/events"));
    for (const type of TYPES)
      source.addEventListener(type, (message) => {
        const event = parse(type, message.data);
        if (!event) return;
        listen(event);
        channel.postMessage(event);
      });
    // The lock is held for as long as the tab lives.
    return new Promise<never>(() => undefined);
  });
}
