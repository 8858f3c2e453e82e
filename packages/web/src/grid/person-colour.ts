/** Colours of the stylesheet. */
const COLOURS = 6;

/** The same colour for a person as in the editor of pages. */
export function personColour(userId: string): number {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum % COLOURS;
}
