/** Where a required unit stands in a text. */
export type TextMatch = { readonly unit: number; readonly start: number; readonly end: number };
