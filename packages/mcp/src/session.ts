import type { Client } from "@svc/sdk";

/** On whose behalf tools run: a client that carries the token, and what the token allows. */
export interface Session {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly role: "owner" | "editor" | "viewer";
}

/** Asks the service who the token's bearer is; a token that is not valid throws the service's refusal. */
export async function openSession(client: Client): Promise<Session> {
  const { data } = await client.get("/me");
  return { client, scopes: data.scopes, role: data.workspace.role };
}
