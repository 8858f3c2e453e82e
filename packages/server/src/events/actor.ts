import { type Caller, type Client, tokenIdOf } from "../http/callers/caller.ts";

/** The author of a change, as events, snapshots and audit rows record it. */
export interface Actor {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly client: Client;
}

export const actorOf = (input: { readonly caller: Caller; readonly request: { readonly client: Client } }): Actor => ({
  userId: input.caller.userId,
  tokenId: tokenIdOf(input.caller),
  client: input.request.client,
});
