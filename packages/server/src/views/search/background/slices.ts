import { setImmediate as others } from "node:timers/promises";

/**
 * Returns a function to await between the steps of long work: it lets other work run whenever `milliseconds` have
 * passed since it last did.
 */
export function slices(
  milliseconds: number,
  giveWay: () => Promise<unknown> | undefined = () => others(),
): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    await giveWay();
    since = performance.now();
  };
  return () => (performance.now() - since < milliseconds ? undefined : rest());
}
