import { type ErrorCode, messageOf, statusOf } from "./error-codes.ts";
import { hints, whereListed } from "./hints.ts";

export type ErrorDetails = Record<string, unknown>;

/** A refusal with a code of the catalogue. `retryAfter` is in seconds. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    headers: Record<string, string> = {},
    message = messageOf(code),
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.details = { hint: hints[code], ...details };
    this.headers = headers;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

export const apiError = (code: ErrorCode, details?: ErrorDetails, headers?: Record<string, string>): ApiError =>
  new ApiError(code, details, headers);

export const notFound = (resource: string, id: string | number): ApiError =>
  apiError("not_found", { hint: whereListed[resource] ?? hints.not_found, resource, id });

/** Whoever asked for it has no id to look up again. */
export const noSuchPath = (path: string): ApiError =>
  new ApiError(
    "not_found",
    { resource: "path", id: path, hint: "/api/openapi.json and /api-docs.md list the paths that there are." },
    {},
    "There is no such path.",
  );

/** A body is read as it comes: one that was compressed on its way is not unpacked here. */
export function refuseEncoded(encoding: string | undefined): ApiError | undefined {
  if (encoding === undefined || /^(?:identity)?$/i.test(encoding.trim())) return undefined;
  const hint = "Send the body as it is, without the header Content-Encoding.";
  return new ApiError(
    "unsupported_media_type",
    { hint },
    { "accept-encoding": "identity" },
    "A body with a Content-Encoding is not taken.",
  );
}

/** A 400 for one thing wrong with the request, in the same shape as the schema checks give. */
export const invalidRequest = (path: string, message: string): ApiError =>
  new ApiError("invalid_request", { issues: [{ path, message }] }, {}, `${path}: ${message}`);
