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

/** For a caller of an unknown path, who has no id to look up. */
export const noSuchPath = (path: string): ApiError =>
  new ApiError(
    "not_found",
    { resource: "path", id: path, hint: "/api/openapi.json and /api-docs.md list all paths." },
    {},
    "This path does not exist.",
  );

/** Bodies are read as they are sent: a compressed one is not decompressed here. */
export function refuseEncoded(encoding: string | undefined): ApiError | undefined {
  if (encoding === undefined || /^(?:identity)?$/i.test(encoding.trim())) return undefined;
  const hint = "Send the body as it is, without the header Content-Encoding.";
  return new ApiError(
    "unsupported_media_type",
    { hint },
    { "accept-encoding": "identity" },
    "A body with a Content-Encoding is not accepted.",
  );
}

/** A 400 for one problem with the request, in the same shape as the schema checks. */
export const invalidRequest = (path: string, message: string): ApiError =>
  new ApiError("invalid_request", { issues: [{ path, message }] }, {}, `${path}: ${message}`);
