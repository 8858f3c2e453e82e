import type { FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../services.ts";
import { type Authenticate, authenticator, type Identity } from "./callers/authenticate.ts";
import { INSIDE_HEADER } from "./callers/inside-callers.ts";
import type { TokenUse } from "./callers/token-use.ts";
import { addressSubject } from "./limits/limit-addresses.ts";
import { type Allowance, RateLimiter, rateLimited } from "./limits/rate-limit.ts";

/** A step before the body is read: synchronous for most requests, otherwise a promise. */
type Enter = (request: FastifyRequest, reply: FastifyReply, done: () => void) => Promise<void> | undefined;

/**
 * Authenticates every request under /api/ and checks its rate limit. A known token with a leased permit passes without
 * waiting.
 */
export class Gate {
  readonly #limiter: RateLimiter;
  readonly #authenticate: Authenticate;
  readonly #tokenUse: TokenUse;

  constructor({ database, config }: Pick<Services, "database" | "config">, tokenUse: TokenUse) {
    this.#limiter = new RateLimiter(database, config.rateLimit, config.rateLimitWindowS);
    this.#authenticate = authenticator(database);
    this.#tokenUse = tokenUse;
  }

  /** The step of a route; `next` is the route's own check of the caller. */
  enter(next: (request: FastifyRequest) => void = () => undefined): Enter {
    return (request, _reply, done) => {
      const entered = this.#pass(request);
      if (entered) return entered.then(() => next(request));
      next(request);
      done();
      return undefined;
    };
  }

  /** The same for a request under /api/ that matches no route. */
  async admit(request: FastifyRequest): Promise<void> {
    if (request.url.startsWith("/api/")) await this.#pass(request);
  }

  release(): Promise<void> {
    return this.#limiter.release();
  }

  #pass(request: FastifyRequest): Promise<void> | undefined {
    const inside = request.server.insideCallers.find(request.headers[INSIDE_HEADER]);
    if (inside) {
      request.identity = { caller: inside };
      return undefined;
    }
    try {
      const identity = this.#authenticate(request.headers.authorization);
      if (identity instanceof Promise) return this.#passLater(request, identity);
      const allowance = this.#limiter.takeLeased(subjectOf(request, identity));
      if (!allowance) return this.#passLater(request, identity);
      this.#admit(request, identity, allowance);
      return undefined;
    } catch (error) {
      throw this.#refused(request, error);
    }
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
    if ("caller" in identity) this.#tokenUse.record(identity.caller.tokenId, request.headers["user-agent"]);
  }

  /** An answer without a look at the rate limit reports the last known one. */
  #refused(request: FastifyRequest, error: unknown): unknown {
    request.allowance ??= this.#limiter.known(subjectOf(request, request.identity));
    return error;
  }
}

/** The subject whose rate limit a request counts against. */
const subjectOf = (request: FastifyRequest, identity: Identity | undefined): string =>
  identity && "caller" in identity ? identity.caller.tokenId : addressSubject(request.ip);
