import type { Client } from "@svc/sdk";
import type { ChosenSets } from "./tool-sets.ts";

/** On whose behalf tools run: a client that carries the token, and what the token allows. */
export interface Session {
  readonly client: Client;
  readonly scopes: readonly string[];
  /** Whether its person writes in any knowledge base. */
  readonly mayWrite: boolean;
  /** Which tools are shown; those that are not can still be called. */
  readonly sets?: ChosenSets;
  /** The address at which people reach the service, for links to pages. */
  readonly siteUrl?: string;
}

/** Asks the service who the token's bearer is; a token that is not valid throws the service's refusal. */
export async function openSession(client: Client, sets?: ChosenSets, siteUrl?: string): Promise<Session> {
  const { data } = await client.get("/me");
  return {
    client,
    scopes: data.scopes,
    mayWrite: data.may_write,
    ...(sets && { sets }),
    ...(siteUrl !== undefined && { siteUrl }),
  };
}
