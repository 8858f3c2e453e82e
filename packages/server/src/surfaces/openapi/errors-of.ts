import { type ErrorCode, statusOf } from "../../error-codes.ts";
import type { Route } from "../../http/route.ts";

/** Every error code of a route: those of all routes, those of its kind, and its own. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(["invalid_request", "rate_limited", "internal_error", "unavailable"]);
  const add = (...more: ErrorCode[]) => more.forEach((code) => void codes.add(code));
  if (route.scopes !== "public") add("token_missing", "token_invalid", "token_expired", "token_revoked");
  if (route.scopes !== "public" && route.scopes.length > 0) add("insufficient_scope");
  if (route.kind === "write") add("payload_too_large", "unsupported_media_type", "unknown");
  if (route.kind === "write" && route.scopes !== "public")
    add("insufficient_role", "idempotency_conflict", "idempotency_in_progress");
  if (route.kind === "write" && !route.multipart) add("invalid_json");
  if (route.path.includes("{")) add("not_found");
  if (route.success.ranges) add("range_not_satisfiable");
  if (route.ifMatch) add("version_conflict");
  if (route.ifMatch === "required") add("precondition_required");
  if (route.query && "cursor" in route.query.properties) add("invalid_cursor", "cursor_mismatch");
  add(...(route.errors ?? []));
  return [...codes].sort((a, b) => statusOf(a) - statusOf(b) || (a < b ? -1 : 1));
}

export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(statusOf(code), [...(groups.get(statusOf(code)) ?? []), code]);
  return groups;
}
