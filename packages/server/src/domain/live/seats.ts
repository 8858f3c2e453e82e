import type { Member } from "./member.ts";

/** Limit of writers per document in this process; readers have the same number of separate seats. */
const MAX_SEATS = 50;
/** Limit of seats per person, across sessions. */
const MAX_OF_PERSON = 20;

type Sitting = Pick<Member, "userId" | "right">;

/**
 * Whether a document has room for another member. Readers take no writers' seats, and one person cannot take all seats.
 */
export function hasSeat(members: Iterable<Sitting>, { userId, right }: Sitting): boolean {
  const alike = [...members].filter((member) => member.right === right);
  return alike.length < MAX_SEATS && alike.filter((member) => member.userId === userId).length < MAX_OF_PERSON;
}
