import { type RawBuilder, sql } from "kysely";

/** Stands for "at no time" where a time is stored. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Whether a stored time has come. No wait is longer than `longestMs`: what lies further ahead was stored before the
 * clock was put back, and has come too.
 */
export const hasCome = (time: number, now: number, longestMs: number): boolean =>
  time <= now || (time > now + longestMs && time < NEVER);

/** `hasCome` of a column. */
export const isDue = (column: string, now: number, longestMs: number): RawBuilder<boolean> => {
  const time = sql.ref(column);
  return sql<boolean>`(${time} <= ${now} or (${time} > ${now + longestMs} and ${time} < ${NEVER}))`;
};
