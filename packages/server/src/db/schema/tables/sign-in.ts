/** An account at an identity provider that signs in to an account here. */
export interface IdentityRow {
  issuer: string;
  /** The provider's own name for the person, which it never reuses. */
  subject: string;
  user_id: string;
  created_at: number;
  last_used_at: number;
}

/** A group membership that came from a provider's claim, deleted when the claim no longer names the group. */
export interface ClaimedGroupRow {
  workspace_id: string;
  group_id: string;
  user_id: string;
  issuer: string;
}

/** The secret with which a person's authenticator app makes codes. */
export interface TotpFactorRow {
  user_id: string;
  /** Encrypted with the server's secret. */
  sealed: string;
  /** The time from which codes are required; null until a first code has proved that the app works. */
  confirmed_at: number | null;
  /** The time step of the last used code: neither it nor an earlier one works again. */
  last_step: number;
  created_at: number;
}

/** A code that replaces the app once; deleted when used. */
export interface RecoveryCodeRow {
  user_id: string;
  code_hash: string;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  /** The authenticator's id for the credential, in base64url. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** The signature counter, if the authenticator has one. */
  counter: number;
  /** How browsers reach the authenticator, separated by spaces. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A used ticket, stored until it would have expired. */
export interface SpentTicketRow {
  ticket_hash: string;
  expires_at: number;
}
