/**
 * Consecutive groups of at most `maxItems` whose sizes add up to at most `maxSize`; a larger item forms a group alone.
 */
export function batches<T>(items: readonly T[], maxItems: number, maxSize: number, sizeOf: (item: T) => number): T[][] {
  const groups: T[][] = [];
  let size = 0;
  for (const item of items) {
    const group = groups.at(-1);
    const added = sizeOf(item);
    if (group === undefined || group.length >= maxItems || size + added > maxSize) {
      groups.push([item]);
      size = added;
    } else {
      group.push(item);
      size += added;
    }
  }
  return groups;
}
