import { createHash } from "node:crypto";
import type { Db } from "../db/database.ts";
import { type ApiError, apiError, invalidRequest } from "../errors.ts";
import type { Written } from "./answer.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;

/** Refusals that say nothing about the request itself, so a later try with the same key must run. */
const NOT_KEPT = new Set([401, 403, 408, 413, 415, 429]);
export const isKept = (error: ApiError): boolean => error.status < 500 && !NOT_KEPT.has(error.status);

export interface KeyOfRequest {
  readonly workspaceId: string;
  readonly tokenId: string;
  readonly key: string;
  readonly fingerprint: string;
}

export function parseKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !/^[\x21-\x7e]{1,128}$/.test(header))
    throw invalidRequest("header.idempotency-key", "must be 1 to 128 visible ASCII characters");
  return header;
}

/** Method, address and body: what must be the same for the first result to be the answer. */
export function fingerprintOf(method: string, url: string, body: Uint8Array | string): string {
  return createHash("sha256").update(`${method} ${url}\n`).update(body).digest("hex");
}

const rowOf = (db: Db, { workspaceId, tokenId, key }: KeyOfRequest) =>
  db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "headers", "body", "created_at"])
    .where("workspace_id", "=", workspaceId)
    .where("token_id", "=", tokenId)
    .where("key", "=", key);

function replayOf(
  kept: { fingerprint: string; status: number; headers: string; body: string },
  request: KeyOfRequest,
): Written {
  if (kept.fingerprint !== request.fingerprint) throw apiError("idempotency_conflict", { key: request.key });
  return {
    status: kept.status,
    headers: { ...JSON.parse(kept.headers), "idempotency-replayed": "true" },
    body: kept.body,
  };
}

/** The result kept under the key, looked up before any work is done for a request that has been answered already. */
export async function findOutcome(db: Db, request: KeyOfRequest): Promise<Written | undefined> {
  const kept = await rowOf(db, request)
    .where("created_at", ">=", Date.now() - KEPT_MS)
    .executeTakeFirst();
  return kept && replayOf(kept, request);
}

/**
 * The first result kept under the key, or undefined when this request is the first. The row is inserted in the
 * transaction of the effect, so a second request at the same time waits here until the first has committed.
 */
export async function claimKey(tx: Db, request: KeyOfRequest): Promise<Written | undefined> {
  const now = Date.now();
  const { workspaceId, tokenId, key } = request;
  const fresh = { fingerprint: request.fingerprint, status: 0, headers: "{}", body: "", created_at: now };
  const claimed = await tx
    .insertInto("idempotency_keys")
    .values({ workspace_id: workspaceId, token_id: tokenId, key, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "token_id", "key"])
        .doUpdateSet(fresh)
        .where("idempotency_keys.created_at", "<", now - KEPT_MS),
    )
    .returning("key")
    .executeTakeFirst();
  if (claimed) return undefined;
  return replayOf(await rowOf(tx, request).executeTakeFirstOrThrow(), request);
}

/** Fills the claimed row with the outcome, in the same transaction. */
export async function keepOutcome(tx: Db, request: KeyOfRequest, outcome: Written): Promise<void> {
  if (typeof outcome.body !== "string") throw new Error("Only text answers can be kept under an idempotency key.");
  await tx
    .updateTable("idempotency_keys")
    .set({ status: outcome.status, headers: JSON.stringify(outcome.headers), body: outcome.body })
    .where("workspace_id", "=", request.workspaceId)
    .where("token_id", "=", request.tokenId)
    .where("key", "=", request.key)
    .execute();
}
