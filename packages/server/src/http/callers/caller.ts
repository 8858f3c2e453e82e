import type { Access, Role } from "../../db/schema/tables/accounts.ts";
import type { Rights } from "../../rights/rights.ts";
import type { Scope } from "./scopes.ts";

/** A caller: one token of one user in one workspace, or the user's session. */
export interface Caller {
  /** A session is not a token: it has the rights of the person's role, and its records name no token. */
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
  /** The role in the workspace. */
  readonly role: Role;
  /**
   * The roles in knowledge bases, if they differ for this caller; undefined: the workspace role counts in all of them.
   */
  readonly rights: Rights | undefined;
  /** The knowledge bases that the token is limited to; null: all. */
  readonly knowledgeBaseIds: readonly number[] | null;
}

/** The token that records of an action name. */
export const tokenIdOf = (caller: Pick<Caller, "isSession" | "tokenId">): string | null =>
  caller.isSession ? null : caller.tokenId;

/** The calling program, from its User-Agent: `<client>/<version> (<client name>)`. */
export interface Client {
  readonly name: string | null;
  readonly version: string | null;
  /** The program declared that it acts for a language model. */
  readonly agent: boolean;
}

/** A person in the browser. */
export const BROWSER: Client = { name: "browser", version: null, agent: false };

const AGENT = /agent|\bbot\b|gpt|claude|copilot|codex|gemini|cursor|llm|\bmcp\b/i;

export function clientOf(userAgent: string | undefined): Client {
  const text = (userAgent ?? "").slice(0, 300);
  const match = /^([^\s/()]+)(?:\/([^\s()]+))?(?:\s+\(([^()]*)\))?/.exec(text);
  return { name: match?.[3] || match?.[1] || null, version: match?.[2] ?? null, agent: AGENT.test(text) };
}
