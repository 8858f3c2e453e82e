import { setTimeout as sleep } from "node:timers/promises";

/** Does `work` again and again, `ms` after it was done last, until the returned function is called. */
export function every(ms: number, work: () => Promise<void> | void, failed: (error: unknown) => void): () => void {
  const stop = new AbortController();
  const loop = async () => {
    for (;;) {
      await sleep(ms, undefined, { signal: stop.signal, ref: false });
      try {
        await work();
      } catch (error) {
        failed(error);
      }
    }
  };
  loop().catch(() => undefined);
  return () => stop.abort();
}
