import { defined } from "@svc/document/defined";

/** How many turns in a row are left to others: as many as one write takes. */
const MOST_LEFT = 2;

/**
 * Work that comes in any amount and must not hold up what else the process does: in each turn of the event loop as much
 * of it runs as fits in some time, at least one piece, and the rest waits for the next turn in the order in which it came.
 * While `othersFirst` turns are left to them, but only a few in a row, and the time of those is added to the next one.
 */
export class Lane {
  readonly #milliseconds: number;
  readonly #othersFirst: () => boolean;
  readonly #waiting: (() => void)[] = [];
  /** Until when pieces may begin in this turn; undefined while there is nothing to do. */
  #until: number | undefined;
  #left = 0;

  constructor(milliseconds: number, othersFirst: () => boolean = () => false) {
    this.#milliseconds = milliseconds;
    this.#othersFirst = othersFirst;
  }

  /** Undefined when the work may go on at once. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && (this.#until === undefined ? this.#begin() : this.#hasTime())) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Tells that a piece is done: the next may follow it in the same turn. */
  leave(): void {
    if (this.#waiting.length > 0 && this.#hasTime()) defined(this.#waiting.shift())();
  }

  /** Ends a piece of work that is not done yet: undefined when nobody else waits and the next piece may follow at once. */
  giveWay(): Promise<void> | undefined {
    const turn = this.enter();
    this.leave();
    return turn;
  }

  #hasTime(): boolean {
    return this.#until !== undefined && performance.now() < this.#until && !this.#othersFirst();
  }

  /** Begins a turn: whether the first piece may run in it. */
  #begin(): boolean {
    const left = this.#left;
    const isLeft = left < MOST_LEFT && this.#othersFirst();
    this.#left = isLeft ? left + 1 : 0;
    this.#until = isLeft ? 0 : performance.now() + this.#milliseconds * (1 + left);
    setImmediate(() => {
      this.#until = undefined;
      if (this.#waiting.length > 0 && this.#begin()) defined(this.#waiting.shift())();
    });
    return !isLeft;
  }
}
