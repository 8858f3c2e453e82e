/** Headers of every event stream. Proxies must neither cache nor buffer it, and its connection cannot be reused. */
export const SSE_HEADERS = { "cache-control": "no-store", "x-accel-buffering": "no", connection: "close" } as const;
export const SSE_TYPE = "text/event-stream";

/** How long a client waits before it reconnects. */
export const sseRetry = (ms: number): string => `retry: ${ms}\n\n`;

/** Text that keeps the connection alive and that clients skip. One line. */
export const sseComment = (text: string): string => `: ${text}\n\n`;

/** `data` is JSON and so has no line breaks. Without an id, the client's resume point stays where it is. */
export const sseEvent = (type: string, data: string, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;
