/** Groups rows by owner, for rows and owners that come in the same order. */
export class RowsByOwner<T> {
  readonly #rows: AsyncIterator<T>;
  readonly #ownerOf: (row: T) => string;
  #next: IteratorResult<T> | undefined;

  constructor(rows: AsyncIterable<T>, ownerOf: (row: T) => string) {
    this.#rows = rows[Symbol.asyncIterator]();
    this.#ownerOf = ownerOf;
  }

  async *of(owner: string): AsyncGenerator<T> {
    this.#next ??= await this.#rows.next();
    while (!this.#next.done && this.#ownerOf(this.#next.value) === owner) {
      yield this.#next.value;
      this.#next = await this.#rows.next();
    }
  }
}
