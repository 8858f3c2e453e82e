import type { Count } from "../support/steps/count-steps.ts";
import type { Input } from "./inputs.ts";

const SMALL = 150;
const TENFOLD = 10 * SMALL;
/** Ten times as much text takes n log n about fourteen times the steps, and whatever grows with the square a hundred times. */
const MAX_GROWTH = 25;
/** Fewer steps are not worth a look. */
const MIN_STEPS = 60 * TENFOLD;

/** The inputs for which a function takes more than its share of steps once they are ten times as long. */
export async function steepInputs(
  count: Count,
  inputs: readonly Input[],
  run: (text: string) => unknown,
): Promise<string[]> {
  const fixed = await count(() => run(""), Number.POSITIVE_INFINITY);
  const steep: string[] = [];
  for (const { name, make } of inputs) {
    const [small, large] = [make(SMALL), make(TENFOLD)];
    const before = Math.max(SMALL, (await count(() => run(small), Number.POSITIVE_INFINITY)) - fixed);
    const limit = Math.max(MIN_STEPS, MAX_GROWTH * before);
    const after = (await count(() => run(large), limit + fixed)) - fixed;
    if (after >= limit) steep.push(`${name}: ${before}, then ${after} steps or more`);
  }
  return steep;
}
