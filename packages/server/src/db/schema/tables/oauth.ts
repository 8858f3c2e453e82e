import type { JsonText } from "../json-text.ts";

/** A program that introduced itself, or whose description was fetched from the address that is its id. */
export interface OAuthClientRow {
  id: string;
  name: string;
  uri: string | null;
  /** JSON: a list of addresses. */
  redirect_uris: JsonText<string[]>;
  created_at: number;
  /** When a person last answered it. */
  used_at: number | null;
  /** When its description was fetched; null for one that registered. */
  fetched_at: number | null;
  /** Until when its site says that the description stays as it is; null where it says nothing. */
  fresh_until: number | null;
}

/** What makes a token the access of a connected program: the row of the token lives as long as the connection. */
export interface OAuthGrantRow {
  token_id: string;
  client_id: string;
  client_uri: string | null;
  /** All that was granted, separated by spaces; the token may carry fewer. */
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
  /** Those that the program may reach, separated by spaces; null: all that the person does. */
  knowledge_base_ids: string | null;
  expires_at: number;
  used_at: number | null;
  /** What it gave. */
  token_id: string | null;
}

export interface OAuthRefreshTokenRow {
  token_hash: string;
  token_id: string;
  expires_at: number;
  used_at: number | null;
}
