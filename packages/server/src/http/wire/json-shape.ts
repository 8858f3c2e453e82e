/** Bodies up to this many bytes are parsed as they are: whatever is in them costs little. */
export const UNCHECKED_BYTES = 65_536;

const MAX_DEPTH = 50_000;
/** Bytes that an object or list, and that a member of an object, must be worth on average. No real body comes near. */
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
 * What makes a JSON text dear to parse for its length: depth, or very many small values. Undefined when nothing does. It
 * only counts, so it need not know whether the text is right; texts in quotes are passed over at the speed of memory.
 */
export function costlyShape(bytes: Buffer): string | undefined {
  const mostContainers = UNCHECKED_BYTES + bytes.length / BYTES_PER_CONTAINER;
  const mostMembers = UNCHECKED_BYTES + bytes.length / BYTES_PER_MEMBER;
  let depth = 0;
  let containers = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return `nests deeper than ${MAX_DEPTH} levels`;
        if (++containers > mostContainers) return "has too many objects and lists for its length";
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COLON:
        if (++members > mostMembers) return "has too many members for its length";
        break;
    }
  }
  return undefined;
}

/** Where the quote stands that ends a text; the end of the bytes where none does. */
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
