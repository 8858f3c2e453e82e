import type { LiveHub } from "../resources/live/hub.ts";

/** The figures of live editing in Prometheus' text form; every sample has the labels given. */
export async function liveMetrics(live: LiveHub, labels: string): Promise<string> {
  const { updates, folds, failedFolds, foldSeconds } = live.figures;
  const metrics: readonly (readonly [name: string, type: "gauge" | "counter", help: string, value: number])[] = [
    ["svc_live_sockets", "gauge", "Editors that are connected.", live.sockets],
    ["svc_live_documents", "gauge", "Documents that connected editors have open.", live.documents],
    ["svc_live_states", "gauge", "Live states in memory.", live.loaded.size],
    ["svc_live_updates_total", "counter", "Updates of editors that were stored.", updates],
    ["svc_live_folds_total", "counter", "Times that body and live state were brought together.", folds],
    ["svc_live_folds_failed_total", "counter", "Those that failed or that the body refused.", failedFolds],
    ["svc_live_fold_seconds_total", "counter", "Time that they took.", foldSeconds],
    [
      "svc_live_unsaved_seconds",
      "gauge",
      "Age of the oldest edit that is not in its body.",
      await live.oldestUnfolded(),
    ],
  ];
  const own = labels === "" ? "" : `{${labels.replace(/,$/, "")}}`;
  return metrics
    .flatMap(([name, type, help, value]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      `${name}${own} ${value}`,
    ])
    .concat("")
    .join("\n");
}
