import { createMcpHandler } from "@modelcontextprotocol/server";
import { scopesMissing } from "./scopes-missing.ts";
import { makeMcpServer } from "./server.ts";
import type { Session } from "./session.ts";

export interface HttpHandler {
  /** Answers one request on behalf of the session's bearer; `body` is its JSON, parsed. */
  readonly answer: (request: Request, session: Session, body: unknown) => Promise<Response>;
  /** Everything to ask for so that a message of this body can be served; empty where nothing is missing. */
  readonly scopesMissing: (session: Session, body: unknown) => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * Streamable HTTP without sessions: every request brings its token and is served by a server of its own, in the
 * protocol's revision of 2026 and in those of 2025. Whoever calls has checked origin and token before.
 */
export function makeHttpHandler(onError: (error: Error) => void): HttpHandler {
  const handler = createMcpHandler(({ authInfo }) => makeMcpServer(authInfo?.extra?.session as Session), {
    onerror: onError,
    // Nothing is announced that could be listened to.
    maxSubscriptions: 1,
  });
  return {
    answer: (request, session, body) =>
      handler.fetch(request, {
        parsedBody: body,
        authInfo: { token: "", clientId: "", scopes: [...session.scopes], extra: { session } },
      }),
    scopesMissing,
    close: handler.close,
  };
}
