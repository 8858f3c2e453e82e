/** How many values one statement takes: far below what SQLite (32,766) and PostgreSQL (65,535) allow. */
const BATCH = 500;

/** A long list in parts that fit a statement. */
export function* batchesOf<T>(items: readonly T[], size = BATCH): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/**
 * Lets other requests run. Queries of SQLite answer at once, so a long loop of them would otherwise hold the process.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
