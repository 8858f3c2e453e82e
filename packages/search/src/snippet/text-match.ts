/** The location of a required unit in a text. */
export type TextMatch = { readonly unit: number; readonly start: number; readonly end: number };
