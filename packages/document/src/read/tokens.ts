import { defined } from "../defined.ts";
import {
  classOf,
  cyrillic,
  dense,
  digit,
  han,
  hangul,
  kana,
  latin,
  lineBreak,
  lower,
  punctuation,
  space,
  sparse,
  surrogate,
  symbol,
  upper,
} from "./character-class.ts";

/**
 * An estimate of the tokens of a text for a large language model, without a vocabulary. The text is cut where
 * o200k_base, a vocabulary in wide use, cuts it before it looks words up: words with the one character before them,
 * three digits, runs of signs, runs of white space. Each piece then costs what such pieces cost on average, by script
 * and length. The averages were measured against o200k_base on documentation, program text and messages in some twenty
 * languages; languages that it knows less well are recognised by their letters and cost more. Linear.
 */
export function estimateTokens(text: string): number {
  const tally = newTally();
  for (let at = 0; at < text.length; ) at = readPiece(text, at, tally);
  return Math.ceil(total(tally));
}

interface Tally {
  /** Tokens of pieces that cost the same in every language. */
  fixed: number;
  /** The cost of Latin words if they are English, and if they are not. */
  english: number;
  foreign: number;
  latinWords: number;
  accentedWords: number;
  /** Words with a letter of Latin Extended-A, as Polish, Czech, Turkish or Hungarian have. */
  easternWords: number;
  cyrillicLetters: number;
  cyrillicWords: number;
  /** Letters of Cyrillic that Russian has not. */
  otherCyrillic: number;
  hanLetters: number;
  traditional: number;
  kanaLetters: number;
}

const newTally = (): Tally => ({
  fixed: 0,
  english: 0,
  foreign: 0,
  latinWords: 0,
  accentedWords: 0,
  easternWords: 0,
  cyrillicLetters: 0,
  cyrillicWords: 0,
  otherCyrillic: 0,
  hanLetters: 0,
  traditional: 0,
  kanaLetters: 0,
});

/** Reads one piece from `at` on and answers where the next begins. */
function readPiece(text: string, at: number, tally: Tally): number {
  const kind = classOf(text.charCodeAt(at));
  if (kind >= lower) return readWord(text, at, LEAD_NONE, tally);
  if (kind === digit) return readDigits(text, at, tally);
  const next = at + 1 < text.length ? classOf(text.charCodeAt(at + 1)) : lineBreak;
  if (kind !== lineBreak && kind !== surrogate && next >= lower) {
    if (kind === symbol) tally.fixed += 0.65;
    return readWord(text, at + 1, kind === punctuation ? LEAD_SIGN : LEAD_BLANK, tally);
  }
  if (kind === space && (next === punctuation || next === symbol)) return readSigns(text, at + 1, tally);
  return kind === space || kind === lineBreak ? readSpace(text, at, tally) : readSigns(text, at, tally);
}

/** Up to three digits are one token. */
function readDigits(text: string, at: number, tally: Tally): number {
  let end = at + 1;
  while (end < at + 3 && end < text.length && classOf(text.charCodeAt(end)) === digit) end++;
  tally.fixed++;
  return end;
}

/** White space is one token, but the last blank before a word or sign goes with that. */
function readSpace(text: string, at: number, tally: Tally): number {
  let end = at + 1;
  let afterBreak = classOf(text.charCodeAt(at)) === lineBreak ? end : at;
  for (; end < text.length; end++) {
    const kind = classOf(text.charCodeAt(end));
    if (kind === lineBreak) afterBreak = end + 1;
    else if (kind !== space) break;
  }
  tally.fixed += 1 + (end - at) / 200;
  if (afterBreak > at) return afterBreak;
  return end < text.length && end - at > 1 ? end - 1 : end;
}

/** Costs of a run of ASCII signs by how often the sign changes in it: `-----` is as cheap as `-`, `){(` is not. */
const signCosts = [1, 1.04, 1.38, 1.88, 2.4, 3];

function readSigns(text: string, at: number, tally: Tally): number {
  let end = at;
  let changes = -1;
  let previous = -1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const kind = classOf(unit);
    if (kind === symbol || kind === surrogate) tally.fixed += kind === symbol ? 1 : 0.85;
    else if (kind !== punctuation) break;
    else if (unit !== previous) changes++;
    previous = unit;
  }
  if (changes >= 0) tally.fixed += (signCosts[changes] ?? 3 + (changes - 5) * 0.65) + (end - at) / 100;
  while (end < text.length && classOf(text.charCodeAt(end)) === lineBreak) end++;
  return end;
}

function readWord(text: string, at: number, lead: number, tally: Tally): number {
  const kind = classOf(text.charCodeAt(at));
  if (kind <= latin) return readLatin(text, at, lead, tally);
  if (kind === cyrillic) return readCyrillic(text, at, tally);
  return readLetters(text, at, tally);
}

