import type { ErrorBody } from "./generated/api.ts";

/** Every code that the service answers; newer services may know more. */
export type ErrorCode = ErrorBody["error"]["code"];
type OpenCode = ErrorCode | (string & {});

export interface Attempted {
  /** How many times the call was sent. */
  readonly attempts: number;
  /** An attempt before the last one got no answer, so it may have taken effect. */
  readonly uncertain: boolean;
}

/** The service refused, with its own words. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly type: string;
  readonly code: OpenCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** The next call to make, in one sentence, where the service gives one. */
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  /** The wait that `Retry-After` asked for. */
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;
  readonly uncertain: boolean;

  constructor(response: ErrorResponse, { attempts, uncertain }: Attempted) {
    const { error } = response.body;
    super(error.message);
    this.status = response.status;
    this.type = error.type;
    this.code = error.code;
    this.details = error.details;
    this.hint = typeof error.details.hint === "string" ? error.details.hint : undefined;
    this.requestId = response.body.request_id;
    this.retryAfterMs = response.retryAfterMs;
    this.attempts = attempts;
    this.uncertain = uncertain;
  }
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterMs: number | undefined;
}

/**
 * No answer of the service came: `connection_failed`, `timeout`, `connection_lost` in the middle of an answer, or
 * `not_the_api` when something else answered at that address.
 */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  readonly code: "connection_failed" | "connection_lost" | "timeout" | "not_the_api";
  readonly status: number | undefined;
  readonly attempts: number;

  constructor(
    code: ConnectionError["code"],
    message: string,
    options: { readonly cause?: unknown; readonly status?: number; readonly attempts?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.attempts = options.attempts ?? 1;
  }
}

/** A job of the service ended without success. */
export class JobError extends Error {
  override readonly name: string = "JobError";
  readonly code: string;
  readonly job: unknown;

  constructor(job: { readonly id: string; readonly status: string; readonly error?: unknown }) {
    const reason = job.error as { readonly code?: string; readonly message?: string } | null | undefined;
    super(reason?.message ?? `The job ${job.id} ended ${job.status}.`);
    this.code = reason?.code ?? job.status;
    this.job = job;
  }
}

/** Whether this is the service's refusal with one of these codes (with any code when none is given). */
export const isApiError = (error: unknown, ...codes: readonly OpenCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
