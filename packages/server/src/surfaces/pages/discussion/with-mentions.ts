interface Member {
  readonly id: string;
  readonly name: string;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const labelOf = (name: string): string => name.replaceAll(/[[\]\\]/g, "");

/**
 * Turns `@Name` of a member into a mention; of two matching names the longer one wins, of two members with one name the
 * first.
 */
export function withMentions(text: string, members: readonly Member[]): string {
  const named = members.filter(({ name }) => name.trim() !== "").toSorted((a, b) => b.name.length - a.name.length);
  if (named.length === 0) return text;
  const ids = new Map(named.toReversed().map(({ id, name }) => [name.toLowerCase(), { id, name }]));
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}[])@(${named.map(({ name }) => escaped(name)).join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return text.replaceAll(pattern, (whole, name: string) => {
    const member = ids.get(name.toLowerCase());
    return member ? `[@${labelOf(member.name)}](svc://user/${member.id})` : whole;
  });
}
