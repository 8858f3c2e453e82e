import { unitClass, WORD_CASELESS } from "./characters.ts";

/** Longest term in UTF-16 units; a longer word is indexed by its beginning. */
export const MAX_TERM_LENGTH = 64;
/** Units of a word that folding reads: decomposed text may need several per letter of the term. */
const MAX_RAW_LENGTH = 256;

/** Letters with a built-in stroke or ligature, which have no canonical decomposition. */
const strokes: ReadonlyMap<string, string> = new Map([
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ł", "l"],
  ["ø", "o"],
  ["ŧ", "t"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ς", "σ"],
]);
const stroke = /[đðħłøŧæœς]/g;

// Accents are the common combining marks, Arabic vowel signs and Hebrew points. Marks of other scripts (Indic vowels,
// Thai tones, kana voicing) are part of the letter. Cyrillic й, ї and ў are separate letters; ё is an accented е.
const accent = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/g;
const arabicSign = /[\u0610-\u061A\u0640\u064B-\u0652\u0670\u06D6-\u06DC]|(?<=\u0627)[\u0653-\u0655]/g;
/** Keycap emoji are not numbers. */
const invisible = /[0-9]\uFE0F?\u20E3|[\p{Me}\p{Cf}\p{Variation_Selector}]/gu;
/** Non-word characters that NFKC can produce from a letter or number: the slash of ½, spaces, brackets. */
const residue = /[^\p{L}\p{N}\p{M}]/gu;

function dropAccent(found: string, at: number, whole: string): string {
  const before = whole[at - 1];
  const isLetter = (found === "\u0306" && (before === "и" || before === "у")) || (found === "\u0308" && before === "і");
  return isLetter ? found : "";
}

/** First `length` units of `text` without splitting a surrogate pair. */
function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const cutsPair = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800;
  return text.slice(0, cutsPair ? length - 1 : length);
}

function foldFully(raw: string): string {
  const cased = raw.normalize("NFKC").replace(invisible, "").toUpperCase().toLowerCase();
  const bare = cased.normalize("NFD").replace(accent, dropAccent).replace(arabicSign, "");
  const plain = bare.replace(stroke, (letter) => strokes.get(letter)!).replace(residue, "");
  return clip(plain.normalize("NFC"), MAX_TERM_LENGTH);
}

/**
 * Latin, Greek and Cyrillic letters and digits, without marks: each is folded separately, whatever is beside it. By
 * unit; undefined until it is needed, null for any other character.
 */
const TABLED = 0x530;
const foldedUnits: (string | null | undefined)[] = new Array(TABLED).fill(undefined);

function foldUnit(unit: number): string | null {
  const character = String.fromCharCode(unit);
  const folded = unitClass[unit]! <= WORD_CASELESS ? foldFully(character) : null;
  foldedUnits[unit] = folded;
  return folded;
}

/** Folds the word letter by letter; undefined if it contains characters outside the table. */
function foldLetters(word: string): string | undefined {
  let folded = "";
  let copied = 0;
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (isPlain(unit)) continue;
    const letter = unit < TABLED ? (foldedUnits[unit] ?? foldUnit(unit)) : null;
    if (letter === null) return undefined;
    folded += word.slice(copied, i) + letter;
    copied = i + 1;
  }
  return copied === 0 ? word : folded + word.slice(copied);
}

const isPlain = (unit: number): boolean => unit >= 97 && unit <= 122;

// Folding costs a microsecond and texts repeat their words. Emptied when full.
const cache = new Map<string, string>();
const CACHE_LIMIT = 20_000;
const CACHED_LENGTH = 24;

/** The engine keeps the whole text in memory for a slice of it, so this copies the word. */
const own = (word: string): string => ` ${word}`.slice(1);

/** The indexed form of one word: width, case and accents removed. */
export function fold(word: string): string {
  if (word.length > CACHED_LENGTH) return foldFully(clip(word, MAX_RAW_LENGTH));
  const letters = foldLetters(word);
  if (letters !== undefined) return letters;
  const known = cache.get(word);
  if (known !== undefined) return known;
  const folded = own(foldFully(word));
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(own(word), folded);
  return folded;
}

/** `fold` for a word of ASCII letters and digits. */
export const foldAscii = (word: string): string => clipAscii(word).toLowerCase();

/** `fold` for a lower-case word of ASCII letters and digits. */
export const clipAscii = (word: string): string =>
  word.length > MAX_TERM_LENGTH ? word.slice(0, MAX_TERM_LENGTH) : word;
