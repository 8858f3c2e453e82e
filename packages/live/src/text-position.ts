/** How many characters around an offset are compared. */
const CONTEXT_CHARS = 200;
/** Shorter matches are ignored, unless there was no more text. */
const MIN_MATCH = 3;

interface Common {
  readonly inText: number;
  readonly inOther: number;
  readonly length: number;
}

/**
 * Finds the offset of a position from `text` in `other`, by the longest piece of text around it that both have. A
 * position outside that piece moves to its nearer end. Undefined if they have nothing in common.
 */
export function findOffset(other: string, text: string, offset: number): number | undefined {
  const common = commonAround(other, text, offset);
  return common && common.inOther + Math.min(Math.max(0, offset - common.inText), common.length);
}

/** The longest piece of text around an offset that another text also has. */
export function commonAround(other: string, text: string, offset: number): Common | undefined {
  const from = Math.max(0, offset - CONTEXT_CHARS);
  const around = text.slice(from, offset + CONTEXT_CHARS);
  const common = longestCommon(around, other);
  if (common.length === 0 || common.length < Math.min(MIN_MATCH, around.length)) return undefined;
  return { ...common, inText: from + common.inText };
}

function longestCommon(text: string, other: string): Common {
  let best = { inText: 0, inOther: 0, length: 0 };
  let above = new Uint16Array(other.length + 1);
  for (let i = 0; i < text.length; i++) {
    const row = new Uint16Array(other.length + 1);
    for (let j = 0; j < other.length; j++) {
      if (text[i] !== other[j]) continue;
      const length = (above[j] ?? 0) + 1;
      row[j + 1] = length;
      if (length > best.length) best = { inText: i - length + 1, inOther: j - length + 1, length };
    }
    above = row;
  }
  return best;
}
