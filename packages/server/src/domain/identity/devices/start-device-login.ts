import type { Tx } from "../../../db/database.ts";
import type { Access, DeviceCodeRow } from "../../../db/schema/tables/accounts.ts";
import { hashSecret } from "../../../http/callers/authenticate.ts";
import { readScopes, type Scope } from "../../../http/callers/scopes.ts";
import { newSecret } from "../../../ids.ts";
import { deleteDeviceCodesBefore, insertDeviceCode } from "./queries.ts";
import { newUserCode } from "./user-code.ts";

/** In seconds; both are sent to the client. */
export const EXPIRES_IN = 600;
export const INTERVAL = 5;

const KEPT_AFTER_EXPIRY_MS = 60 * 60 * 1000;

/** The access that the request needs, and the single scopes if it names them. */
function askedFor(asked: Access | readonly Scope[]): Pick<DeviceCodeRow, "access" | "scopes"> {
  if (typeof asked === "string") return { access: asked, scopes: null };
  const onlyReads = asked.every((scope) => readScopes.includes(scope));
  return { access: onlyReads ? "read_only" : "read_write", scopes: [...new Set(asked)].join(" ") };
}

/** Creates a pair of codes: one for the program, one for the person. Also deletes expired pairs. */
export async function startDeviceLogin(tx: Tx, clientName: string, asked: Access | readonly Scope[], address: string) {
  const now = Date.now();
  const deviceCode = newSecret();
  const userCode = newUserCode();
  await deleteDeviceCodesBefore(tx, now - KEPT_AFTER_EXPIRY_MS);
  await insertDeviceCode(tx, {
    device_code_hash: hashSecret(deviceCode),
    user_code_hash: hashSecret(userCode),
    client_name: clientName.trim(),
    ...askedFor(asked),
    status: "pending",
    user_id: null,
    workspace_id: null,
    created_at: now,
    expires_at: now + EXPIRES_IN * 1000,
    polled_at: null,
    address,
  });
  return { deviceCode, userCode };
}
