import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "../../../http/answer.ts";
import { SSE_HEADERS, SSE_TYPE, sseComment, sseEvent } from "../../../http/wire/sse.ts";
import type { AskAnswer } from "./schema.ts";

/** Between two signs of life while the model writes. */
const HEARTBEAT_MS = 5000;

export const wantsEvents = (accept: string | undefined): boolean => /\btext\/event-stream\b/.test(accept ?? "");

/** Answers as an event stream: each part of the answer follows the citations that it is the first to use. */
export const eventAnswer = (body: Readable | string): Answer => ({
  headers: SSE_HEADERS,
  raw: { contentType: SSE_TYPE, body },
});

/** Events that begin before the answer is there. */
export const openStream = (finish: () => Promise<AskAnswer>): Readable => Readable.from(streamed(finish));

async function* streamed(finish: () => Promise<AskAnswer>): AsyncGenerator<string> {
  const answering = finish();
  answering.catch(() => undefined);
  for (;;) {
    const pause = new AbortController();
    const timer = wait(HEARTBEAT_MS, undefined, { signal: pause.signal }).catch(() => undefined);
    const answer = await Promise.race([answering, timer]).finally(() => pause.abort());
    if (answer) return yield eventsOf(answer);
    yield sseComment("writing");
  }
}

/** All events of an answer as text. */
export function eventsOf({ answer, citations, ...rest }: AskAnswer): string {
  const sent = new Set<number>();
  const events: string[] = [];
  for (const part of answer) {
    for (const citation of citations) {
      if (sent.has(citation.n) || !part.citations.includes(citation.n)) continue;
      sent.add(citation.n);
      events.push(sseEvent("citation", JSON.stringify(citation)));
    }
    events.push(sseEvent("text", JSON.stringify(part)));
  }
  return [...events, sseEvent("done", JSON.stringify(rest))].join("");
}
