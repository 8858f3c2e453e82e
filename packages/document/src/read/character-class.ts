import { defined } from "../defined.ts";
/** Character classes of the token estimate. The letters come last, from `lower` on. */
export const space = 0;
export const lineBreak = 1;
export const digit = 2;
export const punctuation = 3;
/** Punctuation and signs outside ASCII. */
export const symbol = 4;
/** Half of a character beyond the basic plane: emoji, rare ideographs. */
export const surrogate = 5;
export const lower = 6;
export const upper = 7;
/** A Latin letter beyond ASCII. */
export const latin = 8;
export const cyrillic = 9;
export const han = 10;
export const kana = 11;
export const hangul = 12;
/** Greek, Arabic, Indic and the like, which take about two letters to a token. */
export const dense = 13;
/** Scripts that take about one letter to a token. */
export const sparse = 14;

const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return lower;
  if (/[A-Z]/.test(char)) return upper;
  if (/[0-9]/.test(char)) return digit;
  if (/[\r\n]/.test(char)) return lineBreak;
  return /\s/.test(char) ? space : punctuation;
});

/** The last unit of each range and its class, in order. */
const ranges: readonly (readonly [last: number, kind: number])[] = [
  [0xa0, space],
  [0xbf, symbol],
  [0x24f, latin],
  [0x2af, sparse],
  [0x36f, latin],
  [0x3ff, dense],
  [0x52f, cyrillic],
  [0x58f, sparse],
  [0xeff, dense],
  [0x1dff, sparse],
  [0x1eff, latin],
  [0x1fff, sparse],
  [0x200a, space],
  [0x2bff, symbol],
  [0x2fff, sparse],
  [0x3000, space],
  [0x303f, symbol],
  [0x30ff, kana],
  [0x31ef, sparse],
  [0x33ff, symbol],
  [0x4dbf, sparse],
  [0x9fff, han],
  [0xabff, sparse],
  [0xd7af, hangul],
  [0xd7ff, sparse],
  [0xdfff, surrogate],
  [0xf8ff, symbol],
  [0xfaff, han],
  [0xfdff, dense],
  [0xff0f, symbol],
  [0xffff, sparse],
];

const classes = new Uint8Array(0x10000);
let from = 0;
for (const [last, kind] of ranges) {
  classes.fill(kind, from, last + 1);
  from = last + 1;
}
classes.set(ascii);

export const classOf = (unit: number): number => defined(classes[unit]);
