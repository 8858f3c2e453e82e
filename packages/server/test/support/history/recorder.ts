import type { Operation } from "./document-model.ts";
import type { KeyedAnswer } from "./exactly-once.ts";

/** A document that was asked for under a key. */
interface Creation {
  readonly title: string;
  /** Its id, or undefined when no answer came. */
  readonly id: string | undefined;
}

/** Records the observations of all clients of a run. */
export class Recorder {
  readonly operations = new Map<string, Operation[]>();
  readonly keyed: KeyedAnswer[] = [];
  readonly creations: Creation[] = [];

  add(documentId: string, operation: Operation): void {
    const list = this.operations.get(documentId) ?? [];
    list.push(operation);
    this.operations.set(documentId, list);
  }
}

/** The moment, rising also between two calls within the clock's resolution. */
export const now = (() => {
  let last = 0;
  return (): number => {
    last = Math.max(performance.now(), last + 1e-6);
    return last;
  };
})();
