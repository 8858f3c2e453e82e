import { type RawBuilder, sql } from "kysely";

/** The stored time that means "never". */
export const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Whether a stored time has come. No wait is longer than `longestMs`: a time further ahead was stored before the clock
 * was set back, so it has come too.
 */
export const hasCome = (time: number, now: number, longestMs: number): boolean =>
  time <= now || (time > now + longestMs && time < NEVER);

/** `hasCome` for a column. */
export const isDue = (column: string, now: number, longestMs: number): RawBuilder<boolean> => {
  const time = sql.ref(column);
  return sql<boolean>`(${time} <= ${now} or (${time} > ${now + longestMs} and ${time} < ${NEVER}))`;
};
