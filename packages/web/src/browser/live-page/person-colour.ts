import type { Person } from "@svc/live/frames";

/** Colours of the stylesheet. */
const COLOURS = 6;

/** A person who has the page open, with the number of their colour. */
export interface Present extends Person {
  readonly colour: number;
}

function usualColour(userId: string): number {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum % COLOURS;
}

/** Gives each person their usual colour, or the next free one while somebody before them has it. */
export function withColours(people: readonly Person[]): Present[] {
  const colours = new Map<string, number>();
  for (const { user_id } of people) {
    if (colours.has(user_id)) continue;
    const usual = usualColour(user_id);
    const taken = new Set(colours.values());
    const order = Array.from({ length: COLOURS }, (_, step) => (usual + step) % COLOURS);
    colours.set(user_id, order.find((colour) => !taken.has(colour)) ?? usual);
  }
  return people.map((person) => ({ ...person, colour: colours.get(person.user_id) ?? 0 }));
}
