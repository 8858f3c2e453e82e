import type { Access, Role } from "../../db/schema/tables/accounts.ts";
import type { Rights } from "../../rights/rights.ts";
import type { Scope } from "./scopes.ts";

/** Who asks: one token of one user in one workspace, or their session. */
export interface Caller {
  /** A session is no token: it has the rights of the person's role, and what it leaves behind names no token. */
  readonly isSession: boolean;
  /** The id of the token, or of the session. */
  readonly tokenId: string;
  readonly tokenName: string;
  readonly access: Access;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly userId: string;
  readonly email: string;
  readonly userName: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** In the workspace. */
  readonly role: Role;
  /** Where knowledge bases differ for this caller; undefined: the role counts in all of them. */
  readonly rights: Rights | undefined;
  /** The knowledge bases that the token is bound to; null: all. */
  readonly knowledgeBaseIds: readonly number[] | null;
}

/** The token that records of what was done name. */
export const tokenIdOf = (caller: Pick<Caller, "isSession" | "tokenId">): string | null =>
  caller.isSession ? null : caller.tokenId;

/** The program that asks, from its User-Agent: `<client>/<version> (<client name>)`. */
export interface Client {
  readonly name: string | null;
  readonly version: string | null;
  /** The program says that it acts for a language model. */
  readonly agent: boolean;
}

const AGENT = /agent|\bbot\b|gpt|claude|copilot|codex|gemini|cursor|llm|\bmcp\b/i;

export function clientOf(userAgent: string | undefined): Client {
  const text = (userAgent ?? "").slice(0, 300);
  const match = /^([^\s/()]+)(?:\/([^\s()]+))?(?:\s+\(([^()]*)\))?/.exec(text);
  return { name: match?.[3] || match?.[1] || null, version: match?.[2] ?? null, agent: AGENT.test(text) };
}
