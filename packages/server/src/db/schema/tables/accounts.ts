import type { Generated } from "kysely";

export type Role = "owner" | "editor" | "viewer";
export type Access = "read_only" | "suggest" | "read_write";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  /** Empty if the account has no password. */
  password_hash: string;
  created_at: number;
  /** The time since which sign-in is blocked; null for an active account. */
  disabled_at: number | null;
  /** When the address was verified; null if it was only typed. */
  email_verified_at: number | null;
}

/** The profile picture of a person. */
export interface PictureRow {
  user_id: string;
  content_type: string;
  sha256: string;
  content: Uint8Array;
  updated_at: number;
}

export interface TokenRow {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  token_hash: string;
  access: Access;
  /** Separated by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  last_client: string | null;
  /** The knowledge bases that the token is limited to, separated by spaces; null: all. */
  knowledge_base_ids?: string | null;
}

export interface SessionRow {
  id: string;
  token_hash: string;
  user_id: string;
  workspace_id: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_seen_at: number;
  /** The address of the last use; null for a session from before this was stored. */
  last_address: string | null;
  /** When the person last proved their identity in this session; null for a session from before this was stored. */
  proven_at: number | null;
}

export interface DeviceCodeRow {
  device_code_hash: string;
  user_code_hash: string;
  client_name: string;
  /** The access that the client requests; once approved, the access it gets. */
  access: Access;
  /** The scopes that the client requests, separated by spaces; null: all that the access allows. */
  scopes: string | null;
  status: "pending" | "approved" | "denied" | "used";
  user_id: string | null;
  workspace_id: string | null;
  created_at: number;
  expires_at: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
  /** The address from which the program asked; null for a code from before this was stored. */
  address: string | null;
}

export interface InvitationRow {
  id: string;
  workspace_id: string;
  token_hash: string;
  role: Role;
  note: string;
  created_by: string;
  created_at: number;
  expires_at: number;
}

export interface AuditRow {
  workspace_id: string;
  id: Generated<number>;
  created_at: number;
  user_id: string | null;
  token_id: string | null;
  client_name: string | null;
  client_version: string | null;
  agent: number;
  action: string;
  path: string;
  status: number;
  request_id: string;
  /** A description in words, with the names at that time; null if action and path say enough. */
  summary: string | null;
  /** The id of the created object; null if there is none. */
  created_id: string | null;
}

/** An address from which a person has signed in: guesses from elsewhere do not slow them down there. */
export interface SignInAddressRow {
  user_id: string;
  address_hash: string;
  seen_at: number;
}

/** The one open link with which a person sets a new password. */
export interface PasswordResetRow {
  user_id: string;
  token_hash: string;
  expires_at: number;
  /** The address that it was mailed to; null for a link that the operator made. */
  mailed_to: string | null;
}

/** The one open link that verifies an e-mail address: the account's current one or its next one. */
export interface EmailProofRow {
  user_id: string;
  email: string;
  token_hash: string;
  expires_at: number;
}
