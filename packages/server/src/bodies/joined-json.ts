const HEAD = '{"type":"doc","content":[';
const TAIL = "]}";

/** The whole document as JSON, from the arrays of its segments. */
export const joinJson = (arrays: readonly string[]): string =>
  HEAD + arrays.map((json) => json.slice(1, -1)).join(",") + TAIL;

const HEAD_BYTES = Buffer.from(HEAD);
const COMMA = Buffer.from(",");
const TAIL_BYTES = Buffer.from(TAIL);

/** The same for arrays in UTF-8. */
export function joinJsonBytes(arrays: readonly Uint8Array[]): Buffer {
  const pieces: Uint8Array[] = [];
  for (const array of arrays) pieces.push(pieces.length === 0 ? HEAD_BYTES : COMMA, array.subarray(1, -1));
  return Buffer.concat(pieces.length === 0 ? [HEAD_BYTES, TAIL_BYTES] : [...pieces, TAIL_BYTES]);
}
