import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** How much may be added to the live heap before it is collected, in percent. */
const GROWTH = 60;

/** With a smaller heap limit the engine itself adds about as much, and less if memory is short. */
const LARGE = 2 * 1024 ** 3;

/**
 * Keeps the heap close to its live size. On a machine with much memory the engine lets it grow to four times as much,
 * so that a server's memory says more about the machine than about the server.
 */
export function limitHeapGrowth(): void {
  if (getHeapStatistics().heap_size_limit > LARGE) setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
