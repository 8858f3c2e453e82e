import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** How much may be added to what lives in the heap before it is collected, in percent. */
const GROWTH = 60;

/** With a smaller limit of the heap the engine by itself adds about as much, and less where room is short. */
const LARGE = 2 * 1024 ** 3;

/**
 * Keeps the heap near what lives in it. On a machine with much memory the engine by itself lets it grow to four times as
 * much, and a server's memory then says more about the machine than about what the server keeps.
 */
export function boundHeapGrowth(): void {
  if (getHeapStatistics().heap_size_limit > LARGE) setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
