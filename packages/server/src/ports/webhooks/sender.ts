import { lookup, Resolver } from "node:dns/promises";
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { codeOf } from "@svc/document/thrown";
import { type AddressPolicy, addressPolicy } from "./address-policy.ts";
import { hostOf, targetProblem } from "./target-url.ts";

/** How much of an answer is kept, for whoever looks for a mistake. The rest is not read. */
const KEPT_BYTES = 1024;
/** Once the status is known, how long the beginning of the answer is waited for. */
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

/** What one attempt came to. `error` is absent when the receiver accepted. */
export interface Attempt {
  readonly error?: { readonly code: AttemptError; readonly message: string };
  readonly responseStatus?: number;
  readonly responseBody?: string;
  /** The receiver asks not to be tried before. */
  readonly retryAfter?: string | undefined;
  readonly durationMs: number;
}

export interface WebhookSender {
  /** Why this cannot be a target, as far as its text tells. */
  problem(url: string): string | undefined;
  /** Never throws but when `signal` aborts. */
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
  /** How names become addresses. */
  readonly resolve?: Resolve;
}

class Refused extends Error {
  readonly code: AttemptError;
  constructor(code: AttemptError, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends to public addresses and those that the operator allows, to nothing else. */
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

/** Names inside of the house are known to the system alone; they matter only where the house may be reached. */
export const resolverFor = (allowedRanges: readonly string[]): Resolve =>
  allowedRanges.length > 0 ? systemResolve : publicResolve;

/** As every program of this machine sees names: hosts file and search domains, for receivers inside of the house. */
const systemResolve: Resolve = (host) => lookup(host, { all: true });

/**
 * Asks name servers without occupying one of the few threads of the process, which an owner of slow names could
 * otherwise keep from everybody.
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
  const response = await post(url, addresses, headers, body, signal);
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

/** Every address of the name has to be one that may be reached: a name that also leads elsewhere is not trusted. */
export async function checkedAddresses(host: string, mayReach: AddressPolicy, resolve: Resolve): Promise<Addresses> {
  const version = isIP(host);
  const addresses = version === 0 ? await resolve(host).catch(() => []) : [{ address: host, family: version }];
  if (addresses.length === 0) throw new Refused("name_not_found", "The host's name has no address.");
  if (!addresses.every(({ address }) => mayReach(address)))
    throw new Refused("address_not_allowed", "The host has an address that is not public.");
  return addresses;
}

/** A connection of its own, to one of exactly these addresses: the name is not looked up again. */
function post(
  url: URL,
  addresses: Addresses,
  headers: Message["headers"],
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isTls = url.protocol === "https:";
  const checked: RequestOptions["lookup"] = (_host, options, found) => {
    const [first] = addresses;
    if (options.all) found(null, [...addresses]);
    else found(null, first?.address ?? "", first?.family ?? 4);
  };
  const options: RequestOptions = {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    agent: isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: checked,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestHttps : requestHttp)(url, options, resolve);
    // A receiver that answers early may close while the body is still being sent.
    request.on("error", reject);
    request.end(body);
  });
}

/** The first bytes as text that both databases can hold. */
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
  if (status === 410) return { code: "gone", message: "The receiver answered 410: it wants no more." };
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

/** Looking a name up cannot be interrupted; it can be left behind. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}
