import { DatabaseUnavailable } from "../database.ts";

export const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? "");

/** A prepared statement of before a migration, or one that a connection pooler has lost: gone with its connection. */
export const isStale = (error: unknown): boolean =>
  codeOf(error) === "26000" || (codeOf(error) === "0A000" && /cached plan/.test((error as Error).message));

/**
 * A column was given nothing: a statement took its value from a row that another transaction has changed so that it no
 * longer applies.
 */
export const isNotNullViolation = (error: unknown): boolean => codeOf(error) === "23502";

/** Another transaction was in the way: the same one may succeed when it runs again. */
export const isConflict = (error: unknown): boolean =>
  codeOf(error) === "40001" || codeOf(error) === "40P01" || isStale(error) || isNotNullViolation(error);

/** Connection lost or refused, server shutting down or starting, out of connections, disk or memory, waited too long. */
const isUnavailable = (error: unknown) =>
  /^(08|53|57|58|55P03)|^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)|^25006$/.test(codeOf(error)) ||
  /connection (terminated|ended)|not queryable|timeout exceeded/i.test(
    error instanceof Error && codeOf(error) === "" ? error.message : "",
  );

export const toDatabaseError = (error: unknown): unknown =>
  isUnavailable(error) ? new DatabaseUnavailable(error) : error;
