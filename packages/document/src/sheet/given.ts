/** The value, where an invariant says that it is there. Unlike `defined` it lets `null` pass: an empty cell. */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A value that must be there is missing.");
  return value;
}
