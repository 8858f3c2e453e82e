/** How many numbers are remembered: those of the hits of a few hundred queries. */
const ROOM = 8192;

/**
 * Tells whether a number was seen before, not long ago: the last one of each place is remembered. It sometimes has
 * forgotten one, and never tells one that it has not seen.
 */
export class SeenLately {
  readonly #numbers = new Uint32Array(ROOM);
  readonly bytes = 4 * ROOM;

  /** From the second time on. Numbers are of 32 bits, and above zero. */
  again(number: number): boolean {
    const place = number % ROOM;
    if (this.#numbers[place] === number) return true;
    this.#numbers[place] = number;
    return false;
  }
}

/** A number for a text: equal texts have equal ones, and hardly any others do. */
export function numberOf(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193);
  return (number >>> 1) + 1;
}
