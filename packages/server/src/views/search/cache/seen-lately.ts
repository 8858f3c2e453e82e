/** The size of the table: it remembers the hits of a few hundred queries. */
const ROOM = 8192;

/**
 * Recognises a number that was seen recently: each slot of the table remembers the last one. It may forget a number,
 * but never recognises one that it has not seen.
 */
export class SeenLately {
  readonly #numbers = new Uint32Array(ROOM);
  readonly bytes = 4 * ROOM;

  /** Returns true from the second time on. Numbers have 32 bits and are above zero. */
  again(number: number): boolean {
    const slot = number % ROOM;
    if (this.#numbers[slot] === number) return true;
    this.#numbers[slot] = number;
    return false;
  }
}

/** Hashes a text: equal texts have equal numbers, and hardly any others do. */
export function numberOf(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193);
  return (number >>> 1) + 1;
}
