import { randomFillSync } from "node:crypto";
import { defined } from "@svc/document/defined";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Ten bits as two characters. */
const PAIRS = Array.from({ length: 1024 }, (_, n) => defined(ALPHABET[n >> 5]) + defined(ALPHABET[n & 31]));

/** A time in milliseconds as ten characters. */
export function timeText(time: number): string {
  const high = Math.floor(time / 2 ** 20);
  const low = time % 2 ** 20;
  return (
    defined(PAIRS[(high >> 20) & 1023]) +
    defined(PAIRS[(high >> 10) & 1023]) +
    defined(PAIRS[high & 1023]) +
    defined(PAIRS[low >> 10]) +
    defined(PAIRS[low & 1023])
  );
}

/**
 * Makes ULIDs that rise within a process, even if the clock is set back: within a millisecond, and until the clock has
 * caught up, each is the previous one plus one. Implemented here because every request and every new block takes one:
 * most of the text is reused, and only its end is written again.
 */
export function ulidFactory(now: () => number, fill: (numbers: Uint16Array) => void): () => string {
  /** 80 random bits, ten in each number. */
  const random = new Uint16Array(8);
  let time = -1;
  let head = "";

  const writeHead = () => {
    head = timeText(time);
    for (let i = 0; i < 6; i++) head += defined(PAIRS[defined(random[i])]);
  };
  const begin = (at: number) => {
    time = at;
    fill(random);
    for (let i = 0; i < 8; i++) random[i]! &= 1023;
    writeHead();
  };
  const increment = () => {
    for (let i = 7; i >= 0; i--) {
      if (defined(random[i]) < 1023) {
        random[i]!++;
        if (i < 6) writeHead();
        return;
      }
      random[i] = 0;
    }
    begin(time + 1);
  };
  return () => {
    const at = now();
    if (at > time) begin(at);
    else increment();
    return head + defined(PAIRS[defined(random[6])]) + defined(PAIRS[defined(random[7])]);
  };
}

/** Random numbers are requested by the thousand, because a call costs more than the numbers. */
const pool = new Uint16Array(4096);
let used = pool.length;

function fillFromPool(numbers: Uint16Array): void {
  if (used + numbers.length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  numbers.set(pool.subarray(used, used + numbers.length));
  used += numbers.length;
}

export const ulid = ulidFactory(Date.now, fillFromPool);
