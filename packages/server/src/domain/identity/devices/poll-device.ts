import type { Config } from "../../../config.ts";
import type { Database, Tx } from "../../../db/database.ts";
import type { DeviceCodeRow } from "../../../db/schema/tables/accounts.ts";
import { type ApiError, apiError } from "../../../errors.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import type { Scope } from "../../../http/callers/scopes.ts";
import { DAY_MS } from "../../../time.ts";
import { findActiveRole } from "../members/queries.ts";
import { checkTokenQuota } from "../tokens/check-token-quota.ts";
import { chosenScopes, createToken } from "../tokens/create-token.ts";
import { lockDeviceCode, updatePolledAt, updateUsed } from "./queries.ts";
import { INTERVAL } from "./start-device-login.ts";

/** A client that waits exactly the interval must not be refused for clock jitter. */
const TOLERANCE_MS = 250;

/**
 * Records the poll and throws the error for the client: pending, too fast, denied or expired. Returns once a token can
 * be fetched. Uses its own transaction, because the record must persist when an error is thrown.
 */
export async function pollDevice(database: Database, deviceCode: string, now: number): Promise<void> {
  const hash = hashSecret(deviceCode);
  const refusal = await database.transaction(async (tx) => {
    const row = await lockDeviceCode(tx, hash);
    const final = finalAnswer(row, now);
    if (final !== "pending") return final;
    const wait = (row?.polled_at ?? 0) + INTERVAL * 1000 - now;
    if (wait > TOLERANCE_MS) return slowDown(Math.ceil(wait / 1000));
    await updatePolledAt(tx, hash, now);
    return apiError("authorization_pending", { interval: INTERVAL });
  });
  if (refusal) throw refusal;
}

/** The final refusal, or undefined if the token can be fetched. */
function finalAnswer(row: DeviceCodeRow | undefined, now: number): ApiError | "pending" | undefined {
  if (!row || row.status === "used" || row.expires_at <= now) return apiError("expired_token");
  if (row.status === "denied") return apiError("access_denied");
  return row.status === "pending" ? "pending" : undefined;
}

const slowDown = (seconds: number): ApiError =>
  apiError("slow_down", { interval: INTERVAL, retry_after: seconds }, { "retry-after": String(seconds) });

/** The requested scopes, limited to the granted access. */
export function grantedScopes({ access, scopes }: Pick<DeviceCodeRow, "access" | "scopes">): readonly Scope[] {
  const allowed = chosenScopes(access, undefined);
  const asked = scopes?.split(" ");
  return asked ? allowed.filter((scope) => asked.includes(scope)) : allowed;
}

/** Creates the approved token and uses up the code. */
export async function exchangeDevice(
  tx: Tx,
  deviceCode: string,
  { deviceTokenTtlDays, maxTokensPerUser }: Pick<Config, "deviceTokenTtlDays" | "maxTokensPerUser">,
  now: number,
) {
  const row = await updateUsed(tx, hashSecret(deviceCode));
  if (!row?.user_id || !row.workspace_id) throw apiError("expired_token");
  if (!(await findActiveRole(tx, row.workspace_id, row.user_id))) throw apiError("access_denied");
  const scopes = grantedScopes(row);
  if (scopes.length === 0) throw apiError("access_denied");
  await checkTokenQuota(tx, row.user_id, row.workspace_id, maxTokensPerUser);
  const ttl = Math.round(deviceTokenTtlDays * DAY_MS);
  const created = await createToken(tx, {
    userId: row.user_id,
    workspaceId: row.workspace_id,
    name: row.client_name,
    access: row.access,
    scopes,
    expiresAt: now + ttl,
  });
  return { ...created, access: row.access, userId: row.user_id, workspaceId: row.workspace_id, ttl };
}
