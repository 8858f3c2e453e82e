import { intersect } from "../segment/intersect.ts";
import { lowerBound } from "../segment/packed-numbers.ts";
import { advance, type PostingList } from "../segment/posting-list.ts";

/** Matching blocks in columns, ascending by number; `frequencies` has a column for each required unit. */
export type Matches = {
  readonly size: number;
  readonly numbers: Uint32Array;
  readonly codes: Uint32Array;
  readonly frequencies: readonly Uint32Array[];
};

/** The blocks of a segment that are in all required lists and in no excluded one. */
export function matchAll(required: readonly PostingList[], excluded: readonly PostingList[]): Matches {
  const [only] = required;
  const found = required.length === 1 ? matchesOf(only!) : common(required);
  return excluded.every((list) => list.size === 0) ? found : without(found, excluded);
}

const matchesOf = ({ size, numbers, codes, frequencies }: PostingList): Matches => ({
  size,
  numbers,
  codes,
  frequencies: [frequencies],
});

function common(lists: readonly PostingList[]): Matches {
  const { size, at } = intersect(lists);
  const { numbers, codes } = lists[0]!;
  return {
    size,
    numbers: gather(numbers, at[0]!, size),
    codes: gather(codes, at[0]!, size),
    frequencies: lists.map((list, i) => gather(list.frequencies, at[i]!, size)),
  };
}

function gather(column: Uint32Array, at: Uint32Array, size: number): Uint32Array {
  const out = new Uint32Array(size);
  for (let i = 0; i < size; i++) out[i] = column[at[i]!]!;
  return out;
}

/** Without the blocks of the excluded lists. */
export function without(matches: Matches, excluded: readonly PostingList[]): Matches {
  const { size, numbers } = matches;
  const at = new Uint32Array(excluded.length);
  const kept = new Uint32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) if (!isInAny(excluded, at, numbers[i]!)) kept[count++] = i;
  return pickMatches(matches, kept, count);
}

function isInAny(lists: readonly PostingList[], at: Uint32Array, number: number): boolean {
  for (let i = 0; i < lists.length; i++) {
    const { numbers, size } = lists[i]!;
    const found = advance(numbers, size, at[i]!, number);
    at[i] = found;
    if (found < size && numbers[found] === number) return true;
  }
  return false;
}

/** The first `size` of the matches that `kept` names. */
export const pickMatches = ({ numbers, codes, frequencies }: Matches, kept: Uint32Array, size: number): Matches => ({
  size,
  numbers: gather(numbers, kept, size),
  codes: gather(codes, kept, size),
  frequencies: frequencies.map((column) => gather(column, kept, size)),
});

export type NamedBlock = { readonly number: number; readonly code: number };

/** Adds a block without any of the words, unless it is among the matches already. */
export function insertNamed(matches: Matches, { number, code }: NamedBlock): Matches {
  const { size, numbers, codes, frequencies } = matches;
  const at = lowerBound(numbers, number, 0, size);
  if (at < size && numbers[at] === number) return matches;
  const opened = (column: Uint32Array, value: number): Uint32Array => {
    const longer = new Uint32Array(size + 1);
    longer.set(column.subarray(0, at));
    longer[at] = value;
    longer.set(column.subarray(at, size), at + 1);
    return longer;
  };
  return {
    size: size + 1,
    numbers: opened(numbers, number),
    codes: opened(codes, code),
    frequencies: frequencies.map((column) => opened(column, 0)),
  };
}
