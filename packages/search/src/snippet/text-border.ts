import { classAt, isExtension } from "../text/characters.ts";

const ZERO_WIDTH_JOINER = 0x200d;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isSkinTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isFlagLetter = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;

/** How far to search for a border: no real character is longer, but a hostile one may be. */
const MAX_SHIFT = 64;

/** Whether the text can be cut before `at` without splitting a user-perceived character. */
function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (isLowSurrogate(unit) && isHighSurrogate(before)) return false;
  if (before === ZERO_WIDTH_JOINER || isExtension(classAt(text, at))) return false;
  if (unit === 0x0a && before === 0x0d) return false;
  const code = text.codePointAt(at)!;
  if (isSkinTone(code)) return false;
  return !isFlagLetter(code) || flagLettersBefore(text, at) % 2 === 0;
}

function flagLettersBefore(text: string, at: number): number {
  let count = 0;
  while (count < MAX_SHIFT && isFlagLetter(text.codePointAt(at - 2 * (count + 1)) ?? 0)) count++;
  return count;
}

/** The nearest border at or after `at`. */
export function borderAfter(text: string, at: number): number {
  const limit = Math.min(text.length, at + MAX_SHIFT);
  let border = at;
  while (border < limit && !isBorder(text, border)) border++;
  return pairBorder(text, border);
}

/** The nearest border at or before `at`. */
export function borderBefore(text: string, at: number): number {
  const limit = Math.max(0, at - MAX_SHIFT);
  let border = at;
  while (border > limit && !isBorder(text, border)) border--;
  return pairBorder(text, border);
}

/** The fallback if no border is found: at least no surrogate pair is split. */
function pairBorder(text: string, at: number): number {
  const cutsPair =
    at > 0 && at < text.length && isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
  return cutsPair ? at - 1 : at;
}
