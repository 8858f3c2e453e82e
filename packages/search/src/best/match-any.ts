import { type Matches, matchAll, without } from "../query/matches.ts";
import { PostingList } from "../segment/posting-list.ts";

/**
 * The blocks of a segment that have one of the units, or all that are conditions if there are any, and none of the
 * excluded ones. A block without a unit has frequency 0 for it.
 */
export function matchAny(
  units: readonly PostingList[],
  conditions: readonly boolean[],
  excluded: readonly PostingList[],
): Matches {
  const required = units.filter((_, i) => conditions[i]);
  const found = required.length > 0 ? withColumns(matchAll(required, []), units) : union(units);
  return excluded.every((list) => list.size === 0) ? found : without(found, excluded);
}

type Found = Pick<Matches, "size" | "numbers" | "codes">;

const withColumns = ({ size, numbers, codes }: Found, units: readonly PostingList[]): Matches => ({
  size,
  numbers,
  codes,
  frequencies: units.map((list) => columnOf(list, numbers, size)),
});

function columnOf(list: PostingList, numbers: Uint32Array, size: number): Uint32Array {
  const column = new Uint32Array(size);
  const { numbers: own, frequencies, size: count } = list;
  for (let i = 0, at = 0; i < size && at < count; i++) {
    const number = numbers[i]!;
    while (at < count && own[at]! < number) at++;
    if (at < count && own[at] === number) column[i] = frequencies[at++]!;
  }
  return column;
}

/** The shortest lists are joined first. */
function union(units: readonly PostingList[]): Matches {
  const lists: Found[] = units.filter(({ size }) => size > 0).toSorted((a, b) => a.size - b.size);
  const all = lists.length === 0 ? new PostingList(0) : lists.reduce(joined);
  return withColumns(all, units);
}

function joined(a: Found, b: Found): Found {
  const both = new PostingList(a.size + b.size);
  const { numbers, codes } = both;
  let size = 0;
  let j = 0;
  for (let i = 0; i < a.size; i++) {
    const number = a.numbers[i]!;
    while (j < b.size && b.numbers[j]! < number) {
      numbers[size] = b.numbers[j]!;
      codes[size++] = b.codes[j++]!;
    }
    if (j < b.size && b.numbers[j] === number) j++;
    numbers[size] = number;
    codes[size++] = a.codes[i]!;
  }
  for (; j < b.size; j++) {
    numbers[size] = b.numbers[j]!;
    codes[size++] = b.codes[j]!;
  }
  both.size = size;
  return both;
}
