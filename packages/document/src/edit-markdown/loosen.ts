import { defined } from "../defined.ts";

/** A text in which differences that mean little are gone; `at` gives the place in the original of each character. */
interface Loosened {
  readonly text: string;
  readonly at: readonly number[];
}

const quotes: Readonly<Record<string, string>> = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-" };
const isBlank = (character: string): boolean => /\s/.test(character);
const isSign = (character: string | undefined): boolean => character !== undefined && /[!-/:-@[-`{-~]/.test(character);

/**
 * White space as one blank and none beside cell borders, no escapes, plain quotation marks, one sign for bullets. The
 * characters are joined at the end: looking at the last one of a growing text would copy it each time.
 */
export function loosen(source: string): Loosened {
  const at: number[] = [];
  const written: string[] = [];
  const put = (character: string, from: number) => {
    written.push(character);
    at.push(from);
  };
  let isLineStart = true;
  for (let i = 0; i < source.length; i++) {
    const character = defined(source[i]);
    if (isBlank(character)) {
      const start = i;
      while (i + 1 < source.length && isBlank(defined(source[i + 1]))) i++;
      isLineStart ||= source.slice(start, i + 1).includes("\n");
      const isAtEdge = written.length === 0 || i + 1 === source.length;
      if (!isAtEdge && written.at(-1) !== "|" && source[i + 1] !== "|") put(" ", start);
      continue;
    }
    const isEscape = character === "\\" && isSign(source[i + 1]);
    const plain = isEscape ? defined(source[i + 1]) : character;
    const isBullet = isLineStart && /[*+]/.test(plain) && /\s/.test(source[i + 1] ?? "");
    put(isBullet ? "-" : (quotes[plain] ?? plain), i);
    if (isEscape) i++;
    isLineStart = false;
  }
  return { text: written.join(""), at };
}
