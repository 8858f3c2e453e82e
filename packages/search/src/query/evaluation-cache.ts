import type { Cache, CacheMaker } from "./cache.ts";
import type { Evaluation } from "./evaluation.ts";

/** Estimated bytes around the columns of matches. */
const OVERHEAD_BYTES = 512;

function bytesOf({ matches, lists }: Evaluation): number {
  let bytes = OVERHEAD_BYTES;
  // The lists may have left their own cache.
  for (const segment of lists?.segments ?? []) for (const { size } of segment.lists) bytes += size * 12;
  for (const { size, frequencies } of matches) bytes += OVERHEAD_BYTES + size * 4 * (2 + frequencies.length);
  return bytes;
}

/**
 * Recent matches of queries, so that the pages of a walk do not each count all hits again. Only used while the index
 * has the same stamp, and so the same content.
 */
export class EvaluationCache {
  readonly #evaluations: Cache<{ readonly stamp: number; readonly evaluation: Evaluation }>;

  constructor(make: CacheMaker) {
    this.#evaluations = make.cache("search_evaluations", 1 / 16);
  }

  get(workspaceId: string, name: string, stamp: number): Evaluation | undefined {
    const cached = this.#evaluations.get(workspaceId + name);
    return cached?.stamp === stamp ? cached.evaluation : undefined;
  }

  put(workspaceId: string, name: string, stamp: number, evaluation: Evaluation): void {
    this.#evaluations.put(workspaceId + name, { stamp, evaluation }, bytesOf(evaluation));
  }
}
