import { defined } from "@svc/document/defined";

/** The number of consecutive turns left to other work: one write needs that many. */
const MAX_SKIPPED_TURNS = 2;

/**
 * Runs work of any amount without delaying the rest of the process: in each turn of the event loop it runs as much as
 * fits in its time, at least one piece, and the rest waits for the next turn in order of arrival. While `othersFirst`
 * is true it skips turns, but only a few in a row, and adds their time to the next one.
 */
export class Lane {
  readonly #milliseconds: number;
  readonly #othersFirst: () => boolean;
  readonly #waiting: (() => void)[] = [];
  /** The time until which pieces may begin in this turn; undefined while there is nothing to do. */
  #until: number | undefined;
  #left = 0;

  constructor(milliseconds: number, othersFirst: () => boolean = () => false) {
    this.#milliseconds = milliseconds;
    this.#othersFirst = othersFirst;
  }

  /** Returns undefined if the work may start at once. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && (this.#until === undefined ? this.#begin() : this.#hasTime())) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends a piece of work: the next may follow it in the same turn. */
  leave(): void {
    if (this.#waiting.length > 0 && this.#hasTime()) defined(this.#waiting.shift())();
  }

  /** Interrupts unfinished work. Returns undefined if no other work waits and the next piece may follow at once. */
  giveWay(): Promise<void> | undefined {
    const turn = this.enter();
    this.leave();
    return turn;
  }

  #hasTime(): boolean {
    return this.#until !== undefined && performance.now() < this.#until && !this.#othersFirst();
  }

  /** Begins a turn. Returns whether the first piece may run in it. */
  #begin(): boolean {
    const left = this.#left;
    const isLeft = left < MAX_SKIPPED_TURNS && this.#othersFirst();
    this.#left = isLeft ? left + 1 : 0;
    this.#until = isLeft ? 0 : performance.now() + this.#milliseconds * (1 + left);
    setImmediate(() => {
      this.#until = undefined;
      if (this.#waiting.length > 0 && this.#begin()) defined(this.#waiting.shift())();
    });
    return !isLeft;
  }
}
