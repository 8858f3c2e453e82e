import { createHash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { sql } from "kysely";
import type { Reader, Tx } from "../db/database.ts";
import type { Tables } from "../db/schema/tables.ts";
import { statement } from "../db/statement/statement.ts";
import { ApiError, apiError, invalidRequest } from "../errors.ts";
import { DAY_MS } from "../time.ts";
import type { Written } from "./answer.ts";

const KEPT_MS = DAY_MS;
/** Bytes of an answer from which it counts as large. */
const LARGE = 65_536;
/** Max bytes of the large answers that a workspace keeps together. */
const MAX_LARGE_TOTAL = 16_000_000;

/** Refusals unrelated to the request itself, after which a later attempt with the same key must run. */
const NOT_KEPT = new Set([401, 403, 408, 413, 415, 429]);
export const isKept = ({ status }: Pick<ApiError, "status">): boolean => status < 500 && !NOT_KEPT.has(status);

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

/** Method, address and body must be the same for the first result to be the answer. */
export function fingerprintOf(method: string, url: string, body: Uint8Array | string): string {
  return createHash("sha256").update(`${method} ${url}\n`).update(body).digest("hex");
}

type Kept = Pick<Tables["idempotency_keys"], "fingerprint" | "status" | "headers" | "body">;
type Since = { readonly since: number };

const selectKept = statement<KeyOfRequest & Since, Kept>((db, value) =>
  db
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "headers", "body"])
    .where("workspace_id", "=", value("workspaceId"))
    .where("token_id", "=", value("tokenId"))
    .where("key", "=", value("key"))
    .where("created_at", ">=", value("since")),
);

const REPLAYED = "idempotency-replayed";
export const isReplay = ({ headers }: Written): boolean => headers[REPLAYED] !== undefined;

/** Takes the place of an answer that had to make room. Every answer with an empty body has a header at least. */
const DROPPED = { headers: "{}", body: "" };

const answerDropped = (key: string, status: number): ApiError =>
  new ApiError(
    "idempotency_conflict",
    { key, status, hint: "The first request was carried out with this status. Read the resource for its state." },
    {},
    "The answer to the first request with this Idempotency-Key was large and is no longer kept.",
  );

function replayOf(kept: Kept, request: KeyOfRequest): Written {
  if (kept.fingerprint !== request.fingerprint) throw apiError("idempotency_conflict", { key: request.key });
  if (kept.body === DROPPED.body && kept.headers === DROPPED.headers) throw answerDropped(request.key, kept.status);
  return {
    status: kept.status,
    headers: { ...JSON.parse(kept.headers), [REPLAYED]: "true" },
    body: kept.body,
  };
}

/** Looks up the result stored under the key, before any work is done for a repeated request. */
export async function findOutcome(db: Reader, request: KeyOfRequest): Promise<Written | undefined> {
  const [kept] = await selectKept(db, { ...request, since: Date.now() - KEPT_MS });
  return kept && replayOf(kept, request);
}

/**
 * Returns the first result stored under the key, or undefined for the first request. The row is inserted in the
 * transaction of the effect, so a simultaneous second request waits here until the first has committed.
 */
export async function claimKey(tx: Tx, request: KeyOfRequest): Promise<Written | undefined> {
  const now = Date.now();
  const [claimed] = await insertKey(tx, { ...request, now, since: now - KEPT_MS });
  if (claimed) return undefined;
  const [kept] = await selectKept(tx, { ...request, since: 0 });
  return replayOf(defined(kept), request);
}

const insertKey = statement<KeyOfRequest & Since & { readonly now: number }, { key: string }>((tx, value) => {
  const fresh = { fingerprint: value("fingerprint"), status: 0, headers: "{}", body: "", created_at: value("now") };
  return tx
    .insertInto("idempotency_keys")
    .values({ workspace_id: value("workspaceId"), token_id: value("tokenId"), key: value("key"), ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "token_id", "key"])
        .doUpdateSet(fresh)
        .where("idempotency_keys.created_at", "<", value("since")),
    )
    .returning("key");
});

/** Stores the outcome in the claimed row, in the same transaction. */
export async function keepOutcome(tx: Tx, request: KeyOfRequest, outcome: Written): Promise<void> {
  if (typeof outcome.body !== "string") throw new Error("Only text answers can be kept under an idempotency key.");
  const { status, headers, body } = outcome;
  await updateKey.enqueue(tx, { ...request, status, headers: JSON.stringify(headers), body });
  const bytes = Buffer.byteLength(body);
  if (bytes > LARGE) await makeRoom(tx, request, bytes);
}

/** Drops the oldest large answers of a workspace that are too many beside a new one. Their keys stay, and have no second effect. */
async function makeRoom(tx: Tx, { workspaceId, tokenId, key }: KeyOfRequest, bytes: number): Promise<void> {
  const size = sql<number>`octet_length(body)`;
  const large = await tx
    .selectFrom("idempotency_keys")
    .select(["token_id", "key", size.as("bytes")])
    .where("workspace_id", "=", workspaceId)
    .where(size, ">", LARGE)
    .where((eb) => eb.or([eb("token_id", "!=", tokenId), eb("key", "!=", key)]))
    .orderBy("created_at", "desc")
    .orderBy("key", "desc")
    .execute();
  let total = bytes;
  for (const old of large) {
    total += Number(old.bytes);
    if (total <= MAX_LARGE_TOTAL) continue;
    await tx
      .updateTable("idempotency_keys")
      .set(DROPPED)
      .where("workspace_id", "=", workspaceId)
      .where("token_id", "=", old.token_id)
      .where("key", "=", old.key)
      .execute();
  }
}

const updateKey = statement<KeyOfRequest & Omit<Kept, "fingerprint">, unknown>((tx, value) =>
  tx
    .updateTable("idempotency_keys")
    .set({ status: value("status"), headers: value("headers"), body: value("body") })
    .where("workspace_id", "=", value("workspaceId"))
    .where("token_id", "=", value("tokenId"))
    .where("key", "=", value("key")),
);
