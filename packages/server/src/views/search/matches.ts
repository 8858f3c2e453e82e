import { lowerBound } from "./packed-numbers.ts";
import { advance, type PostingList } from "./posting-list.ts";

/** Matching blocks in columns, ascending by number; `frequencies` has a column for each required unit. */
export type Matches = {
  readonly size: number;
  readonly numbers: Uint32Array;
  readonly codes: Uint32Array;
  readonly frequencies: readonly Uint32Array[];
};

/** The blocks that all required lists have and no excluded one. */
export function matchAll(required: readonly PostingList[], excluded: readonly PostingList[]): Matches {
  const [only] = required;
  if (required.length === 1 && excluded.length === 0) {
    return { size: only!.size, numbers: only!.numbers, codes: only!.codes, frequencies: [only!.frequencies] };
  }
  const order = [...required.keys()].sort((a, b) => required[a]!.size - required[b]!.size);
  const lead = required[order[0]!]!;
  const others = order.slice(1).map((unit) => required[unit]!);
  const numbers = new Uint32Array(lead.size);
  const codes = new Uint32Array(lead.size);
  const columns = order.map(() => new Uint32Array(lead.size));
  const at = new Uint32Array(others.length);
  const excludedAt = new Uint32Array(excluded.length);
  let size = 0;
  for (let i = 0; i < lead.size; i++) {
    const number = lead.numbers[i]!;
    const isIn = isInAll(others, at, number);
    if (isIn === never) break;
    if (isIn === no || isInAny(excluded, excludedAt, number)) continue;
    numbers[size] = number;
    codes[size] = lead.codes[i]!;
    columns[0]![size] = lead.frequencies[i]!;
    for (let o = 0; o < others.length; o++) columns[o + 1]![size] = others[o]!.frequencies[at[o]!]!;
    size++;
  }
  const frequencies = required.map((_, unit) => columns[order.indexOf(unit)]!);
  return { size, numbers, codes, frequencies };
}

const no = 0;
const yes = 1;
/** A list has ended: no later number can be in all of them. */
const never = 2;

function isInAll(lists: readonly PostingList[], at: Uint32Array, number: number): number {
  for (let i = 0; i < lists.length; i++) {
    const { numbers, size } = lists[i]!;
    const found = advance(numbers, size, at[i]!, number);
    at[i] = found;
    if (found >= size) return never;
    if (numbers[found] !== number) return no;
  }
  return yes;
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

export type NamedBlock = { readonly number: number; readonly code: number };

/** The matches and these blocks, which have none of the words unless they match anyway. */
export function withNamed(matches: Matches, named: readonly NamedBlock[]): Matches {
  return named.reduce(insertNamed, matches);
}

function insertNamed(matches: Matches, { number, code }: NamedBlock): Matches {
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
