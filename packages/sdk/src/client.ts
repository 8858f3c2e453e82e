import { addressOf, normalizeBaseUrl } from "./address.ts";
import { ConnectionError } from "./errors.ts";
import type { Paths } from "./generated/api.ts";
import { MAX_ANSWER_BYTES, readText } from "./read-limited.ts";
import { defaultRetry, type RetryNotice, type RetryPolicy } from "./retry.ts";
import { inBrowser } from "./runtime.ts";
import { type Call, type Sender, send } from "./send.ts";
import { VERSION } from "./version.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";
export type PathOf<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<M, unknown> ? P : never;
}[keyof Paths];
type Operation<P extends keyof Paths, M extends Method> = M extends keyof Paths[P] ? Paths[P][M] : never;
export type Answer<P extends keyof Paths, M extends Method = "get"> =
  Operation<P, M> extends { answer: infer A } ? A : never;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** One is made for every write; give your own to keep it over a restart of your program. */
  readonly idempotencyKey?: string | undefined;
  /** For one attempt, until its answer is there; 0 waits without end. */
  readonly timeoutMs?: number | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/** The arguments of a call: its path values, query, body and version as the API describes them, and how to send it. */
export type OptionsOf<P extends keyof Paths, M extends Method = "get"> = Omit<Operation<P, M>, "answer"> & CallOptions;
/** The options may be left out where nothing in them is required. */
type Arguments<T> = Record<never, never> extends T ? [options?: T] : [options: T];

type Caller<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: Arguments<OptionsOf<P, M>>
) => Promise<Answer<P, M>>;

export interface ClientOptions {
  /** The address of the service, such as `https://svc.example.com`; in a browser "" means the page's own origin. */
  readonly baseUrl: string;
  /** A token, or a function that gives the one of the moment. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Instead of the global one: for proxies, tests, or a service in the same process. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly timeoutMs?: number | undefined;
  /** Max bytes of one answer, 128 MB by default. Files and streams are not counted. */
  readonly maxAnswerBytes?: number | undefined;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `<client>/<version> (<client name>)`, for the service's audit log; browsers send their own. */
  readonly userAgent?: string | undefined;
  /** Told about every attempt that is going to be repeated. */
  readonly onRetry?: ((retry: RetryNotice) => void) | undefined;
}

export interface Client {
  readonly baseUrl: string;
  readonly get: Caller<"get">;
  readonly post: Caller<"post">;
  readonly put: Caller<"put">;
  readonly patch: Caller<"patch">;
  readonly delete: Caller<"delete">;
  /** Like the others, and answers the `Response` itself, once it is a good one: for headers, ranges and streams. */
  readonly raw: <M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: Arguments<OptionsOf<P, M>>
  ) => Promise<Response>;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export function createClient(options: ClientOptions): Client {
  const baseUrl = normalizeBaseUrl(options.baseUrl);
  const sender: Sender = {
    baseUrl,
    token: options.token,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retry: { ...defaultRetry, ...options.retry },
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    headers: {
      ...(inBrowser() ? {} : { "user-agent": options.userAgent ?? `svc-sdk/${VERSION}` }),
      ...options.headers,
    },
    onRetry: options.onRetry,
  };
  const call = (method: Method, path: string, given: LooseOptions = {}): Call => ({
    ...given,
    method: method.toUpperCase(),
    address: addressOf(path, given.path, given.query),
  });
  const read = (response: Response) => readAnswer(response, baseUrl, options.maxAnswerBytes ?? MAX_ANSWER_BYTES);
  /** Arguments and answers of a path exist only as types; at run time every call is alike. */
  const caller = <M extends Method>(method: M) =>
    ((path: string, given?: LooseOptions) => send(sender, call(method, path, given), read)) as Caller<M>;
  const raw = (method: Method, path: string, given?: LooseOptions) =>
    send(sender, call(method, path, given), async (response) => response);
  return {
    baseUrl,
    get: caller("get"),
    post: caller("post"),
    put: caller("put"),
    patch: caller("patch"),
    delete: caller("delete"),
    raw: raw as Client["raw"],
  };
}

interface LooseOptions extends CallOptions {
  readonly path?: Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

/** JSON as a value, a file or stream as the `Response`. A page in its place means that something else answers there. */
async function readAnswer(response: Response, server: string, maxBytes: number): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("application/json")) return JSON.parse(await readText(response, server, maxBytes));
  if (type.includes("text/html"))
    throw new ConnectionError("not_the_api", "An HTML page was answered: this is not the address of the API.", {
      status: response.status,
    });
  return response;
}
