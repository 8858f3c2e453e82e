/** Checks of values whose type is not known, as the compiler can follow them. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value);
