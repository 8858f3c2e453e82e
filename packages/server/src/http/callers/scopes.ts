import type { Access } from "../../db/schema/tables/accounts.ts";

/**
 * The scopes of a token. `read_only` is every `…:read`; `read_write` is all but `documents:suggest`, which its
 * `documents:write` includes; `suggest` is every `…:read` and `documents:suggest`.
 */
export const scopes = [
  "documents:read",
  "documents:write",
  "knowledge-bases:read",
  "knowledge-bases:write",
  "attachments:read",
  "attachments:write",
  "concepts:read",
  "concepts:write",
  "summaries:generate",
  "documents:suggest",
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));

/** Every scope that an access level includes. */
export const scopesOf: Readonly<Record<Access, readonly Scope[]>> = {
  read_only: readScopes,
  suggest: [...readScopes, "documents:suggest"],
  read_write: scopes.filter((scope) => scope !== "documents:suggest"),
};
