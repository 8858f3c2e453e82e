import type { Client } from "./client.ts";
import { ConnectionError } from "./errors.ts";
import type { Event } from "./generated/api.ts";
import { MessageReader } from "./sse.ts";
import { sleep } from "./time.ts";

/** Events after your position are no longer kept (or it was not this service's): list what changed, then go on. */
export interface SyncRequired {
  readonly type: "sync.required";
  readonly resume_from: number;
  readonly oldest_available: number | null;
  readonly reason: "cursor_expired" | "cursor_unknown";
  /** The run of events that `resume_from` belongs to: keep both. */
  readonly history: string;
}

export type StreamEvent = Event | SyncRequired;

export interface EventOptions {
  /** The `event_id` of the last event you have processed; without it the stream begins now. */
  readonly lastEventId?: number | string | undefined;
  /** The `history` that the id belongs to (see `eventsSince` and `sync.required`): in another history the id is unknown. */
  readonly history?: string | undefined;
  readonly documentSetId?: string | undefined;
  readonly locale?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Silence after which the connection counts as dead; the service gives a sign every 15 seconds. */
  readonly silenceMs?: number | undefined;
  /** Between a drop and the next connection, instead of what the service asks for. */
  readonly reconnectMs?: number | undefined;
  /** Told when the stream stands, and when it is lost (with the reason) and will be opened again. */
  readonly onState?: ((state: "open" | "lost", reason?: unknown) => void) | undefined;
}

const SILENCE_MS = 45_000;
const RECONNECT_MS = 5_000;

/**
 * The changes of documents as they happen, without end. A lost connection is opened again where it broke off, so no
 * event is missed and none comes twice. Ends with the signal's reason when it is aborted, and with an `ApiError` when
 * the token may no longer listen.
 */
export async function* streamEvents(
  client: Client,
  options: EventOptions = {},
): AsyncGenerator<StreamEvent, never, undefined> {
  let { lastEventId: position, history } = options;
  if (position === undefined) ({ position, history } = await currentPosition(client, options.signal));
  let reconnectMs = options.reconnectMs ?? RECONNECT_MS;
  while (true) {
    const connection = new AbortController();
    let revoked = false;
    try {
      for await (const message of connect(client, position, { ...options, history }, connection)) {
        if (message.retry !== undefined) reconnectMs = options.reconnectMs ?? message.retry;
        position = positionOf(message.comment) ?? position;
        revoked = message.event === "auth.revoked";
        if (revoked) break;
        if (message.data === "") continue;
        const event: StreamEvent = { type: message.event, ...JSON.parse(message.data) };
        yield event;
        position = event.type === "sync.required" ? event.resume_from : event.event_id;
        if (event.type === "sync.required") history = event.history;
      }
      options.onState?.("lost");
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof ConnectionError)) throw error;
      options.onState?.("lost", error);
    } finally {
      connection.abort();
    }
    // After a revocation the next connection is refused with the reason, or stands with a newer token.
    if (!revoked) await sleep(reconnectMs * (0.75 + Math.random() / 2), options.signal);
  }
}

/** A heartbeat says how far the stream has come, also past events that a filter leaves out. */
function positionOf(comment: string | undefined): string | undefined {
  return comment === undefined ? undefined : /^position (\d+)$/.exec(comment)?.[1];
}

/** The current end of the events: known before the first event, so a dropped connection leaves no gap. */
async function currentPosition(client: Client, signal: AbortSignal | undefined) {
  const { resume_from: position, history } = await client.get("/changes", { signal });
  return { position, history };
}

async function* connect(client: Client, position: number | string, options: EventOptions, connection: AbortController) {
  const signal = options.signal ? AbortSignal.any([options.signal, connection.signal]) : connection.signal;
  const response = await client.raw("get", "/events", {
    query: {
      ...(options.documentSetId !== undefined && { document_set_id: options.documentSetId }),
      ...(options.locale !== undefined && { locale: options.locale }),
      ...(options.history !== undefined && { history: options.history }),
    },
    headers: { accept: "text/event-stream", "last-event-id": String(position) },
    signal,
    retry: { attempts: Number.POSITIVE_INFINITY },
  });
  if (!response.body || !response.headers.get("content-type")?.includes("text/event-stream"))
    throw new ConnectionError("not_the_api", `${client.baseUrl} did not answer with an event stream.`);
  options.onState?.("open");
  const messages = new MessageReader();
  for await (const text of piecesOf(response.body, options.silenceMs ?? SILENCE_MS)) yield* messages.take(text);
}

/** The text as it comes; too long a silence is a lost connection. */
async function* piecesOf(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    while (true) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw error instanceof ConnectionError
      ? error
      : new ConnectionError("connection_lost", "The event stream broke off.", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError("timeout", `The event stream was silent for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
