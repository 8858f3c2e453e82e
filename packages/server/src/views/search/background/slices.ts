import { setImmediate as others } from "node:timers/promises";

/** To be awaited between the steps of long work: lets others run whenever `milliseconds` have passed since it last did. */
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
