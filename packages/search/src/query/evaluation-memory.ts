import type { Cache, MakeCache } from "./cache.ts";
import type { Evaluation } from "./evaluate.ts";

/** Bytes of what surrounds the columns of matches. */
const overhead = 512;

function bytesOf({ matches }: Evaluation): number {
  let bytes = overhead;
  for (const { size, frequencies } of matches) bytes += overhead + size * 4 * (2 + frequencies.length);
  return bytes;
}

/**
 * What queries matched lately, so that the pages of a walk do not each count all hits again. Used only while the index
 * has the stamp that it was found with, and so is the same.
 */
export class EvaluationMemory {
  private readonly known: Cache<{ readonly stamp: number; readonly evaluation: Evaluation }>;

  constructor(makeCache: MakeCache, maxBytes: number) {
    this.known = makeCache(maxBytes);
  }

  get(workspaceId: string, name: string, stamp: number): Evaluation | undefined {
    const known = this.known.get(workspaceId + name);
    return known?.stamp === stamp ? known.evaluation : undefined;
  }

  set(workspaceId: string, name: string, stamp: number, evaluation: Evaluation): void {
    this.known.set(workspaceId + name, { stamp, evaluation }, bytesOf(evaluation));
  }
}
