// Character classes of the scanner. The table depends on the Unicode data of the runtime only for code points
// that were unassigned before; assigned characters never change class, so an index survives a runtime upgrade.

export const separator = 0;
/** ASCII a to z: needs no folding. */
export const asciiLower = 1;
export const asciiUpper = 2;
export const asciiDigit = 3;
/** Letters and digits beyond ASCII: lower case, upper case, and those without case. */
export const wordLower = 4;
export const wordUpper = 5;
export const wordCaseless = 6;
/** Belongs to the character before it; never begins a word. */
export const mark = 7;
/** Invisible inside a word (joiners, soft hyphen, variation selectors, direction marks): dropped by folding. */
export const ignorable = 8;
/** Han, kana, Hangul, Bopomofo, Yi whose folded form is the character itself. */
export const ideographPlain = 9;
/** The same scripts in compatibility forms: half width, conjoining letters, radicals. */
export const ideographFolded = 10;
/** Scripts written without spaces and with combining vowels: Thai, Lao, Khmer, Myanmar, Tai. */
export const unspaced = 11;
/** Halves of an astral character; `classAt` looks at the pair. */
export const surrogate = 12;

const letterOrNumber = /[\p{L}\p{N}]/u;
const upperCase = /[\p{Lu}\p{Lt}]/u;
const lowerCase = /\p{Ll}/u;
const combining = /[\p{Mn}\p{Mc}]/u;
const invisible = /[\p{Me}\p{Cf}\p{Variation_Selector}]/u;
const ideograph =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}\u30FC\uFF70\u3005-\u3007]/u;
const withoutSpaces =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}]/u;

/** Marks word borders in scripts without spaces, though Unicode counts it among the format characters. */
const zeroWidthSpace = 0x200b;

/** Vowels of conjoining Hangul, half-width voicing marks, and the Thai and Lao AM vowels end the cluster before them. */
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
  if (extendsCluster(code)) return mark;
  if (code === zeroWidthSpace) return separator;
  if (invisible.test(character)) return ignorable;
  if (combining.test(character)) return mark;
  if (!letterOrNumber.test(character)) return separator;
  if (ideograph.test(character)) return character.normalize("NFKC") === character ? ideographPlain : ideographFolded;
  if (withoutSpaces.test(character) && !/\p{N}/u.test(character)) return unspaced;
  if (upperCase.test(character)) return wordUpper;
  return lowerCase.test(character) ? wordLower : wordCaseless;
}

function classifyAscii(code: number): number {
  if (code >= 97 && code <= 122) return asciiLower;
  if (code >= 65 && code <= 90) return asciiUpper;
  return code >= 48 && code <= 57 ? asciiDigit : separator;
}

/** Whole scripts whose members need no look: keeps the table cheap to build. */
const uniformRanges: readonly (readonly [number, number, number])[] = [
  [0x3400, 0x4dbf, ideographPlain],
  [0x4e00, 0x9fff, ideographPlain],
  [0xac00, 0xd7a3, ideographPlain],
  [0xd800, 0xdfff, surrogate],
  [0xe000, 0xf8ff, separator],
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

/** Class of the character that begins at `at`; a lone surrogate separates. */
export function classAt(text: string, at: number): number {
  const kind = unitClass[text.charCodeAt(at)]!;
  if (kind !== surrogate) return kind;
  const code = text.codePointAt(at)!;
  return code > 0xffff ? classify(String.fromCodePoint(code), code) : separator;
}

/** UTF-16 units of the character at `at`. */
export function widthAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

export const isWordClass = (kind: number): boolean => kind >= asciiLower && kind <= wordCaseless;
/** Scripts that are indexed as overlapping pairs. */
export const isPaired = (kind: number): boolean => kind >= ideographPlain && kind <= unspaced;
/** Extends a word or cluster without beginning one. */
export const isExtension = (kind: number): boolean => kind === mark || kind === ignorable;

/** End of the base character at `at` with all marks after it. */
export function clusterEnd(text: string, at: number): number {
  let end = at + widthAt(text, at);
  while (end < text.length && isExtension(classAt(text, end))) end += widthAt(text, end);
  return end;
}
