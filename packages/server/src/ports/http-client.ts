import { ProviderError } from "./provider-error.ts";
import { type Attempt, defaultRetryPolicy, type RetryPolicy, retryAfterMs, retrying } from "./retry.ts";

/** The time limit and retries of requests to an outside provider, and how much of an answer is read. */
export interface HttpPolicy {
  readonly retry: RetryPolicy;
  /** For one attempt, from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
}

export const defaultHttpPolicy: HttpPolicy = {
  retry: defaultRetryPolicy,
  timeoutMs: 120_000,
  maxAnswerBytes: 4 * 1024 * 1024,
};

interface ProviderRequest {
  /** The provider's name in errors. */
  readonly provider: string;
  readonly url: string;
  /** Sent as JSON, or as a form if it is URLSearchParams; a GET if undefined. */
  readonly body?: object | URLSearchParams;
  readonly apiKey?: string | undefined;
  readonly policy: HttpPolicy;
  readonly signal?: AbortSignal | undefined;
}

const transient = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/**
 * Sends a request to a provider and returns its JSON answer. Throws ProviderError, or the signal's reason when aborted.
 */
export function requestJson(request: ProviderRequest): Promise<unknown> {
  return retrying(() => attempt(request), request.policy.retry, request.signal);
}

async function attempt(request: ProviderRequest): Promise<Attempt<unknown>> {
  const { provider, policy } = request;
  let response: Response;
  let text: string | undefined;
  try {
    response = await send(request);
    text = await readText(response, policy.maxAnswerBytes);
  } catch (error) {
    request.signal?.throwIfAborted();
    const what = isTimeout(error) ? "did not answer in time" : "cannot be reached";
    return { retry: new ProviderError("provider_unreachable", provider, what) };
  }
  if (response.ok) return { done: parseAnswer(provider, text) };
  const afterMs = retryAfterMs(response.headers.get("retry-after"));
  const error = refusal(request, response.status, text, afterMs);
  if (!transient.has(response.status)) throw error;
  return { retry: error, afterMs };
}

function send(request: ProviderRequest): Promise<Response> {
  const { url, body, apiKey, policy, signal } = request;
  const limit = AbortSignal.timeout(policy.timeoutMs);
  const isForm = body instanceof URLSearchParams;
  return fetch(url, {
    method: body === undefined ? "GET" : "POST",
    // A redirect could send the text, and perhaps the key, to an address that nobody configured.
    redirect: "manual",
    headers: {
      accept: "application/json",
      ...(body && { "content-type": isForm ? "application/x-www-form-urlencoded;charset=UTF-8" : "application/json" }),
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    },
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
    ...(body && { body: isForm ? body.toString() : JSON.stringify(body) }),
  });
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === "TimeoutError";

/** Undefined if the answer is longer than allowed; the rest of it is not read. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parseAnswer(provider: string, text: string | undefined): unknown {
  if (text === undefined) throw new ProviderError("provider_nonsense", provider, "the answer is too long");
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError("provider_nonsense", provider, "the answer is not JSON");
  }
}

function refusal(
  request: ProviderRequest,
  status: number,
  text: string | undefined,
  afterMs: number | undefined,
): ProviderError {
  const reason = readReason(text, request.apiKey);
  const code = status >= 500 || status === 408 ? "provider_unreachable" : "provider_refused";
  const what = `answered ${status}${reason ? ` (${reason})` : ""}`;
  return new ProviderError(code, request.provider, what, { status, reason, retryAfterMs: afterMs });
}

/** Only a short machine-readable code is used: free text may repeat the key or the document. */
function readReason(text: string | undefined, apiKey: string | undefined): string | undefined {
  try {
    const { error } = JSON.parse(text ?? "");
    const code = error?.code ?? error?.type;
    if (typeof code !== "string" || !/^[a-z][a-z_.-]{0,63}$/i.test(code)) return undefined;
    return apiKey && code.includes(apiKey) ? undefined : code;
  } catch {
    return undefined;
  }
}

/** The address of one call below the configured base. */
export function endpoint(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url.href;
}
