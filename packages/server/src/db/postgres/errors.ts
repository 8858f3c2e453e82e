import { codeOf, messageOf } from "@svc/document/thrown";
import { DatabaseUnavailable, TransactionOutdated } from "../database.ts";
import type { CommitState } from "../transaction/lock-order.ts";

/** A prepared statement of before a migration, or one that a connection pooler has lost: gone with its connection. */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === "26000" || (codeOf(error) === "0A000" && /cached plan/.test(messageOf(error)));

/** The server has become read-only, as a primary does that is now a standby. A new connection may find another. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === "25006";

const isNotNullViolation = (error: unknown): error is { table?: unknown; column?: unknown } =>
  codeOf(error) === "23502";

/** A lock that a transaction may not wait for, because it shares its commit. By itself it may. */
const isLockBusy = (error: unknown): boolean => codeOf(error) === "55P03";

/** The failure as the transactions of its commit understand it. */
export const asConflict = (error: unknown, commit: CommitState): unknown =>
  isNotNullViolation(error) && commit.isRetriedNull(error) ? new TransactionOutdated(error) : error;

/** Another transaction was in the way: the same one may succeed when it runs again. */
export const isConflict = (error: unknown): boolean =>
  codeOf(error) === "40001" ||
  codeOf(error) === "40P01" ||
  isStale(error) ||
  isLockBusy(error) ||
  error instanceof TransactionOutdated;

/**
 * What PostgreSQL says of a statement in a transaction that has failed before, or of a savepoint that an earlier failure
 * kept from being made: never the reason itself.
 */
export const isAftereffect = (error: unknown): boolean => codeOf(error) === "25P02" || codeOf(error) === "3B001";

/**
 * Connection lost or refused, server shutting down or starting, out of connections, disk or memory, waited too long
 * (classes 08, 53, 57, 58), read-only, or failing inside (XX: a block that cannot be read or extended).
 */
const isUnavailable = (error: unknown) =>
  /^(08|53|57|58|XX)...$|^25006$/.test(codeOf(error)) ||
  /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|ENOTFOUND|EAI_|EMFILE|ENFILE)/.test(codeOf(error)) ||
  /connection (terminated|ended)|not queryable|timeout exceeded/i.test(
    error instanceof Error && codeOf(error) === "" ? error.message : "",
  );

export const toDatabaseError = (error: unknown): unknown =>
  isUnavailable(error) ? new DatabaseUnavailable(error) : error;
