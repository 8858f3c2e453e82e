const collator = new Intl.Collator("en", { numeric: true });

export const compareNames = (a: string, b: string): number => collator.compare(a, b);

/** Natural order: ignores case and accents except for ties, compares numbers by value, and is stable. */
export const byName =
  <T>(nameOf: (item: T) => string) =>
  (a: T, b: T): number =>
    compareNames(nameOf(a), nameOf(b));
