const collator = new Intl.Collator("en", { numeric: true });

export const compareNames = (a: string, b: string): number => collator.compare(a, b);

/** Natural order: case and accents last, numbers by value; equal names stay in the order they come in. */
export const byName =
  <T>(nameOf: (item: T) => string) =>
  (a: T, b: T): number =>
    compareNames(nameOf(a), nameOf(b));
