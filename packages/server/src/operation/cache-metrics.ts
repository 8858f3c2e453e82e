import type { Registry } from "prom-client";
import { type CacheFigures, processBudget } from "../cache/budget.ts";
import { addMetric } from "./add-metric.ts";

type Figure = Exclude<keyof CacheFigures, "name">;

const METRICS: readonly (readonly [figure: Figure, name: string, help: string])[] = [
  ["bytes", "svc_cache_bytes", "What a cache takes of the budget."],
  ["entries", "svc_cache_entries", "Values in a cache."],
  ["hits", "svc_cache_hits_total", "Values that a cache had."],
  ["misses", "svc_cache_misses_total", "Values that a cache did not have."],
  ["evictions", "svc_cache_evictions_total", "Values that a cache gave up for others."],
];

function samplesOf(figure: Figure) {
  const figures: readonly Partial<CacheFigures>[] = [...processBudget.figures(), ...processBudget.weakFigures()];
  return figures.flatMap(({ name = "", [figure]: value }) =>
    value === undefined ? [] : { labels: { cache: name }, value },
  );
}

export function addCacheMetrics(registry: Registry): void {
  addMetric(registry, "svc_cache_budget_bytes", "What all caches may take together.", () => [
    { value: processBudget.bytes },
  ]);
  for (const [figure, name, help] of METRICS) addMetric(registry, name, help, () => samplesOf(figure), ["cache"]);
}
