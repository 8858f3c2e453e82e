import { defaultBudget, processBudget } from "../cache/budget.ts";
import type { Services } from "../services.ts";

/** A container's limit can change while it runs. */
const PERIOD_MS = 60_000;

/** Sets the size of the caches, and follows the memory limit of the process unless a setting fixes it. */
export function startCacheBudget({ config }: Pick<Services, "config">): () => void {
  const apply = () => processBudget.resize(config.cacheBytes ?? defaultBudget(config.workers));
  apply();
  if (config.cacheBytes !== undefined) return () => undefined;
  const timer = setInterval(apply, PERIOD_MS).unref();
  return () => clearInterval(timer);
}
