import type { Generated } from "kysely";

/** Times are milliseconds, booleans 0 or 1, JSON is text that SQL never looks into. Every tenant table begins its key with the workspace. */
export interface Tables {
  server_state: { key: string; value: string };

  users: { id: string; email: string; name: string; password_hash: string; created_at: number };
  workspaces: { id: string; name: string; created_at: number };
  memberships: { workspace_id: string; user_id: string; role: Role; created_at: number };
  tokens: TokenRow;
  sessions: SessionRow;
  device_codes: DeviceCodeRow;
  /** Open links into a workspace; a used or withdrawn one is gone. */
  invitations: InvitationRow;
  /** Wrong passwords and codes, counted per subject: nothing is tried for it before `free_at`. */
  attempts: { subject: string; failures: number; free_at: number; forgotten_at: number };

  /** Totals of a workspace. Taken last in a transaction (see db/transaction.ts), so that number order is commit order. */
  workspace_counters: {
    workspace_id: string;
    knowledge_bases: number;
    folders: number;
    documents: number;
    attachment_bytes: number;
    last_event_id: number;
  };

  idempotency_keys: {
    workspace_id: string;
    token_id: string;
    key: string;
    fingerprint: string;
    status: number;
    headers: string;
    body: string;
    created_at: number;
  };
  /** Characters sent to the translation provider, per UTC day (`2026-01-31`). */
  translation_usage: { workspace_id: string; day: string; characters: number };
  rate_windows: { subject: string; window_start: number; used: number };
  audit_log: AuditRow;
}

export type Role = "owner" | "editor" | "viewer";
export type Access = "read_only" | "read_write";

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
}

export interface DeviceCodeRow {
  device_code_hash: string;
  user_code_hash: string;
  client_name: string;
  /** What the client asks for; once approved, what it gets. */
  access: Access;
  status: "pending" | "approved" | "denied" | "used";
  user_id: string | null;
  workspace_id: string | null;
  created_at: number;
  expires_at: number;
  /** The last poll that was not too early. */
  polled_at: number | null;
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
}
