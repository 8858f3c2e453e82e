/** The number of values in one statement: far below the limits of SQLite (32,766) and PostgreSQL (65,535). */
const BATCH = 500;

/** Splits a long list into parts that fit a statement. */
export function* batchesOf<T>(items: readonly T[], size = BATCH): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/**
 * Lets other requests run. SQLite answers synchronously, so a long loop of queries would otherwise block the process.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
