const collator = new Intl.Collator("en", { numeric: true });

/** Natural order: case and accents last, numbers by value; equal names stay in the order they come in. */
export const byName =
  <T>(nameOf: (item: T) => string) =>
  (a: T, b: T): number =>
    collator.compare(nameOf(a), nameOf(b));
