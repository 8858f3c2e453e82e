/** A frozen table without a prototype, so that a name such as `constructor` finds nothing in it. */
export function lookupTable<T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const rows: Record<string, T> = Object.create(null);
  return Object.freeze(Object.assign(rows, entries));
}
