/**
 * Work that comes in any amount and must not hold up what else the process does: in each turn of the event loop as much
 * of it runs as fits in some time, at least one piece, and the rest waits for the next turn in the order in which it came.
 */
export class Lane {
  readonly #milliseconds: number;
  readonly #waiting: (() => void)[] = [];
  /** When its first piece of this turn began. */
  #since: number | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Undefined when the work may go on at once. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasTime()) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Tells that a piece is done: the next may follow it in the same turn. */
  leave(): void {
    if (this.#waiting.length > 0 && this.#hasTime()) this.#waiting.shift()!();
  }

  #hasTime(): boolean {
    if (this.#since !== undefined) return performance.now() - this.#since < this.#milliseconds;
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#since = performance.now();
    setImmediate(() => {
      this.#since = undefined;
      if (this.#waiting.length === 0) return;
      this.#begin();
      this.#waiting.shift()!();
    });
  }
}
