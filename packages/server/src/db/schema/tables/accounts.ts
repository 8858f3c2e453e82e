import type { Generated } from "kysely";

export type Role = "owner" | "editor" | "viewer";
export type Access = "read_only" | "suggest" | "read_write";

export interface UserRow {
  id: string;
  email: string;
  name: string;
  /** Empty for an account that has no password. */
  password_hash: string;
  created_at: number;
  /** Since when nobody gets in with this account; null for one that works. */
  disabled_at: number | null;
  /** Since when the address is known to be the person's; null for one that was only typed. */
  email_verified_at: number | null;
}

/** What a person chose to be shown as. */
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
  /** The knowledge bases that it is bound to, separated by spaces; null: all. */
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
  /** Where it was used last; null for one from before this was kept. */
  last_address: string | null;
  /** When the person last proved in it who they are; null for one from before this was kept. */
  proven_at: number | null;
}

export interface DeviceCodeRow {
  device_code_hash: string;
  user_code_hash: string;
  client_name: string;
  /** What the client asks for; once approved, what it gets. */
  access: Access;
  /** The scopes that the client asks for, separated by spaces; null: all that the access allows. */
  scopes: string | null;
  status: "pending" | "approved" | "denied" | "used";
  user_id: string | null;
  workspace_id: string | null;
  created_at: number;
  expires_at: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
  /** Where the program asked from; null for one that asked before this was kept. */
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
  /** What was done in words, with the names of that time; null where action and path say it. */
  summary: string | null;
  /** The id of what was made; null where nothing was. */
  created_id: string | null;
}

/** Where a person has signed in from: not slowed down there by strangers who guess elsewhere. */
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
  /** The address that it was mailed to; null for one that the operator made. */
  mailed_to: string | null;
}

/** The one open link with which a person proves that an address is theirs: that of the account, or its next one. */
export interface EmailProofRow {
  user_id: string;
  email: string;
  token_hash: string;
  expires_at: number;
}
