/** Colours of the stylesheet. */
const COLOURS = 6;

/** The same for a person on every page: the number of a colour. */
export function personColour(userId: string): number {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum % COLOURS;
}
