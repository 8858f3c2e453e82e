import type { Reader, Tx } from "../../../db/database.ts";
import type { Access, DeviceCodeRow } from "../../../db/schema/tables/accounts.ts";

export const insertDeviceCode = (tx: Tx, row: DeviceCodeRow) => tx.insertInto("device_codes").values(row).execute();

export const deleteDeviceCodesBefore = (tx: Tx, time: number) =>
  tx.deleteFrom("device_codes").where("expires_at", "<", time).execute();

/** The request that awaits a decision under this code. */
export const findPendingDevice = (db: Reader, userCodeHash: string, now: number) =>
  db
    .selectFrom("device_codes")
    .select(["client_name", "access", "scopes", "expires_at", "address"])
    .where("user_code_hash", "=", userCodeHash)
    .where("status", "=", "pending")
    .where("expires_at", ">", now)
    .executeTakeFirst();

interface Decision {
  readonly status: "approved" | "denied";
  readonly access: Access;
  readonly user_id: string;
  readonly workspace_id: string;
}

/** Stores the person's decision once; undefined if no request awaits one under this code. */
export const updateDecision = (tx: Tx, userCodeHash: string, decision: Decision, now: number) =>
  tx
    .updateTable("device_codes")
    .set(decision)
    .where("user_code_hash", "=", userCodeHash)
    .where("status", "=", "pending")
    .where("expires_at", ">", now)
    .returning(["client_name"])
    .executeTakeFirst();

/** Locks the row, so that polls of the same code are serialized. */
export const lockDeviceCode = (tx: Tx, deviceCodeHash: string) => tx.lock("device_code", "", deviceCodeHash);

export const updatePolledAt = (tx: Tx, deviceCodeHash: string, now: number) =>
  tx.updateTable("device_codes").set({ polled_at: now }).where("device_code_hash", "=", deviceCodeHash).execute();

/** Marks the approved code as used: only the first caller gets the row. */
export const updateUsed = (tx: Tx, deviceCodeHash: string) =>
  tx
    .updateTable("device_codes")
    .set({ status: "used" })
    .where("device_code_hash", "=", deviceCodeHash)
    .where("status", "=", "approved")
    .returningAll()
    .executeTakeFirst();
