import { isRecord } from "@svc/document/guards";
import { codeOf, messageOf } from "@svc/document/thrown";
import { CommitUnknown, DatabaseUnavailable, TransactionOutdated } from "../database.ts";
import type { CommitState } from "../transaction/lock-order.ts";

/**
 * A prepared statement from before a migration, or one that a connection pooler has lost. A new connection solves it.
 */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === "26000" || (codeOf(error) === "0A000" && /cached plan/.test(messageOf(error)));

/**
 * The server has become read-only, as a primary does when it becomes a standby. A new connection may reach another
 * server.
 */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === "25006";

const isNotNullViolation = (error: unknown): error is { table?: unknown; column?: unknown } =>
  codeOf(error) === "23502";

/** A lock that the transaction may not wait for because it shares its commit. When it runs alone, it may. */
const isLockBusy = (error: unknown): boolean => codeOf(error) === "55P03";

/** Translates a failure for the transactions of its commit. */
export const asConflict = (error: unknown, commit: CommitState): unknown =>
  isNotNullViolation(error) && commit.isRetriedNull(error) ? new TransactionOutdated(error) : error;

/** Another transaction was in the way: this one may succeed when it runs again. */
export const isConflict = (error: unknown): boolean =>
  codeOf(error) === "40001" ||
  codeOf(error) === "40P01" ||
  isStale(error) ||
  isLockBusy(error) ||
  error instanceof TransactionOutdated;

/**
 * PostgreSQL's answer to statements in a transaction that has already failed, or about a savepoint that an earlier
 * failure prevented: never the cause itself.
 */
export const isAftereffect = (error: unknown): boolean => codeOf(error) === "25P02" || codeOf(error) === "3B001";

/**
 * The connection was lost or refused; the server is shutting down, starting, or out of connections, disk or memory; a
 * wait took too long (classes 08, 53, 57, 58); the server is read-only or failed internally (XX: it cannot read or
 * extend a block).
 */
const isUnavailable = (error: unknown) =>
  /^(08|53|57|58|XX)...$|^25006$/.test(codeOf(error)) ||
  /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|ENOTFOUND|EAI_|EMFILE|ENFILE)/.test(codeOf(error)) ||
  /connection (terminated|ended)|not queryable|timeout exceeded/i.test(
    error instanceof Error && codeOf(error) === "" ? error.message : "",
  );

/**
 * The transaction waited for another one's lock for longer than `lock_timeout`. A lock that it may not wait for has the
 * same code and is reported by another routine; the message would depend on the server's language.
 */
const isLockTimeout = (error: unknown): boolean =>
  isLockBusy(error) && isRecord(error) && error.routine === "ProcessInterrupts";

export const toDatabaseError = (error: unknown): unknown =>
  isUnavailable(error) || isLockTimeout(error) ? new DatabaseUnavailable(error) : error;

/** The server's own reasons (no space, a damaged block, read-only) for which a commit certainly did not happen. */
const isRefusal = (cause: unknown): boolean => /^(53|58|XX|25|55)...$/.test(codeOf(cause));

/** Translates the failure of a commit: without an answer of the server nobody knows whether it happened. */
export const toCommitError = (error: unknown): unknown =>
  error instanceof DatabaseUnavailable && !isRefusal(error.cause) ? new CommitUnknown(error.cause) : error;
