import { hints } from "./hints.ts";

/** Every error code of the API, once: its status and what it says when nothing more precise is known. */
const catalogue = {
  invalid_request: [400, "The request is not valid."],
  invalid_json: [400, "The request body is not valid JSON in UTF-8."],
  invalid_cursor: [400, "The cursor is not one that this service gave out for this call."],
  cursor_mismatch: [400, "The cursor belongs to another query or sort order."],
  invalid_locale: [400, "The locale is not a valid BCP 47 language tag."],
  confirmation_mismatch: [400, "confirm_id does not match the knowledge base."],
  authorization_pending: [400, "The user has not confirmed yet."],
  slow_down: [400, "Polling too fast."],
  expired_token: [400, "The device code is unknown, used or expired."],
  access_denied: [400, "The user refused."],
  token_missing: [401, "Send the header Authorization: Bearer <token>."],
  token_invalid: [401, "The token is not valid."],
  token_expired: [401, "The token has expired."],
  token_revoked: [401, "The token has been revoked."],
  insufficient_scope: [403, "The token lacks a scope that this call needs."],
  insufficient_role: [403, "The role of this user does not allow changes."],
  not_found: [404, "There is nothing here that this token can see."],
  method_not_allowed: [405, "This path does not take that method."],
  version_conflict: [409, "It has changed since the version you sent."],
  read_cursor_stale: [409, "The body has changed since the cursor was given out."],
  search_cursor_stale: [409, "The search index was rebuilt since the cursor was given out."],
  idempotency_conflict: [409, "This Idempotency-Key was used for a different request."],
  idempotency_in_progress: [409, "The first request with this Idempotency-Key is still running."],
  attachment_referenced: [409, "The attachment is used in the body."],
  evidence_stale: [409, "The evidence was taken from an older version of the document."],
  candidate_stale: [409, "The candidate's source has changed since it was extracted."],
  candidate_decided: [409, "The candidate has been decided already."],
  already_localized: [409, "The document belongs to a document set already."],
  locale_exists: [409, "The document set has a version in this language already."],
  localization_has_targets: [409, "The document set still has target language versions."],
  job_not_applicable: [409, "The job has no result that could be applied."],
  relation_not_manual: [409, "An inline relation goes away by editing the link in the body."],
  concept_merged: [409, "The concept was merged into another one."],
  suggestion_conflict: [409, "The text that the suggestion changes has changed since."],
  suggestion_decided: [409, "The suggestion has been decided already."],
  folder_cycle: [409, "A folder cannot move into its own subtree."],
  payload_too_large: [413, "The request is larger than allowed."],
  unsupported_media_type: [415, "Send the body as application/json."],
  range_not_satisfiable: [416, "The range lies outside of the file."],
  invalid_document: [422, "The document is not valid."],
  duplicate_anchor: [422, "An anchor appears twice."],
  unknown_anchor: [422, "An anchor names a block that is not in this document."],
  duplicate_block_id: [422, "A block id appears twice."],
  block_not_found: [422, "The block is not in this document."],
  heading_not_found: [422, "No top-level heading matches."],
  text_not_found: [422, "The text does not occur there."],
  text_ambiguous: [422, "The text occurs more than once."],
  unknown_predicate: [422, "The predicate is not registered."],
  invalid_target_uri: [422, "The target is not a valid svc:// address."],
  concept_self_loop: [422, "A concept cannot be related to itself."],
  concept_cycle: [422, "broader_than must not form a cycle."],
  quota_exceeded: [422, "A quota of the workspace is used up."],
  document_too_large: [422, "The body has more characters than allowed."],
  invalid_properties: [422, "The properties are not valid."],
  attachment_not_found: [422, "The body names an attachment that is not this document's."],
  invalid_anchor: [422, "The quote does not stand in this block."],
  model_not_configured: [422, "No model is configured on this server."],
  precondition_required: [428, "Send the version that this change is based on."],
  rate_limited: [429, "Too many requests."],
  translation_quota_exceeded: [429, "The daily translation quota is used up."],
  too_many_streams: [429, "This token has too many open event streams."],
  internal_error: [500, "Something went wrong on our side."],
  unavailable: [503, "The service cannot answer right now."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof catalogue;
export const errorCodes = Object.keys(catalogue) as ErrorCode[];
export const statusOf = (code: ErrorCode): number => catalogue[code][0];
export const messageOf = (code: ErrorCode): string => catalogue[code][1];

const typesByStatus: Record<number, string> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
  500: "server_error",
  503: "server_error",
};
export const typeOf = (code: ErrorCode): string => typesByStatus[statusOf(code)] ?? "request_error";

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

export const notFound = (resource: string, id: string | number): ApiError => apiError("not_found", { resource, id });

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
