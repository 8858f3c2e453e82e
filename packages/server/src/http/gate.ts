import type { FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../services.ts";
import { type Authenticate, authenticator, type Identity } from "./callers/authenticate.ts";
import { INSIDE_HEADER } from "./callers/inside-callers.ts";
import type { TokenUse } from "./callers/token-use.ts";
import { addressSubject } from "./limits/limit-addresses.ts";
import { type Allowance, RateLimiter, rateLimited } from "./limits/rate-limit.ts";

/** A step before the body is read: over at once for most requests, else a promise. */
type Enter = (request: FastifyRequest, reply: FastifyReply, done: () => void) => Promise<void> | undefined;

/**
 * Who asks, and whether their window has room: for every request under /api/. A known token with a leased permit passes
 * without waiting for anything.
 */
export class Gate {
  readonly #limiter: RateLimiter;
  readonly #authenticate: Authenticate;
  readonly #tokenUse: TokenUse;

  constructor({ database, config }: Services, tokenUse: TokenUse) {
    this.#limiter = new RateLimiter(database, config.rateLimit, config.rateLimitWindowS);
    this.#authenticate = authenticator(database);
    this.#tokenUse = tokenUse;
  }

  /**
   * The step of a route; `next` is what the route itself asks of those who came in. With `mayPresume` somebody who is
   * known from before comes in while that is looked up, so that the route asks the store at the same time: it has to
   * wait for `request.confirmed` before it answers.
   */
  enter(next: (request: FastifyRequest) => void = () => undefined, mayPresume = false): Enter {
    return (request, _reply, done) => {
      const entered = this.#pass(request, mayPresume ? next : undefined);
      if (entered) return entered.then(() => next(request));
      next(request);
      done();
      return undefined;
    };
  }

  /** The same for a request under /api/ that reaches no route. */
  async admit(request: FastifyRequest): Promise<void> {
    if (request.url.startsWith("/api/")) await this.#pass(request);
  }

  release(): Promise<void> {
    return this.#limiter.release();
  }

  #pass(request: FastifyRequest, mayEnter?: (request: FastifyRequest) => void): Promise<void> | undefined {
    const inside = request.server.insideCallers.find(request.headers[INSIDE_HEADER]);
    if (inside) {
      request.identity = { caller: inside };
      return undefined;
    }
    try {
      const identity = this.#authenticate(request.headers.authorization);
      if (identity instanceof Promise) {
        const isPresumed = mayEnter && this.#presume(request, identity, mayEnter);
        return isPresumed ? undefined : this.#passLater(request, identity);
      }
      const allowance = this.#limiter.takeLeased(subjectOf(request, identity));
      if (!allowance) return this.#passLater(request, identity);
      this.#admit(request, identity, allowance);
      return undefined;
    } catch (error) {
      throw this.#refused(request, error);
    }
  }

  /** False without a cached caller, or where the cached caller would be refused: a refusal needs a fresh look-up. */
  #presume(request: FastifyRequest, pending: Promise<Identity>, mayEnter: (request: FastifyRequest) => void): boolean {
    request.identity = this.#authenticate.presume(request.headers.authorization);
    const allowance = isLetIn(request, mayEnter) && this.#limiter.takeLeased(subjectOf(request, request.identity));
    if (!allowance) {
      request.identity = undefined;
      return false;
    }
    request.allowance = allowance;
    request.confirmed = pending.then((identity) => {
      this.#recordUse(request, identity);
      return identity;
    });
    // The caller that waits gets the failure; a request that has ended does not.
    request.confirmed.catch(() => undefined);
    return true;
  }

  async #passLater(request: FastifyRequest, pending: Identity | Promise<Identity>): Promise<void> {
    try {
      const identity = await pending;
      request.identity = identity;
      const subject = subjectOf(request, identity);
      this.#admit(request, identity, this.#limiter.takeLeased(subject) ?? (await this.#limiter.take(subject)));
    } catch (error) {
      throw this.#refused(request, error);
    }
  }

  #admit(request: FastifyRequest, identity: Identity, allowance: Allowance & { readonly admitted: boolean }): void {
    request.identity = identity;
    request.allowance = allowance;
    if (!allowance.admitted) throw rateLimited(allowance);
    this.#recordUse(request, identity);
  }

  #recordUse(request: FastifyRequest, identity: Identity): void {
    if ("caller" in identity) this.#tokenUse.record(identity.caller.tokenId, request.headers["user-agent"]);
  }

  /** An answer that could not ask for the window reports the last known one. */
  #refused(request: FastifyRequest, error: unknown): unknown {
    request.allowance ??= this.#limiter.known(subjectOf(request, request.identity));
    return error;
  }
}

function isLetIn(request: FastifyRequest, mayEnter: (request: FastifyRequest) => void): boolean {
  if (!request.identity) return false;
  try {
    mayEnter(request);
    return true;
  } catch {
    return false;
  }
}

/** Whose window a request counts against. */
const subjectOf = (request: FastifyRequest, identity: Identity | undefined): string =>
  identity && "caller" in identity ? identity.caller.tokenId : addressSubject(request.ip);
