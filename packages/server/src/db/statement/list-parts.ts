/** Items per statement. */
const MOST = 256;
/** Up to this many rows are one statement of just that size. */
const EXACT = 64;

/**
 * A list in parts for one statement each. A part is filled up to a power of two by repeating its last item, so that few
 * different statements are made.
 */
export function filledParts(items: readonly unknown[]): (readonly unknown[])[] {
  const parts: (readonly unknown[])[] = [];
  for (let i = 0; i < items.length; i += MOST) {
    const part = i === 0 && items.length <= MOST ? items : items.slice(i, i + MOST);
    const missing = 2 ** Math.ceil(Math.log2(part.length)) - part.length;
    parts.push(missing === 0 ? part : [...part, ...new Array<unknown>(missing).fill(part.at(-1))]);
  }
  return parts;
}

/** Rows in parts for one statement each, none of them repeated: few are one part, many are parts of a power of two. */
export function exactParts(rows: readonly unknown[]): (readonly unknown[])[] {
  if (rows.length > 0 && rows.length <= EXACT) return [rows];
  const parts: (readonly unknown[])[] = [];
  for (let i = 0; i < rows.length; ) {
    const left = rows.length - i;
    const size = left <= EXACT ? left : Math.min(MOST, 2 ** Math.floor(Math.log2(left)));
    parts.push(rows.slice(i, i + size));
    i += size;
  }
  return parts;
}
