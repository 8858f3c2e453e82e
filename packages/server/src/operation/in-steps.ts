import { setTimeout as sleep } from "node:timers/promises";

const IDLE_MS = 1_000;

/**
 * Takes step after step: the next one at once while a step says that there is more, else a second later. The returned
 * function stops it and waits for the step that runs.
 */
export function inSteps(step: () => Promise<boolean>, failed: (error: unknown) => void): () => Promise<void> {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      const more = await step().catch((error) => {
        failed(error);
        return false;
      });
      await sleep(more ? 1 : IDLE_MS, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = loop();
  return () => {
    stop.abort();
    return running;
  };
}
