import type { Caller, Client } from "../http/caller.ts";

/** Who made a change, as events, snapshots and audit rows tell it. */
export interface Actor {
  readonly userId: string;
  readonly tokenId: string | null;
  readonly client: Client;
}

export const actorOf = (input: { readonly caller: Caller; readonly request: { readonly client: Client } }): Actor => ({
  userId: input.caller.userId,
  tokenId: input.caller.tokenId,
  client: input.request.client,
});
