import { Socket } from "node:net";
import { type Readable, Transform } from "node:stream";
import { asError } from "@svc/document/thrown";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ApiError, apiError } from "../../errors.ts";
import { addressSubject } from "./limit-addresses.ts";

/** The bytes of bodies that this process holds at once: of one caller, and of all. */
const MAX_BYTES_PER_CALLER = 64 * 1024 * 1024;
const MAX_BYTES_IN_ALL = 256 * 1024 * 1024;

/** How often arriving requests are checked, and after how many checks without new bytes they are ended: 30 seconds. */
const PATIENCE = { lookMs: 2000, looks: 15 };

const tooManyOfCaller = (): ApiError =>
  apiError(
    "rate_limited",
    { hint: "Too many large bodies at once: send the next one when one of yours is answered." },
    { "retry-after": "1" },
  );
const tooManyInAll = (): ApiError => apiError("unavailable", {}, { "retry-after": "1" });

/** Counts the bytes of bodies, per caller, until their requests are answered. */
class BodyBudget {
  readonly #callers = new Map<string, number>();
  #total = 0;

  take(caller: string, bytes: number): void {
    const own = (this.#callers.get(caller) ?? 0) + bytes;
    if (own > MAX_BYTES_PER_CALLER) throw tooManyOfCaller();
    if (this.#total + bytes > MAX_BYTES_IN_ALL) throw tooManyInAll();
    this.#callers.set(caller, own);
    this.#total += bytes;
  }

  release(caller: string, bytes: number): void {
    const own = (this.#callers.get(caller) ?? 0) - bytes;
    if (own > 0) this.#callers.set(caller, own);
    else this.#callers.delete(caller);
    this.#total -= bytes;
  }
}

/** A request whose body is arriving, and for how many checks in a row it has sent nothing more. */
interface Arriving {
  readonly request: FastifyRequest;
  bytesRead: number;
  looks: number;
}

const callerOf = (request: FastifyRequest): string =>
  request.identity && "caller" in request.identity
    ? request.identity.caller.tokenId
    : (request.bodyCaller ?? addressSubject(request.ip));

/**
 * Limits the memory of bodies until their requests are answered. A body with a `Content-Length` counts in full from the
 * start, any other as it arrives. Uploaded files are streamed away and do not count. A request from inside the process
 * is part of one that is counted. A sender that is silent for 30 seconds is disconnected.
 */
export function limitBodies(server: FastifyInstance, end: (socket: Socket) => void, patience = PATIENCE): void {
  const budget = new BodyBudget();
  const arriving = new Set<Arriving>();
  server.addHook("preParsing", (request, reply, payload, done) => {
    const { method, raw } = request;
    if (method === "GET" || method === "HEAD" || !(raw.socket instanceof Socket)) return done(null, payload);
    const { "content-length": length, "content-type": type = "" } = raw.headers;
    if (length === "0" || (length === undefined && raw.headers["transfer-encoding"] === undefined))
      return done(null, payload);
    watch(arriving, request, reply);
    if (type.startsWith("multipart/")) return done(null, payload);
    if (length === undefined) return done(null, counted(budget, request, reply, payload as Readable));
    // A body that is too long for the route is refused before it is read.
    const bytes = Number(length) > request.routeOptions.bodyLimit ? 0 : Number(length);
    const caller = callerOf(request);
    try {
      budget.take(caller, bytes);
    } catch (error) {
      return done(asError(error));
    }
    reply.raw.once("close", () => budget.release(caller, bytes));
    done(null, payload);
  });
  const timer = setInterval(() => endStalled(arriving, patience.looks, end), patience.lookMs).unref();
  server.addHook("onClose", async () => clearInterval(timer));
}

function watch(arriving: Set<Arriving>, request: FastifyRequest, reply: FastifyReply): void {
  const one = { request, bytesRead: request.raw.socket.bytesRead, looks: 0 };
  arriving.add(one);
  reply.raw.once("close", () => arriving.delete(one));
}

/** Counts the bytes of the body as they arrive. */
function counted(budget: BodyBudget, request: FastifyRequest, reply: FastifyReply, payload: Readable): Readable {
  const caller = callerOf(request);
  let taken = 0;
  reply.raw.once("close", () => budget.release(caller, taken));
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      try {
        budget.take(caller, chunk.length);
        taken += chunk.length;
        done(null, chunk);
      } catch (error) {
        // The rest of the body is discarded, so that the caller can read the answer.
        payload.unpipe(counter).resume();
        done(asError(error));
      }
    },
  });
  payload.on("error", (error) => counter.destroy(error));
  // The reader of the body gets its failure; a failure after the answer is ignored.
  counter.on("error", () => undefined);
  return payload.pipe(counter);
}

/** Counts checks instead of seconds: while this process is suspended, its senders cannot continue. */
function endStalled(arriving: Set<Arriving>, looks: number, end: (socket: Socket) => void): void {
  for (const one of arriving) {
    const { socket, complete } = one.request.raw;
    if (complete) arriving.delete(one);
    else if (socket.bytesRead !== one.bytesRead) Object.assign(one, { bytesRead: socket.bytesRead, looks: 0 });
    else if (++one.looks > looks) end(socket);
  }
}
