/** What a token may carry. `read_only` is every `…:read`, `read_write` is all of them. */
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
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);
export const readScopes: readonly Scope[] = scopes.filter((scope) => scope.endsWith(":read"));
