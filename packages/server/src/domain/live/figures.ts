import type { LiveCounters } from "../../services/live-documents.ts";

/** Metrics of live editing in this process, for the operator. */
export class LiveFigures implements LiveCounters {
  updates = 0;
  folds = 0;
  failedFolds = 0;
  foldSeconds = 0;

  /** Counts a fold and its duration. */
  async timeFold<T>(fold: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await fold();
    } catch (error) {
      this.failedFolds++;
      throw error;
    } finally {
      this.folds++;
      this.foldSeconds += (performance.now() - start) / 1000;
    }
  }
}
