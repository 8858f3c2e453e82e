import type { JsonText } from "../json-text.ts";

/** A program that registered, or whose description was fetched from the address that is its id. */
export interface OAuthClientRow {
  id: string;
  name: string;
  uri: string | null;
  /** JSON: a list of addresses. */
  redirect_uris: JsonText<string[]>;
  created_at: number;
  /** When a person last answered its request. */
  used_at: number | null;
  /** When its description was fetched; null if the program registered. */
  fetched_at: number | null;
  /** How long its site says the description may be cached; null if it does not say. */
  fresh_until: number | null;
}

/** Turns a token into the access of a connected program: the token's row lives as long as the connection. */
export interface OAuthGrantRow {
  token_id: string;
  client_id: string;
  client_uri: string | null;
  /** All granted scopes, separated by spaces; the token may have fewer. */
  scopes: string;
  resource: string;
  /** Until when the program can refresh. */
  expires_at: number;
}

export interface OAuthCodeRow {
  code_hash: string;
  client_id: string;
  client_name: string;
  client_uri: string | null;
  redirect_uri: string;
  challenge: string;
  scopes: string;
  resource: string;
  user_id: string;
  workspace_id: string;
  /** The knowledge bases that the program may access, separated by spaces; null: all that the person may. */
  knowledge_base_ids: string | null;
  expires_at: number;
  used_at: number | null;
  /** The token that it was exchanged for. */
  token_id: string | null;
}

export interface OAuthRefreshTokenRow {
  token_hash: string;
  token_id: string;
  expires_at: number;
  used_at: number | null;
}
