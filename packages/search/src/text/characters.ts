// Character classes of the scanner. The table depends on the Unicode data of the runtime only for code points that were
// unassigned before; assigned characters never change class, so an index survives a runtime upgrade.

export const SEPARATOR = 0;
/** ASCII a to z: needs no folding. */
export const ASCII_LOWER = 1;
export const ASCII_UPPER = 2;
export const ASCII_DIGIT = 3;
/** Letters and digits beyond ASCII: lower case, upper case, and those without case. */
export const WORD_LOWER = 4;
export const WORD_UPPER = 5;
export const WORD_CASELESS = 6;
/** Belongs to the character before it; never begins a word. */
const MARK = 7;
/** Invisible inside a word (joiners, soft hyphen, variation selectors, direction marks): folding removes it. */
export const IGNORABLE = 8;
/** Han, kana, Hangul, Bopomofo, Yi whose folded form is the character itself. */
export const IDEOGRAPH_PLAIN = 9;
/** The same scripts in compatibility forms: half width, conjoining letters, radicals. */
const IDEOGRAPH_FOLDED = 10;
/** Scripts written without spaces and with combining vowels: Thai, Lao, Khmer, Myanmar, Tai. */
const UNSPACED = 11;
/** Halves of an astral character; `classAt` looks at the pair. */
export const SURROGATE = 12;

const letterOrNumber = /[\p{L}\p{N}]/u;
const upperCase = /[\p{Lu}\p{Lt}]/u;
const lowerCase = /\p{Ll}/u;
const combining = /[\p{Mn}\p{Mc}]/u;
const invisible = /[\p{Me}\p{Cf}\p{Variation_Selector}]/u;
const ideograph =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u30FC\uFF70\u3005-\u3007]/u;
const withoutSpaces =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}]/u;

/** Marks word borders in scripts without spaces, although Unicode counts it as a format character. */
const ZERO_WIDTH_SPACE = 0x200b;

/**
 * Vowels of conjoining Hangul, half-width voicing marks, and the Thai and Lao AM vowels end the cluster before them.
 */
function extendsCluster(code: number): boolean {
  return (
    (code >= 0x1160 && code <= 0x11ff) ||
    (code >= 0xd7b0 && code <= 0xd7ff) ||
    code === 0xff9e ||
    code === 0xff9f ||
    code === 0x0e33 ||
    code === 0x0eb3
  );
}

function classify(character: string, code: number): number {
  if (extendsCluster(code)) return MARK;
  if (code === ZERO_WIDTH_SPACE) return SEPARATOR;
  if (invisible.test(character)) return IGNORABLE;
  if (combining.test(character)) return MARK;
  if (!letterOrNumber.test(character)) return SEPARATOR;
  if (ideograph.test(character)) return character.normalize("NFKC") === character ? IDEOGRAPH_PLAIN : IDEOGRAPH_FOLDED;
  if (withoutSpaces.test(character) && !/\p{N}/u.test(character)) return UNSPACED;
  if (upperCase.test(character)) return WORD_UPPER;
  return lowerCase.test(character) ? WORD_LOWER : WORD_CASELESS;
}

function classifyAscii(code: number): number {
  if (code >= 97 && code <= 122) return ASCII_LOWER;
  if (code >= 65 && code <= 90) return ASCII_UPPER;
  return code >= 48 && code <= 57 ? ASCII_DIGIT : SEPARATOR;
}

/** Scripts whose members all have one class, so that the table is cheap to build. */
const uniformRanges: readonly (readonly [number, number, number])[] = [
  [0x3400, 0x4dbf, IDEOGRAPH_PLAIN],
  [0x4e00, 0x9fff, IDEOGRAPH_PLAIN],
  [0xac00, 0xd7a3, IDEOGRAPH_PLAIN],
  [0xd800, 0xdfff, SURROGATE],
  [0xe000, 0xf8ff, SEPARATOR],
];

function buildTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  let range = 0;
  for (let code = 0; code < 0x10000; code++) {
    const uniform = uniformRanges[range];
    if (uniform && code === uniform[0]) {
      table.fill(uniform[2], uniform[0], uniform[1] + 1);
      code = uniform[1];
      range++;
    } else {
      table[code] = code < 128 ? classifyAscii(code) : classify(String.fromCharCode(code), code);
    }
  }
  return table;
}

/** Class by UTF-16 code unit. */
export const unitClass: Uint8Array = buildTable();

/** Class of the character that begins at `at`; a lone surrogate is a separator. */
export function classAt(text: string, at: number): number {
  const kind = unitClass[text.charCodeAt(at)]!;
  if (kind !== SURROGATE) return kind;
  const code = text.codePointAt(at)!;
  return code > 0xffff ? classify(String.fromCodePoint(code), code) : SEPARATOR;
}

/** UTF-16 units of the character at `at`. */
export function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

export const isWordClass = (kind: number): boolean => kind >= ASCII_LOWER && kind <= WORD_CASELESS;
/** Scripts that are indexed as overlapping pairs. */
export const isPaired = (kind: number): boolean => kind >= IDEOGRAPH_PLAIN && kind <= UNSPACED;
/** Extends a word or cluster without beginning one. */
export const isExtension = (kind: number): boolean => kind === MARK || kind === IGNORABLE;

/** End of the base character at `at` with all its marks. */
export function clusterEnd(text: string, at: number): number {
  let end = at + widthAt(text, at);
  while (end < text.length && isExtension(classAt(text, end))) end += widthAt(text, end);
  return end;
}
