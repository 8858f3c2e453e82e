import { randomInt } from "node:crypto";
import { defined } from "@svc/document/defined";

/** Bodies up to this many bytes are parsed without a check: they are always cheap. */
export const UNCHECKED_BYTES = 65_536;

const MAX_DEPTH = 50_000;
/**
 * The number of different sequences of field names at the beginning of a request's objects: each takes the parser
 * microseconds.
 */
export const MAX_FIELD_SEQUENCES = 20_000;
/** The minimum average of bytes per object or list, and per member of an object. No real body comes near. */
const BYTES_PER_CONTAINER = 10;
const BYTES_PER_MEMBER = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns the reason why a JSON text costs more to parse than its length suggests: depth, very many small values, or
 * very many different fields. Undefined if there is none. The text need not be valid JSON. `maxFieldSequences` is
 * omitted for a text whose keys are data, such as file names.
 */
export function costlyShape(bytes: Buffer, maxFieldSequences = Number.POSITIVE_INFINITY): string | undefined {
  const maxContainers = UNCHECKED_BYTES + bytes.length / BYTES_PER_CONTAINER;
  const maxMembers = UNCHECKED_BYTES + bytes.length / BYTES_PER_MEMBER;
  const fields = maxFieldSequences === Number.POSITIVE_INFINITY ? undefined : new FieldSequences(maxFieldSequences);
  let depth = 0;
  let containers = 0;
  let members = 0;
  let textStart = 0;
  let textEnd = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        textStart = at + 1;
        at = endOfText(bytes, at);
        textEnd = at;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return `nests deeper than ${MAX_DEPTH} levels`;
        if (++containers > maxContainers) return "has too many objects and lists for its length";
        fields?.open();
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        fields?.close();
        break;
      case COLON:
        if (++members > maxMembers) return "has too many members for its length";
        if (fields && !fields.add(bytes, textStart, textEnd)) return "has too many different fields";
        break;
    }
  }
  return undefined;
}

/** Unknown to senders, so that nobody can choose field names with equal hashes. */
const SEED = randomInt(2 ** 32);
const MULTIPLIER = randomInt(2 ** 31) * 2 + 1;

/** Counts the different sequences of field names that objects begin with. For each, the parser makes a new shape. */
class FieldSequences {
  readonly #max: number;
  readonly #found = new Set<number>();
  /** The hash of the fields read so far of each open object. */
  readonly #open: number[] = [SEED];

  constructor(max: number) {
    this.#max = max;
  }

  open(): void {
    this.#open.push(SEED);
  }

  close(): void {
    if (this.#open.length > 1) this.#open.pop();
  }

  /** Adds a field to the innermost object; returns false if there are too many sequences. */
  add(bytes: Buffer, start: number, end: number): boolean {
    let hash = defined(this.#open.pop());
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ defined(bytes[at]), MULTIPLIER);
    hash = Math.imul(hash ^ QUOTE ^ (hash >>> 15), MULTIPLIER);
    this.#open.push(hash);
    this.#found.add(hash);
    return this.#found.size <= this.#max;
  }
}

/** Returns the position of the quote that ends a string, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end < 0) return bytes.length;
  } while (isEscaped(bytes, start, end));
  return end;
}

function isEscaped(bytes: Buffer, start: number, quote: number): boolean {
  let first = quote;
  while (first - 1 > start && bytes[first - 1] === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
