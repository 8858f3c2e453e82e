import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { apiError, noSuchPath } from "../../errors.ts";
import { writeError } from "../../http/answer.ts";
import { API_PREFIX } from "../../http/mount.ts";
import { toApiError } from "../../http/server.ts";
import type { Services } from "../../services.ts";
import { pageHeaders } from "./document/files.ts";
import { fetchFor } from "./page-client.ts";
import { isProven, viewerOf } from "./request-visit.ts";
import { isProvenNow } from "./sign-in/proof.ts";

/** The prefix for our scripts' API calls: `${RELAY}/api/v1/…`. */
const RELAY = "/app";

/** Request headers that the API understands. */
const PASSED_ON = [
  "accept",
  "content-type",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "last-event-id",
  "range",
] as const;

/**
 * Relays API calls of our own pages' scripts: the session authenticates them, and every change also needs the form
 * token in a header. Answers are the API's own.
 */
export function mountRelay(server: FastifyInstance, services: Services): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toApiError(error);
      if (refusal.status >= 500) services.log.error({ request_id: request.id, err: error }, "relay failed");
      const { status, headers, body } = writeError(refusal, request.id);
      return reply.code(status).headers(headers).send(body);
    });
    scope.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: `${RELAY}${API_PREFIX}/*`,
      config: { operation: "relay" },
      handler: (request, reply) => relay(request, reply, services),
    });
  });
}

/** Resolves the target, however it is written: dot segments, escapes or backslashes could lead out of the API. */
function targetOf({ url }: FastifyRequest): URL {
  const target = URL.parse(url.slice(RELAY.length), "http://svc");
  if (!target?.pathname.startsWith(`${API_PREFIX}/`)) throw noSuchPath(url);
  return target;
}

/** Deleting a knowledge base cannot be undone, so the person first proves who they are. */
const isGuarded = (method: string, { pathname }: URL): boolean =>
  method === "DELETE" && /^\/knowledge-bases\/[^/]+\/?$/.test(plainPath(pathname).slice(API_PREFIX.length));

/** The path as the router reads it. */
function plainPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw noSuchPath(path);
  }
}

async function relay(request: FastifyRequest, reply: FastifyReply, services: Services): Promise<FastifyReply> {
  const given = request.headers["x-form-token"];
  const formToken = typeof given === "string" ? given : null;
  const viewer = await viewerOf(request, services, { formToken });
  if (!viewer) throw apiError("token_missing");
  if (request.method !== "GET" && !isProven(request, services, viewer, formToken))
    throw apiError("insufficient_role", { hint: "Reload the page: this one is too old, or not from this site." });
  const target = targetOf(request);
  if (isGuarded(request.method, target) && !isProvenNow(viewer))
    throw apiError("insufficient_role", { prove: "/prove", hint: "Confirm your identity at /prove, then try again." });
  const headers = Object.fromEntries(
    PASSED_ON.flatMap((name) => (typeof request.headers[name] === "string" ? [[name, request.headers[name]]] : [])),
  );
  const answer = await fetchFor(request, viewer)(target, {
    method: request.method,
    headers,
    ...(request.body instanceof Readable && { body: Readable.toWeb(request.body), duplex: "half" }),
  });
  reply.code(answer.status).headers(pageHeaders(answer.headers));
  const type = answer.headers.get("content-type");
  if (type) reply.type(type);
  if (!answer.body) return reply.send();
  const body = Readable.fromWeb(answer.body);
  // When the reader disconnects, end the writer too, for example an event stream.
  reply.raw.once("close", () => body.destroy());
  return reply.send(body);
}
