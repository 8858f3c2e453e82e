import { isApiError } from "./errors.ts";

export interface ConflictOptions {
  /** Max attempts while others keep changing the same object. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 10;

/** Whether somebody else changed the object between our read and our write. */
export const isConflict = (error: unknown): boolean =>
  isApiError(error) && (error.code === "version_conflict" || error.status === 412);

/** Runs work that reads a version and writes with it, again from its reading whenever the version has moved on. */
export async function retryConflicts<T>(work: () => Promise<T>, options: ConflictOptions = {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt >= (options.attempts ?? ATTEMPTS)) throw error;
    }
  }
}
