import assert from "node:assert/strict";
import { codeOf } from "@svc/document/thrown";
import { type ErrorCode, statusOf } from "@svc/server/error-codes";
import { checkAnswer } from "./check-answer.ts";

/** JSON of an answer; tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: the schema check in checkAnswer is what guards the shape
export type Loose = any;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body when it is JSON. */
  readonly body: Loose;
  readonly data: Loose;
  readonly etag: string | undefined;
}

export interface CallOptions {
  readonly headers?: Record<string, string>;
  readonly ifMatch?: string;
  readonly key?: string;
}

/** Calls the API over real HTTP, and checks every answer against what the route declares. */
export class Client {
  readonly url: string;
  readonly token: string | undefined;
  readonly #isChecked: boolean;

  /** Another release's answers are not what this one's routes declare: they are not `checked`. */
  constructor(url: string, token?: string, { checked = true } = {}) {
    this.url = url;
    this.token = token;
    this.#isChecked = checked;
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> {
    const headers = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
      ...(options.ifMatch && {
        "if-match": options.ifMatch.startsWith('"') ? options.ifMatch : `"${options.ifMatch}"`,
      }),
      ...(options.key && { "idempotency-key": options.key }),
      ...options.headers,
    };
    const payload =
      body === undefined || typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);
    const url = path.startsWith("/api") ? path : `/api/v1${path}`;
    const ask = () => fetch(this.url + url, { method, headers, body: payload ?? null });
    const response = await (method === "GET" ? ask().catch(whenReset(ask)) : ask());
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("application/json") && text !== "";
    const parsed = isJson ? JSON.parse(text) : undefined;
    if (this.#isChecked) checkAnswer(method, url, response.status, parsed, response.headers);
    const etag = response.headers.get("etag")?.replace(/^"|"$/g, "");
    return { status: response.status, headers: response.headers, text, body: parsed, data: parsed?.data, etag };
  }

  get = (path: string, options?: CallOptions) => this.call("GET", path, undefined, options);
  post = (path: string, body?: unknown, options?: CallOptions) => this.call("POST", path, body, options);
  put = (path: string, body?: unknown, options?: CallOptions) => this.call("PUT", path, body, options);
  patch = (path: string, body?: unknown, options?: CallOptions) => this.call("PATCH", path, body, options);
  delete = (path: string, body?: unknown, options?: CallOptions) => this.call("DELETE", path, body, options);
}

/** A kept connection may end just when it is used again. What only reads is asked again, as browsers do. */
const whenReset =
  (ask: () => Promise<Response>) =>
  (error: Error): Promise<Response> => {
    if (codeOf(error.cause) === "ECONNRESET") return ask();
    throw error;
  };

/** The JSON of an answer that another client got. */
export const jsonOf = async (response: Response): Promise<Loose> => response.json();

/** The answer is this refusal, with its status and code. */
export function assertError(reply: Reply, code: ErrorCode): Loose {
  assert.equal(reply.body?.error?.code, code, reply.text);
  assert.equal(reply.status, statusOf(code));
  return reply.body.error.details;
}

export function assertStatus(reply: Reply, status: number): Reply {
  assert.equal(reply.status, status, reply.text);
  return reply;
}
