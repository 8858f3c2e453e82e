import { ApiError, type Attempted, ConnectionError } from "./errors.ts";
import type { ErrorBody } from "./generated/api.ts";
import { readText } from "./read-limited.ts";
import { RequestStream } from "./request-stream.ts";
import { isPassing, parseRetryAfter, type RetryNotice, type RetryPolicy, waitBefore } from "./retry.ts";
import { inBrowser } from "./runtime.ts";
import { sleep } from "./time.ts";

/** Max bytes of the body of an error. */
const MAX_ERROR_BYTES = 1_000_000;

/** Settings shared by all calls of a client. */
export interface Sender {
  readonly baseUrl: string;
  readonly token: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onRetry: ((retry: RetryNotice) => void) | undefined;
}

export interface Call {
  readonly method: string;
  /** From the service's root, query included. */
  readonly address: string;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/** An attempt that failed in a way that may pass. */
class Passing {
  readonly error: ApiError | ConnectionError;
  readonly retryAfterMs: number | undefined;
  constructor(error: ApiError | ConnectionError, retryAfterMs?: number) {
    this.error = error;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Sends a call until it is answered for good. Every call may be repeated: a read changes nothing, and a write carries
 * one idempotency key through all attempts.
 */
export async function send<T>(sender: Sender, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
  const policy = { ...sender.retry, ...call.retry, ...(isOneWay(call.body) && { attempts: 1 }) };
  const keyed = call.method === "GET" ? call : { ...call, idempotencyKey: call.idempotencyKey ?? randomKey() };
  let uncertain = false;
  for (let attempts = 1; ; attempts++) {
    const outcome: T | Passing = await attempt(sender, keyed, read, { attempts, uncertain });
    if (!(outcome instanceof Passing)) return outcome;
    const { error, retryAfterMs }: Passing = outcome;
    const waitMs = waitBefore(attempts, policy, retryAfterMs);
    if (waitMs === undefined) throw error;
    uncertain ||= error instanceof ConnectionError || error.status >= 500;
    sender.onRetry?.({ method: call.method, path: call.address, attempt: attempts, waitMs, error });
    await sleep(waitMs, call.signal);
  }
}

async function attempt<T>(
  sender: Sender,
  call: Call,
  read: (response: Response) => Promise<T>,
  attempted: Attempted,
): Promise<T | Passing> {
  call.signal?.throwIfAborted();
  const headers = await headersOf(sender, call);
  // Throw at once if a request cannot be sent at all (a cycle in a body, a line end in a header).
  const body = bodyOf(call.body);
  const limit = new AbortController();
  const timeoutMs = call.timeoutMs ?? sender.timeoutMs;
  const timer = timeoutMs > 0 ? setTimeout(() => limit.abort(), timeoutMs) : undefined;
  const signal = call.signal ? AbortSignal.any([call.signal, limit.signal]) : limit.signal;
  try {
    const init = { method: call.method, headers, signal, ...body, redirect: REDIRECT() };
    const response = await sender.fetch(sender.baseUrl + call.address, init);
    refuseRedirect(response, sender, call);
    if (response.ok || response.status === 304) return await read(response);
    return await refusal(response, sender, attempted);
  } catch (error) {
    call.signal?.throwIfAborted();
    if (error instanceof ApiError || error instanceof ConnectionError) throw error;
    if (error instanceof TypeError) new Headers(headers);
    return new Passing(lost(error, sender, limit.signal.aborted ? timeoutMs : undefined, attempted));
  } finally {
    clearTimeout(timer);
  }
}

/** A page cannot read where a redirect leads, so there the browser follows it. */
const REDIRECT = (): "follow" | "manual" => (inBrowser() ? "follow" : "manual");

/** The API never redirects: following would hand the call to an address that nobody named. */
function refuseRedirect({ status, headers }: Response, { baseUrl }: Sender, { address }: Call): void {
  const location = headers.get("location");
  if (location === null || status < 300 || status > 399 || status === 304) return;
  const target = URL.canParse(location, baseUrl + address) ? new URL(location, baseUrl + address).href : "nowhere";
  const message = `${baseUrl} redirects to ${target}, which is not followed: if that is the service, use its address.`;
  throw new ConnectionError("not_the_api", message, { status });
}

/** Throws the service's refusal, or answers it when it may pass. */
async function refusal(response: Response, sender: Sender, attempted: Attempted): Promise<Passing> {
  const { status } = response;
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"));
  const body = parseError(await readText(response, sender.baseUrl, MAX_ERROR_BYTES));
  const error = body
    ? new ApiError({ status, body, retryAfterMs }, attempted)
    : new ConnectionError("not_the_api", `${sender.baseUrl} answered ${status} without the API's error body.`, {
        status,
        attempts: attempted.attempts,
      });
  if (isPassing(status, body?.error.code)) return new Passing(error, retryAfterMs);
  throw error;
}

function parseError(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.error?.code === "string" ? { ...body, error: { details: {}, ...body.error } } : undefined;
  } catch {
    return undefined;
  }
}

function lost(cause: unknown, sender: Sender, timeoutMs: number | undefined, attempted: Attempted): ConnectionError {
  const options = { cause, attempts: attempted.attempts };
  const where = sender.baseUrl || "The service";
  if (timeoutMs !== undefined)
    return new ConnectionError("timeout", `${where} did not answer within ${timeoutMs} ms.`, options);
  return new ConnectionError("connection_failed", `${where} cannot be reached: ${reasonOf(cause)}.`, options);
}

/** The innermost message: fetch wraps the socket's own words. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? cause.code : undefined;
  return cause.message || (typeof code === "string" ? code : cause.name);
}

async function headersOf(sender: Sender, call: Call): Promise<Record<string, string>> {
  const token = typeof sender.token === "function" ? await sender.token() : sender.token;
  const type = contentType(call.body);
  return {
    accept: "application/json",
    ...sender.headers,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(type && { "content-type": type }),
    ...(call.ifMatch !== undefined && { "if-match": quoted(call.ifMatch) }),
    ...(call.idempotencyKey && { "idempotency-key": call.idempotencyKey }),
    ...call.headers,
  };
}

const quoted = (version: string): string => (/^(\*|(W\/)?".*")$/.test(version) ? version : `"${version}"`);

/** `fetch` sets the type of a form itself, boundary included. */
function contentType(body: unknown): string | undefined {
  if (body === undefined || body instanceof FormData) return undefined;
  return body instanceof RequestStream ? body.contentType : "application/json";
}

function bodyOf(body: unknown): { body?: RequestInit["body"]; duplex?: "half" } {
  if (body === undefined) return {};
  if (body instanceof RequestStream) return { body: body.open(), duplex: "half" };
  return { body: body instanceof FormData ? body : JSON.stringify(body) };
}

const isOneWay = (body: unknown): boolean => body instanceof RequestStream && !body.repeatable;

/** 128 random bits; `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
