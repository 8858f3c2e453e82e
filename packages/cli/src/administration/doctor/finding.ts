import type { Config } from "@svc/server/config";
import type { Database } from "@svc/server/db/database";

/** The outcome of one check. `off`: nothing to check, because the feature is not configured. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "off" | "warning" | "error";
  readonly message: string;
  /** The operator's next step. */
  readonly advice?: string;
}

export interface Patient {
  readonly config: Config;
  /** Undefined if the database cannot be opened or does not exist yet. */
  readonly database: Database | undefined;
  /** The server's address from this machine; people use `publicAddress`. */
  readonly address: string;
  readonly publicAddress: string;
}

export type Check = (patient: Patient) => Promise<readonly Finding[]>;

/** The timeout of one request to another machine. */
export const PATIENCE_MS = 10_000;

export const request = (url: string): Promise<Response> =>
  fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
