import { apiError } from "../../errors.ts";
import type { Caller } from "../../http/callers/caller.ts";
import type { Scope } from "../../http/callers/scopes.ts";

/** A webhook carries facts of documents, so both scopes are needed; it is arranged by who arranges knowledge bases. */
export const readScopes: readonly Scope[] = ["knowledge-bases:read", "documents:read"];
export const writeScopes: readonly Scope[] = ["knowledge-bases:write", "documents:read"];

/** Addresses of webhooks may hold keys: viewers do not see them. */
export function requireEditor({ role }: Caller): void {
  if (role === "viewer") throw apiError("insufficient_role", { role });
}
