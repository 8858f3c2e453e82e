import { isRecord } from "@svc/document/guards";
import type { FastifyRequest } from "fastify";
import type { Tx, VisibleDatabase, WriteOptions } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type Written, write, writeError } from "./answer.ts";
import { recordAudit } from "./audit.ts";
import { type Caller, tokenIdOf } from "./callers/caller.ts";
import {
  claimKey,
  findOutcome,
  fingerprintOf,
  isKept,
  type KeyOfRequest,
  keepOutcome,
  parseKey,
} from "./idempotency.ts";
import { DryRun, type Input, type WriteRoute } from "./route.ts";
import { toApiError } from "./server.ts";

type AnyInput = Input<never, never, never>;

interface Ready {
  readonly input: AnyInput;
  readonly prepared: unknown;
}

/**
 * Runs a writing route: its effect, audit row and idempotency key commit together or not at all. `check` reads and
 * checks the request; a repeated request is answered from its key before that.
 */
export async function runWrite(
  route: WriteRoute,
  request: FastifyRequest,
  database: VisibleDatabase,
  check: () => AnyInput,
): Promise<Written> {
  const makeReady = async (): Promise<Ready> => {
    const input = check();
    return { input, prepared: await route.prepare?.({ ...input, db: database.read }) };
  };
  const key = parseKey(request.headers["idempotency-key"]);
  const caller = request.identity && "caller" in request.identity ? request.identity.caller : undefined;
  try {
    if (key === undefined || !caller) {
      const ready = await makeReady();
      return await database.transaction((tx) => handle(route, ready, tx), writeOptionsOf(route, request, caller));
    }
    const keyed = { route, request, database, key, caller };
    return await (route.multipart ? runUpload(keyed, makeReady) : runKeyed(keyed, makeReady));
  } catch (error) {
    if (error instanceof DryRun) return write(error.answer, request.id);
    throw error;
  }
}

/** Writes to one resource, or to any part of it, wait for each other. */
function writeOptionsOf(
  { path, sharesCommit = false }: WriteRoute,
  request: FastifyRequest,
  caller?: Caller,
): WriteOptions {
  const id = isRecord(request.params) ? request.params.id : undefined;
  const queueKey =
    caller && id !== undefined ? `${caller.workspaceId} ${path.slice(0, path.indexOf("{"))}${id}` : undefined;
  return { queueKey, group: sharesCommit ? caller?.workspaceId : undefined };
}

interface Keyed {
  readonly route: WriteRoute;
  readonly request: FastifyRequest;
  readonly database: VisibleDatabase;
  readonly key: string;
  readonly caller: Caller;
}

const keyOf = ({ request, key, caller }: Keyed, body: Uint8Array | string): KeyOfRequest => ({
  workspaceId: caller.workspaceId,
  tokenId: caller.tokenId,
  key,
  fingerprint: fingerprintOf(request.method, request.url, body),
});

async function runKeyed(keyed: Keyed, makeReady: () => Promise<Ready>): Promise<Written> {
  const { route, request, database } = keyed;
  const key = keyOf(keyed, request.rawBody ?? "");
  const known = await findOutcome(database.read, key);
  if (known) return known;
  const ready = await makeReady().catch((error: unknown) => refusalOf(error));
  return database.transaction(
    async (tx) => {
      const first = await claimKey(tx, key);
      if (first) return first;
      const outcome =
        ready instanceof ApiError ? writeError(ready, request.id) : await handleKept(route, ready, tx, request.id);
      await keepOutcome(tx, key, outcome);
      return outcome;
    },
    writeOptionsOf(route, request, keyed.caller),
  );
}

/** A multipart body must be received before it is known whether it is a repetition. */
async function runUpload(keyed: Keyed, makeReady: () => Promise<Ready>): Promise<Written> {
  const { route, request, database } = keyed;
  const ready = await makeReady();
  const key = keyOf(keyed, route.fingerprint?.(ready.prepared) ?? "");
  return database.transaction(
    async (tx) => {
      const first = await claimKey(tx, key);
      if (first) return first;
      const outcome = await handleKept(route, ready, tx, request.id);
      await keepOutcome(tx, key, outcome);
      return outcome;
    },
    writeOptionsOf(route, request, keyed.caller),
  );
}

async function handle(route: WriteRoute, { input, prepared }: Ready, tx: Tx): Promise<Written> {
  const answer = await route.handler({ ...input, tx, prepared });
  const written = write(answer, input.request.id);
  const { caller } = input;
  if (caller && !route.personal)
    await recordAudit(tx, { ...caller, tokenId: tokenIdOf(caller) }, input.request, {
      action: route.operation,
      status: written.status,
      createdId: answer.createdId,
    });
  return written;
}

/** Returns a failure that a key stores as an outcome; throws any other failure. */
function refusalOf(error: unknown): ApiError {
  const refusal = error instanceof DryRun ? undefined : toApiError(error);
  if (!refusal || !isKept(refusal)) throw error;
  return refusal;
}

/** A refusal is an outcome too: it rolls back the effect but not the key. */
async function handleKept(route: WriteRoute, ready: Ready, tx: Tx, requestId: string): Promise<Written> {
  try {
    return await tx.attempt(async () => {
      const written = await handle(route, ready, tx);
      await tx.runChecksNow();
      return written;
    });
  } catch (error) {
    return writeError(refusalOf(error), requestId);
  }
}