/** A Latin word ends before a capital that follows a small letter. */
function readLatin(text: string, at: number, lead: number, tally: Tally): number {
  let capitals = 0;
  let accents = 0;
  let eastern = 0;
  let end = at;
  for (let previous = upper; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const kind = classOf(unit);
    if (kind < lower || kind > latin || (kind === upper && previous !== upper)) break;
    if (kind === upper) capitals++;
    if (kind === latin) accents++;
    if (unit > 0x111 && unit < 0x180) eastern++;
    previous = kind;
  }
  addLatin(tally, end - at, capitals, accents, lead);
  if (eastern > 0) tally.easternWords++;
  return end;
}

/** The character before a word. Words after a blank cost least, words attached to a sign most. */
const LEAD_BLANK = 0;
const LEAD_SIGN = 1;
const LEAD_NONE = 2;
const leadCosts = [
  { once: 0, perLetter: 0 },
  { once: 0.04, perLetter: 0.055 },
  { once: -0.05, perLetter: 0.027 },
];

function addLatin(tally: Tally, length: number, capitals: number, accents: number, lead: number): void {
  tally.latinWords++;
  if (accents > 0) tally.accentedWords++;
  const { once, perLetter } = defined(leadCosts[lead]);
  const shouted = capitals > 1 ? 0.22 * capitals - 0.3 : 0;
  const accented = accents > 0 ? 0.1 + 0.12 * Math.max(0, length - 3) : 0;
  const base = 1 + shouted + Math.max(0, once + perLetter * Math.min(length, 16));
  tally.english += base + Math.max(accented, englishExtra(length) + (capitals === 1 ? 0.02 * length : 0));
  tally.foreign += base + Math.max(accented * 1.3, Math.max(0, length - 4) * 0.135);
}

const englishExtra = (length: number): number =>
  length <= 5 ? 0.01 : length <= 11 ? (length - 5) * 0.03 : 0.18 + (length - 11) * 0.2;

function readCyrillic(text: string, at: number, tally: Tally): number {
  let end = at;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (classOf(unit) !== cyrillic) break;
    if ((unit < 0x410 && unit !== 0x401) || (unit > 0x44f && unit !== 0x451)) tally.otherCyrillic++;
  }
  tally.cyrillicWords++;
  tally.cyrillicLetters += end - at;
  return end;
}

/** Letters of scripts that are counted one by one. */
function readLetters(text: string, at: number, tally: Tally): number {
  let end = at;
  for (; end < text.length; end++) {
    const kind = classOf(text.charCodeAt(end));
    if (kind < han) break;
    if (kind === han) {
      tally.hanLetters++;
      if (traditionalOnly.has(text.charCodeAt(end))) tally.traditional++;
    } else if (kind === kana) tally.kanaLetters++;
    else tally.fixed += defined(letterCosts[kind]);
  }
  return end;
}

const letterCosts: Readonly<Record<number, number>> = { [hangul]: 0.73, [dense]: 0.44, [sparse]: 1 };

/** Frequent characters that modern simplified writing does not have. */
const traditionalOnly: ReadonlySet<number> = new Set(
  Array.from(
    "這個們來會說時為對國過後還經發無從動問關開進當應該現與學實體長機點種電錯誤檔輸將沒設參數選項顯資訊類處標準",
  ) //
    .map((char) => char.charCodeAt(0)),
);

function total(tally: Tally): number {
  return tally.fixed + latinTotal(tally) + cyrillicTotal(tally) + eastAsianTotal(tally);
}

/** The more words have accents, the less the text is English. */
function latinTotal(tally: Tally): number {
  const words = Math.max(1, tally.latinWords);
  const foreign = Math.min(1, (tally.accentedWords / words) * 12);
  const eastern = Math.min(1, (tally.easternWords / words) * 6);
  return (tally.english + foreign * (tally.foreign - tally.english)) * (1 + 0.3 * eastern);
}

function cyrillicTotal(tally: Tally): number {
  const other = Math.min(1, (tally.otherCyrillic / Math.max(1, tally.cyrillicLetters)) * 25);
  return tally.cyrillicWords * (0.72 - 0.2 * other) + tally.cyrillicLetters * (0.157 + 0.145 * other);
}

/** Simplified Chinese is known best; kana between ideographs mean Japanese, and then traditional forms mean nothing. */
function eastAsianTotal(tally: Tally): number {
  const { hanLetters, kanaLetters, traditional } = tally;
  const japanese = Math.min(1, (kanaLetters / Math.max(1, hanLetters)) * 4);
  const old = Math.min(1, (traditional / Math.max(1, hanLetters)) * 15) * (1 - japanese);
  return hanLetters * (0.69 + 0.14 * japanese + 0.2 * old) + kanaLetters * 0.66;
}
