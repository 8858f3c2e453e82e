import type { Registry } from "prom-client";
import type { LiveDocuments } from "../services/live-documents.ts";
import { addMetric } from "./add-metric.ts";

export function addLiveMetrics(registry: Registry, live: LiveDocuments): void {
  const add = (name: string, help: string, read: () => number | Promise<number>) =>
    addMetric(registry, name, help, async () => [{ value: await read() }]);
  add("svc_live_sockets", "Editors that are connected.", () => live.sockets);
  add("svc_live_documents", "Documents that connected editors have open.", () => live.documents);
  add("svc_live_states", "Live states in memory.", () => live.loaded.size);
  add("svc_live_updates_total", "Updates of editors that were stored.", () => live.figures.updates);
  add("svc_live_folds_total", "Times that body and live state were brought together.", () => live.figures.folds);
  add("svc_live_folds_failed_total", "Those that failed or that the body refused.", () => live.figures.failedFolds);
  add("svc_live_fold_seconds_total", "Time that they took.", () => live.figures.foldSeconds);
  add("svc_live_unsaved_seconds", "Age of the oldest edit that is not in its body.", () => live.oldestUnfolded());
}
