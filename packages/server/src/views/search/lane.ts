/**
 * Lets one piece of work run in each turn of the event loop, and the others wait for theirs in the order in which they
 * came. So however many come at once, whatever else the process does gets its turn after each.
 */
export class Lane {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Undefined when nobody was here in this turn: the work may go on at once. */
  enter(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#take();
    return undefined;
  }

  #take(): void {
    this.#isTaken = true;
    setImmediate(() => {
      this.#isTaken = false;
      const next = this.#waiting.shift();
      if (!next) return;
      this.#take();
      next();
    });
  }
}
