import { getHeapStatistics, setFlagsFromString } from "node:v8";

/** How much may be added to what lives in the heap before it is collected, in percent. */
const GROWTH = 100;

/** Below this limit of the heap the engine itself adds no more than that, and less where room is short. */
const LARGE = 2 * 1024 ** 3;

/**
 * Lets the heap grow to twice what lives in it. On a machine with much memory the engine by itself goes to four times as
 * much, and a server's memory then says more about the machine than about what the server keeps.
 */
export function boundHeapGrowth(): void {
  if (getHeapStatistics().heap_size_limit > LARGE) setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
