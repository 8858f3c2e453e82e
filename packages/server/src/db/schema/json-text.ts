/** Marks the type of the JSON in a text; no value ever has this property. */
declare const HOLDS: unique symbol;

/** The type of a column whose text is JSON. `T` is the type that every writer of the column stores. */
export type JsonText<T> = string & { readonly [HOLDS]?: T };

/** Parses a JSON column with its declared type; returns unknown for any other text. */
export const readJson = <T>(text: JsonText<T>): T => JSON.parse(text);
