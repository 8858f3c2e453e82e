/** A text in which differences that mean little are gone; `at` gives the place in the original of each character. */
interface Loosened {
  readonly text: string;
  readonly at: readonly number[];
}

const quotes: Readonly<Record<string, string>> = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-" };
const isBlank = (character: string): boolean => /\s/.test(character);
const isSign = (character: string | undefined): boolean => character !== undefined && /[!-/:-@[-`{-~]/.test(character);

/** White space as one blank and none beside cell borders, no escapes, plain quotation marks, one sign for bullets. */
export function loosen(source: string): Loosened {
  const at: number[] = [];
  let text = "";
  let isLineStart = true;
  for (let i = 0; i < source.length; i++) {
    const character = source[i]!;
    if (isBlank(character)) {
      const start = i;
      while (i + 1 < source.length && isBlank(source[i + 1]!)) i++;
      isLineStart ||= source.slice(start, i + 1).includes("\n");
      if (text === "" || text.endsWith("|") || source[i + 1] === "|" || i + 1 === source.length) continue;
      text += " ";
      at.push(start);
      continue;
    }
    const isEscape = character === "\\" && isSign(source[i + 1]);
    const written = isEscape ? source[i + 1]! : character;
    const isBullet = isLineStart && /[*+]/.test(written) && /\s/.test(source[i + 1] ?? "");
    text += isBullet ? "-" : (quotes[written] ?? written);
    at.push(i);
    if (isEscape) i++;
    isLineStart = false;
  }
  return { text, at };
}
