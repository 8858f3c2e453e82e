/** The value, where an invariant says that there is one; throws where there is none. */
export function defined<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error("A value that must be there is missing.");
  return value;
}
