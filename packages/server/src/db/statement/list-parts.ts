/** Items per statement. */
const MAX_ROWS = 256;
/** Up to this many rows form one statement of exactly their number. */
const EXACT = 64;

/**
 * Splits a list into parts, one for each statement. Repeats the last item of a part up to a power of two, so that few
 * different statements are prepared.
 */
export function filledParts(items: readonly unknown[]): (readonly unknown[])[] {
  const parts: (readonly unknown[])[] = [];
  for (let i = 0; i < items.length; i += MAX_ROWS) {
    const part = i === 0 && items.length <= MAX_ROWS ? items : items.slice(i, i + MAX_ROWS);
    const missing = 2 ** Math.ceil(Math.log2(part.length)) - part.length;
    parts.push(missing === 0 ? part : [...part, ...new Array<unknown>(missing).fill(part.at(-1))]);
  }
  return parts;
}

/**
 * Splits rows into parts, one for each statement, without repeating any: few rows form one part, many form parts of
 * powers of two.
 */
export function exactParts(rows: readonly unknown[]): (readonly unknown[])[] {
  if (rows.length > 0 && rows.length <= EXACT) return [rows];
  const parts: (readonly unknown[])[] = [];
  for (let i = 0; i < rows.length; ) {
    const left = rows.length - i;
    const size = left <= EXACT ? left : Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)));
    parts.push(rows.slice(i, i + size));
    i += size;
  }
  return parts;
}
