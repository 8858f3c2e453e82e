import type { IncomingMessage } from "node:http";
import { DocumentError } from "@svc/document/errors";
import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { CommitUnknown, DatabaseUnavailable } from "../db/database.ts";
import { ApiError, apiError, invalidRequest, noSuchPath, refuseEncoded } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Services } from "../services.ts";
import { isOverloaded } from "../threads/pool.ts";
import { writeError } from "./answer.ts";
import { basePathOf, pageWithBasePath, withBasePath, withoutBasePath } from "./base-path.ts";
import type { Identity } from "./callers/authenticate.ts";
import { InsideCallers } from "./callers/inside-callers.ts";
import { limitBodies } from "./limits/body-budget.ts";
import { compress } from "./wire/compress.ts";
import { costlyShape, MAX_FIELD_SEQUENCES, UNCHECKED_BYTES } from "./wire/json-shape.ts";
import { send } from "./wire/send.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every request under /api/. */
    identity: Identity | undefined;
    /** The raw body, for idempotency. */
    rawBody: Buffer | undefined;
    /**
     * The error if the body is not JSON, thrown when the route checks its input, so that an idempotency key can store
     * it.
     */
    bodyProblem: ApiError | undefined;
    /** The sender of the body, if there is no `identity`. */
    bodyCaller: string | undefined;
    /** Steps that wait for the outcome of a write. */
    afterwards: readonly (() => Promise<void>)[] | undefined;
  }
  interface FastifyInstance {
    /** Counts a request against its caller's rate limit when no route does, because its address is malformed. */
    admit: (request: FastifyRequest) => Promise<void>;
    /** The callers for whom this process is calling its own routes. */
    insideCallers: InsideCallers;
  }
}

/** The headers of a page; the API's answers have their own in send.ts. */
const PAGE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "cross-origin",
};

const requestId = (request: IncomingMessage): string => {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId("req");
};

/** A request line may hold an absolute URL, as for a proxy (RFC 9112, 3.2.2): only its path counts. */
const pathOf = (target: string): string =>
  target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, "/");

/** Node's error code for a request that took too long. */
const STALLED = "ERR_HTTP_REQUEST_TIMEOUT";

const unknownPath = ({ url }: FastifyRequest): ApiError => noSuchPath(url.split("?")[0] ?? "");

const noHost = (): ApiError => invalidRequest("header.host", "is required");

/** An incomplete request head ends the connection after 30 seconds: the limit plus the time between two checks. */
export const HEAD_TIME = { headersTimeout: 29_000, connectionsCheckingInterval: 1000 };

/** A bare HTTP server with the error format, ids, limits and log lines; routes are mounted on it. */
export function makeServer(config: Config, log: Services["log"], headTime = HEAD_TIME): FastifyInstance {
  const basePath = basePathOf(config);
  const server = Fastify({
    logger: false,
    bodyLimit: config.maxRequestBytes,
    trustProxy: config.trustProxy > 0 && ((_address, hop) => hop < config.trustProxy),
    // Node would answer a request without the header with a bare 400.
    http: { requireHostHeader: false, ...headTime },
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    genReqId: requestId,
    rewriteUrl: ({ url = "/" }) => withoutBasePath(basePath, pathOf(url)),
    forceCloseConnections: "idle",
    // A stopping server still answers requests on a kept-alive connection.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) =>
      void server.admit(request).then(
        () => answerError(error, request, reply, log),
        (refusal) => answerError(refusal, request, reply, log),
      ),
    clientErrorHandler: answerBrokenRequest,
  });
  server.decorateRequest("identity", undefined);
  server.decorateRequest("rawBody", undefined);
  server.decorateRequest("bodyProblem", undefined);
  server.decorateRequest("bodyCaller", undefined);
  server.decorateRequest("afterwards", undefined);
  server.decorateRequest("allowance", undefined);
  server.decorate("stopping", false);
  server.decorate("admit", async () => undefined);
  server.decorate("insideCallers", new InsideCallers());
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, parseJson);
  server.addHook("onRequest", (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") return done(noHost());
    if (!request.url.startsWith("/api/")) reply.headers(PAGE_HEADERS).header("x-request-id", request.id);
    // Runs before a body is read.
    done(request.is404 ? unknownPath(request) : undefined);
  });
  server.addHook("preClose", (done) => {
    server.stopping = true;
    done();
  });
  server.addHook("onSend", (request, reply, payload, done) => {
    // The last answer on its connection: an open connection would delay the stop.
    if (server.stopping) reply.header("connection", "close");
    // The framework would close the connection, and a client that is still sending would never see the error; Node
    // reads the body to its end.
    else if (reply.statusCode === 413) reply.removeHeader("connection");
    compress(request, reply, basePath === "" ? payload : atBasePath(basePath, request, reply, payload), done);
  });
  // Node answers an unknown expectation with a bare 417; it may be ignored instead (RFC 9110, 10.1.1).
  server.server.on("checkExpectation", (request, response) => server.server.emit("request", request, response));
  server.setNotFoundHandler((request, reply) => send(reply, writeError(unknownPath(request), request.id)));
  limitBodies(server, endStalledRequest);
  server.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, log));
  return server;
}

