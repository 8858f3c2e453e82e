/** Names what a text holds; no value ever has it. */
declare const HOLDS: unique symbol;

/** The type of a column whose text is JSON: `T` is what every writer of the column puts there. */
export type JsonText<T> = string & { readonly [HOLDS]?: T };

/** What a column of JSON holds, by the column's own type; unknown for a text that is no such column. */
export const readJson = <T>(text: JsonText<T>): T => JSON.parse(text);
