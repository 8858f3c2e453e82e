import { lookup, Resolver } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { codeOf } from "@svc/document/thrown";
import { type AddressPolicy, addressPolicy } from "./address-policy.ts";
import { checkedRequest } from "./checked-request.ts";
import { hostOf, targetProblem } from "./target-url.ts";

/** How much of an answer is stored for debugging. The rest is not read. */
const KEPT_BYTES = 1024;
/** How long to wait for the beginning of the answer's body once the status is known. */
const BODY_MS = 1000;
const MAX_HEADER_BYTES = 16_384;

type AttemptError =
  | "url_not_allowed"
  | "name_not_found"
  | "address_not_allowed"
  | "connection_failed"
  | "tls_failed"
  | "timeout"
  | "redirect"
  | "refused"
  | "gone";

/** The outcome of one attempt. `error` is undefined if the receiver accepted. */
export interface Attempt {
  readonly error?: { readonly code: AttemptError; readonly message: string };
  readonly responseStatus?: number;
  readonly responseBody?: string;
  /** The receiver asks for no attempt before this. */
  readonly retryAfter?: string | undefined;
  readonly durationMs: number;
}

export interface WebhookSender {
  /** Returns why the address cannot be a target, as far as its text shows. */
  problem(url: string): string | undefined;
  /** Throws only if `signal` aborts. */
  send(message: Message, signal: AbortSignal): Promise<Attempt>;
}

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

interface SenderOptions {
  readonly allowedRanges: readonly string[];
  readonly timeoutMs: number;
  /** Resolves names to addresses. */
  readonly resolve?: Resolve;
}

class Refused extends Error {
  readonly code: AttemptError;
  constructor(code: AttemptError, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends only to public addresses and those that the operator allows. */
export function openWebhookSender({ allowedRanges, timeoutMs, ...options }: SenderOptions): WebhookSender {
  const mayReach = addressPolicy(allowedRanges);
  const { resolve = resolverFor(allowedRanges) } = options;
  return {
    problem: (url) => targetProblem(url, mayReach),
    send: async (message, signal) => {
      const begin = performance.now();
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await attempt(message, mayReach, resolve, AbortSignal.any([limit, signal]));
        return { ...answer, durationMs: Math.round(performance.now() - begin) };
      } catch (error) {
        if (!limit.aborted) signal.throwIfAborted();
        return { error: explain(error, limit.aborted), durationMs: Math.round(performance.now() - begin) };
      }
    },
  };
}

/** Only the system knows internal names, which matter only if internal addresses are allowed. */
export const resolverFor = (allowedRanges: readonly string[]): Resolve =>
  allowedRanges.length > 0 ? systemResolve : publicResolve;

/** Resolves names as every program on this machine does, with hosts file and search domains, for internal receivers. */
const systemResolve: Resolve = (host) => lookup(host, { all: true });

/**
 * Queries name servers directly, without occupying one of the few threads of the process, which slow name servers could
 * otherwise block for everyone.
 */
const publicResolve: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  const [four, six] = await Promise.all([
    resolver.resolve4(host).catch(() => []),
    resolver.resolve6(host).catch(() => []),
  ]);
  return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))];
};

async function attempt(
  { url: text, headers, body }: Message,
  mayReach: AddressPolicy,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Omit<Attempt, "durationMs">> {
  const problem = targetProblem(text, mayReach);
  if (problem) throw new Refused("url_not_allowed", `The address ${problem}.`);
  const url = new URL(text);
  const addresses = await untilAborted(() => checkedAddresses(hostOf(url), mayReach, resolve), signal);
  const options = {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  const response = await checkedRequest(url, addresses, options, body);
  const responseBody = await readBeginning(response);
  const status = response.statusCode ?? 0;
  const error = refusalOf(status);
  return {
    responseStatus: status,
    responseBody,
    ...(error && { error, retryAfter: response.headers["retry-after"] }),
  };
}

type Addresses = Awaited<ReturnType<Resolve>>;

/** Every address of the name must be allowed: a name that also leads elsewhere is not trusted. */
export async function checkedAddresses(host: string, mayReach: AddressPolicy, resolve: Resolve): Promise<Addresses> {
  const version = isIP(host);
  const addresses = version === 0 ? await resolve(host).catch(() => []) : [{ address: host, family: version }];
  if (addresses.length === 0) throw new Refused("name_not_found", "The host's name has no address.");
  if (!addresses.every(({ address }) => mayReach(address)))
    throw new Refused("address_not_allowed", "The host has an address that is not public.");
  return addresses;
}

/** The first bytes as text that both databases can store. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => response.destroy(), BODY_MS);
  try {
    for await (const part of response) {
      parts.push(part);
      size += part.length;
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // The status counts; a body that breaks off does not change it.
  } finally {
    clearTimeout(late);
    response.destroy();
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, KEPT_BYTES));
  return text.replaceAll(/[^\P{Cc}\t\n]/gu, "");
}

function refusalOf(status: number): Attempt["error"] {
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return { code: "gone", message: "The receiver answered 410: it wants no more deliveries." };
  if (status >= 300 && status < 400)
    return { code: "redirect", message: `The receiver answered ${status}; redirects are not followed.` };
  return { code: "refused", message: `The receiver answered ${status}.` };
}

function explain(error: unknown, isLate: boolean): NonNullable<Attempt["error"]> {
  if (error instanceof Refused) return { code: error.code, message: error.message };
  if (isLate) return { code: "timeout", message: "The receiver did not answer in time." };
  const code = codeOf(error);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(code))
    return { code: "tls_failed", message: `No secure connection (${code}).` };
  return { code: "connection_failed", message: `The connection failed${code && ` (${code})`}.` };
}

/** A name lookup cannot be interrupted, so an abort abandons it. */
export function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
