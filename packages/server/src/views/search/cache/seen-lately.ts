/** How many numbers are remembered: those of the hits of a few hundred queries. A power of two. */
const ROOM = 8192;

/**
 * Tells whether a number was seen before, not long ago: the last one of each place is remembered. It sometimes has
 * forgotten one, and never tells one that it has not seen.
 */
export class SeenLately {
  readonly #numbers = new Uint32Array(ROOM);
  readonly bytes = 4 * ROOM;

  /** From the second time on. Numbers are above zero. */
  again(number: number): boolean {
    const place = number % ROOM;
    if (this.#numbers[place] === number) return true;
    this.#numbers[place] = number;
    return false;
  }
}
