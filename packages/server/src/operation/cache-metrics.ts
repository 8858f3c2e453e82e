import { type CacheFigures, processBudget } from "../cache/budget.ts";

type Figure = Exclude<keyof CacheFigures, "name">;

const METRICS: readonly (readonly [figure: Figure, name: string, type: "gauge" | "counter", help: string])[] = [
  ["bytes", "svc_cache_bytes", "gauge", "What a cache takes of the budget."],
  ["entries", "svc_cache_entries", "gauge", "Values in a cache."],
  ["hits", "svc_cache_hits_total", "counter", "Values that a cache had."],
  ["misses", "svc_cache_misses_total", "counter", "Values that a cache did not have."],
  ["evictions", "svc_cache_evictions_total", "counter", "Values that a cache gave up for others."],
];

/** The caches' figures in Prometheus' text form; every sample begins with the labels given. */
export function cacheMetrics(labels: string): string {
  const figures: readonly Partial<CacheFigures>[] = [...processBudget.figures(), ...processBudget.weakFigures()];
  const lines = METRICS.flatMap(([figure, metric, type, help]) => [
    `# HELP ${metric} ${help}`,
    `# TYPE ${metric} ${type}`,
    ...figures.flatMap(({ name, [figure]: value }) =>
      value === undefined ? [] : `${metric}{${labels}cache="${name}"} ${value}`,
    ),
  ]);
  return [
    "# HELP svc_cache_budget_bytes What all caches may take together.",
    "# TYPE svc_cache_budget_bytes gauge",
    `svc_cache_budget_bytes${labels === "" ? "" : `{${labels.replace(/,$/, "")}}`} ${processBudget.bytes}`,
    ...lines,
    "",
  ].join("\n");
}
