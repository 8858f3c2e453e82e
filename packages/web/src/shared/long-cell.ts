/** A cell with more than so many characters does not become the narrowest of its row. */
export const LONG_CELL = 80;
