/** Letters on either side of a place by which it is found again. */
const AROUND = 200;
/** Fewer equal letters say nothing, unless there were no more. */
const LEAST = 3;

interface Common {
  readonly inText: number;
  readonly inOther: number;
  readonly length: number;
}

/**
 * Where a place in a text stands in another text that has a part of the first: by the longest part of what is around it
 * that both have. A place in what the other has not stands at the nearer end of that part. Undefined where they have
 * nothing in common.
 */
export function placeIn(other: string, text: string, offset: number): number | undefined {
  const common = commonAround(other, text, offset);
  return common && common.inOther + Math.min(Math.max(0, offset - common.inText), common.length);
}

/** The longest part of what is around a place in a text that another text has too. */
export function commonAround(other: string, text: string, offset: number): Common | undefined {
  const from = Math.max(0, offset - AROUND);
  const around = text.slice(from, offset + AROUND);
  const common = longestCommon(around, other);
  if (common.length === 0 || common.length < Math.min(LEAST, around.length)) return undefined;
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
