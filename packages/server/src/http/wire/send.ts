import { IncomingMessage } from "node:http";
import { defined } from "@svc/document/defined";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SelfWriting, Written } from "../answer.ts";
import type { Allowance } from "../limits/rate-limit.ts";
import { byteLength, encodingFor, variesByEncoding, varyWith } from "./compress.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's rate limit, once it is known. */
    allowance: Allowance | undefined;
  }
  interface FastifyInstance {
    /** Set when the server stops: an answer is then the last one on its connection. */
    stopping: boolean;
  }
}

export const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotency-Replayed, Content-Disposition, Content-Range, Accept-Ranges, X-Content-Warnings",
};
const FIXED_HEADERS = Object.entries({ "x-content-type-options": "nosniff", ...CORS_HEADERS }).flat();

/** Headers of every answer of the API: alternating names and values. */
const commonHeaders = ({ id, allowance }: FastifyRequest): string[] =>
  allowance
    ? [
        ...FIXED_HEADERS,
        "x-request-id",
        id,
        "x-ratelimit-limit",
        `${allowance.limit}`,
        "x-ratelimit-remaining",
        `${allowance.remaining}`,
        "x-ratelimit-reset",
        `${allowance.reset}`,
      ]
    : [...FIXED_HEADERS, "x-request-id", id];

const isApi = (request: FastifyRequest): boolean => request.url.startsWith("/api/");

/** A request from within the process (in-process-fetch.ts) has no socket, and gets only what the framework writes. */
const hasSocket = ({ raw }: FastifyRequest): boolean => raw instanceof IncomingMessage;

/**
 * Sends an answer. Plain API text is written without the framework's reply, whose hooks and header handling cost more
 * than most handlers; all other answers use the framework.
 */
export function send(reply: FastifyReply, { status, headers, body }: Written): FastifyReply {
  const { request, server } = reply;
  const isDirect = isApi(request) && !server.stopping && hasSocket(request);
  const isReady = typeof body === "string" || Buffer.isBuffer(body) || isPieces(body);
  const varies =
    isReady && headers["content-encoding"] === undefined && variesByEncoding(body, headers["content-type"]);
  if (isDirect && isReady && !(varies && encodingFor(request.headers["accept-encoding"])))
    writeOut(reply, status, varies ? { ...headers, vary: varyWith(headers.vary) } : headers, body);
  else if (isDirect && isSelfWriting(body)) streamOut(reply, status, headers, body);
  else {
    if (isApi(request)) eachHeader(commonHeaders(request), (name, value) => void reply.header(name, value));
    reply
      .code(status)
      .headers(headers)
      .send(isPieces(body) ? Buffer.concat(body) : body);
  }
  return reply;
}

const isPieces = (body: Written["body"]): body is readonly Buffer[] => Array.isArray(body);

function eachHeader(headers: readonly string[], set: (name: string, value: string) => void): void {
  for (let i = 0; i < headers.length; i += 2) set(defined(headers[i]), defined(headers[i + 1]));
}

const isSelfWriting = (body: Written["body"]): body is SelfWriting => typeof body === "object" && "writeTo" in body;

async function streamOut(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: SelfWriting,
): Promise<void> {
  reply.hijack();
  const { raw, request } = reply;
  eachHeader(commonHeaders(request), (name, value) => void raw.setHeader(name, value));
  raw.writeHead(status, headers);
  const giveUp = () => body.destroy();
  request.raw.socket.once("close", giveUp);
  try {
    await body.writeTo(raw);
    raw.end();
  } catch {
    // The head has been sent: aborting is the only way to report that something is missing.
    raw.destroy();
  } finally {
    request.raw.socket.off("close", giveUp);
  }
}

function writeOut(
  reply: FastifyReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | readonly Buffer[],
): void {
  reply.hijack();
  const { raw } = reply;
  const all = commonHeaders(reply.request);
  for (const name in headers) all.push(name, defined(headers[name]));
  const bytes = byteLength(body);
  if (status !== 304) all.push("content-length", String(bytes));
  raw.writeHead(status, all);
  if (isPieces(body)) {
    // Sent together with the head.
    raw.cork();
    for (const piece of body) raw.write(piece);
    raw.end();
  }
  // Text with as many bytes as characters is ASCII, which need not be encoded.
  else raw.end(body, bytes === body.length ? "latin1" : "utf8");
}