/** Adds the base path to pages and redirects, for a service that is not at the root of its host. */
function atBasePath(base: string, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const location = reply.getHeader("location");
  if (typeof location === "string") reply.header("location", withBasePath(base, location));
  const isPage = String(reply.getHeader("content-type")).startsWith("text/html") && !request.url.startsWith("/api/");
  const isText = typeof payload === "string" || (Buffer.isBuffer(payload) && !reply.hasHeader("content-encoding"));
  return isPage && isText ? pageWithBasePath(base, payload.toString()) : payload;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(
  request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
) {
  const bytes = body as Buffer;
  request.rawBody = bytes;
  if (bytes.length === 0) return done(null, undefined);
  request.bodyProblem = refuseEncoded(request.headers["content-encoding"]);
  if (request.bodyProblem) return done(null, undefined);
  try {
    const costly = bytes.length > UNCHECKED_BYTES ? costlyShape(bytes, MAX_FIELD_SEQUENCES) : undefined;
    if (costly !== undefined) request.bodyProblem = invalidRequest("body", costly);
    done(null, costly === undefined ? JSON.parse(utf8.decode(bytes)) : undefined);
  } catch {
    request.bodyProblem = apiError("invalid_json");
    done(null, undefined);
  }
}

const frameworkCodes: Record<string, () => ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => apiError("payload_too_large"),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => apiError("unsupported_media_type"),
  FST_ERR_CTP_EMPTY_TYPE: () => apiError("unsupported_media_type"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => apiError("invalid_request"),
  FST_ERR_BAD_URL: () =>
    apiError("invalid_request", { issues: [{ path: "path", message: "is not valid percent-encoding" }] }),
};

/** Converts any failure to an error of the catalogue. An unexpected failure reveals nothing about the inside. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DocumentError) return new ApiError(error.code, error.details, {}, error.message);
  if (isOverloaded(error)) return apiError("unavailable", {}, { "retry-after": "5" });
  if (error instanceof CommitUnknown) return apiError("unknown", {}, { "retry-after": "2" });
  if (error instanceof DatabaseUnavailable) return apiError("unavailable", {}, { "retry-after": "2" });
  const known = frameworkCodes[codeOf(error)];
  if (known) return known();
  const statusCode = isRecord(error) && typeof error.statusCode === "number" ? error.statusCode : 500;
  return apiError(statusCode >= 400 && statusCode < 500 ? "invalid_request" : "internal_error");
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Services["log"]): FastifyReply {
  const refusal = toApiError(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, "request failed");
  return send(reply, writeError(refusal, request.id, request.routeOptions.config.errorMembers?.(refusal)));
}

function endStalledRequest(socket: import("node:net").Socket): void {
  answerBrokenRequest(Object.assign(new Error(), { code: STALLED }), socket);
  // The other side may never close its half.
  socket.destroySoon();
}

const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  [STALLED]: "408 Request Timeout",
};

/** Even a request that is not HTTP gets an error body before the connection ends. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: import("node:net").Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const id = newId("req");
  const { headers, body } = writeError(apiError("invalid_request"), id);
  const status = BROKEN[error.code ?? ""] ?? "400 Bad Request";
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: ${headers["content-type"]}\r\ncontent-length: ${length}\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
  );
}
