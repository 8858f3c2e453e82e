import type { FastifyRequest } from "fastify";
import type { Db } from "../db/database.ts";
import { attempt, runLastSteps } from "../db/transaction.ts";
import { ApiError } from "../errors.ts";
import { type Written, write, writeError } from "./answer.ts";
import { recordAudit } from "./audit.ts";
import { claimKey, fingerprintOf, isKept, type KeyOfRequest, keepOutcome, parseKey } from "./idempotency.ts";
import { DryRun, type Input, type WriteRoute } from "./route.ts";
import { toApiError } from "./server.ts";

type AnyInput = Input<never, never, never>;

/** Runs a writing route: its effect, its audit row and its idempotency key commit together or not at all. */
export async function runWrite(route: WriteRoute, input: AnyInput, request: FastifyRequest): Promise<Written> {
  const { database } = input.app;
  const prepared = await route.prepare?.({ ...input, db: database.read });
  const key = route.method === "POST" ? keyOf(route, input, prepared, request) : undefined;
  try {
    return await database.transaction(async (tx) => {
      const first = key && (await claimKey(tx, key));
      if (first) return first;
      if (!key) return handle(route, input, prepared, tx);
      const outcome = await handleKept(route, input, prepared, tx);
      await keepOutcome(tx, key, outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof DryRun) return write(error.answer, input.request.id);
    throw error;
  }
}

async function handle(route: WriteRoute, input: AnyInput, prepared: unknown, tx: Db): Promise<Written> {
  const answer = await route.handler({ ...input, tx, prepared });
  const written = write(answer, input.request.id);
  if (input.caller) await recordAudit(tx, input.caller, input.request, route.operation, written.status);
  return written;
}

/** A refusal is an outcome too: it undoes the effect, not the key. */
async function handleKept(route: WriteRoute, input: AnyInput, prepared: unknown, tx: Db): Promise<Written> {
  try {
    return await attempt(tx, async () => {
      const written = await handle(route, input, prepared, tx);
      await runLastSteps(tx);
      return written;
    });
  } catch (error) {
    if (error instanceof DryRun) throw error;
    const refusal = toApiError(error);
    if (!(refusal instanceof ApiError) || !isKept(refusal)) throw error;
    return writeError(refusal, input.request.id);
  }
}

function keyOf(
  route: WriteRoute,
  input: AnyInput,
  prepared: unknown,
  request: FastifyRequest,
): KeyOfRequest | undefined {
  const key = parseKey(request.headers["idempotency-key"]);
  if (key === undefined || !input.caller) return undefined;
  return {
    workspaceId: input.caller.workspaceId,
    tokenId: input.caller.tokenId,
    key,
    fingerprint: fingerprintOf(request.method, request.url, route.fingerprint?.(prepared) ?? request.rawBody ?? ""),
  };
}
