/** Whether every database holds a text as it is: none takes NUL or half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");
