import { apiError } from "../../../errors.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import type { Scope } from "../../../http/callers/scopes.ts";

/**
 * Webhooks deliver facts about documents, so both scopes are needed. Managing them requires the right to manage
 * knowledge bases.
 */
export const readScopes: readonly Scope[] = ["knowledge-bases:read", "documents:read"];
export const writeScopes: readonly Scope[] = ["knowledge-bases:write", "documents:read"];

/** Webhook addresses may contain secrets, so viewers cannot see them. */
export function requireEditor({ role }: Pick<Caller, "role">): void {
  if (role === "viewer") throw apiError("insufficient_role", { role });
}
