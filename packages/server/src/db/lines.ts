const nothing = () => undefined;

/** Work that would only wait for what is before it: that of one line runs one after the other, in order. */
export class Lines {
  readonly #ends = new Map<string, Promise<void>>();

  async run<T>(line: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#ends.get(line) ?? Promise.resolve()).then(work);
    const end = result.then(nothing, nothing);
    this.#ends.set(line, end);
    try {
      return await result;
    } finally {
      if (this.#ends.get(line) === end) this.#ends.delete(line);
    }
  }

  /** How many lines there are. */
  get size(): number {
    return this.#ends.size;
  }
}
