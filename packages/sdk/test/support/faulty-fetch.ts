/**
 * The fate of one request: it never leaves (`unsent`), it takes effect and its answer is lost (`unanswered`), it
 * goes through (`ok`), or something on the way answers instead of the service.
 */
export type Fate = "ok" | "unsent" | "unanswered" | (() => Response);

interface FaultyFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Every request as it was made. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: Headers }[];
}

/** A network that treats the first requests as told and lets the others through. */
export function faultyFetch(...fates: readonly Fate[]): FaultyFetch {
  const requests: FaultyFetch["requests"] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const fate = fates[requests.length] ?? "ok";
    requests.push({ method: init?.method ?? "GET", url: String(input), headers: new Headers(init?.headers) });
    if (fate === "unsent") throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    if (typeof fate === "function") return fate();
    const response = await globalThis.fetch(input, init);
    if (fate === "ok") return response;
    await response.arrayBuffer();
    throw new TypeError("fetch failed", { cause: new Error("other side closed") });
  };
  return { fetch, requests };
}

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { error: { type: "request_error", code, message: `It is ${code}.`, details: {} }, request_id: "req_test" },
    { status, headers },
  );

/** A network that answers nothing until the request is given up. */
export const silentFetch: typeof globalThis.fetch = (_, init) =>
  new Promise((_, reject) => {
    const { signal } = init ?? {};
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
