/** An account at an identity provider that opens an account here. */
export interface IdentityRow {
  issuer: string;
  /** The provider's own name for the person, which never goes to somebody else. */
  subject: string;
  user_id: string;
  created_at: number;
  last_used_at: number;
}

/** A membership of a group that came from a provider's claim, and goes when the claim no longer names the group. */
export interface ClaimedGroupRow {
  workspace_id: string;
  group_id: string;
  user_id: string;
  issuer: string;
}

/** The secret that a person's authenticator app makes codes with. */
export interface TotpFactorRow {
  user_id: string;
  /** Encrypted with the server's secret. */
  sealed: string;
  /** Since when it is asked for; null until a first code has proven that the app has it. */
  confirmed_at: number | null;
  /** The time step of the last code that was used: neither it nor an earlier one works again. */
  last_step: number;
  created_at: number;
}

/** A code that stands in for the app, once; a used one is gone. */
export interface RecoveryCodeRow {
  user_id: string;
  code_hash: string;
}

export interface PasskeyRow {
  id: string;
  user_id: string;
  /** As the authenticator named it, in base64url. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** Of signatures, as far as the authenticator counts them. */
  counter: number;
  /** How browsers reach the authenticator, separated by spaces. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A ticket that was used; kept until it would have expired anyway. */
export interface SpentTicketRow {
  ticket_hash: string;
  expires_at: number;
}
