/** First and last byte to send, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The single range that a header requests; undefined to send the whole file (no header, several ranges, another unit,
 * or invalid); `outside` if the file has no byte in it.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "outside" | undefined {
  // No two parts can match the same characters, so that even the longest header is matched in linear time.
  const match = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i.exec(header ?? "");
  const [, first, last] = match ?? [];
  if (first === undefined) return last === undefined ? undefined : suffix(Number(last), size);
  if (last !== undefined && BigInt(last) < BigInt(first)) return undefined;
  const start = Number(first);
  return start >= size ? "outside" : { start, end: Math.min(Number(last ?? Infinity), size - 1) };
}

const suffix = (length: number, size: number): ByteRange | "outside" =>
  length === 0 || size === 0 ? "outside" : { start: Math.max(0, size - length), end: size - 1 };
