/** The indexes of a longest strictly increasing subsequence, in order. O(n log n). */
export function longestIncreasing(values: readonly number[]): number[] {
  /** For each length, the index of the smallest value that ends an increasing run of that length. */
  const ends: number[] = [];
  const previous = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const length = firstNotBelow(ends, values, values[i]!);
    previous[i] = length > 0 ? ends[length - 1]! : -1;
    ends[length] = i;
  }
  const result = new Array<number>(ends.length);
  let index = ends.at(-1) ?? -1;
  for (let i = ends.length - 1; i >= 0; i--) {
    result[i] = index;
    index = previous[index]!;
  }
  return result;
}

function firstNotBelow(ends: readonly number[], values: readonly number[], value: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[ends[middle]!]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
