/** Replaces NUL, which PostgreSQL cannot store in text. */
export const cleanText = (text: string): string => text.replaceAll("\0", "\ufffd");

/** The fields of a form or a query. */
export const readFields = (text: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(text)].map(([key, value]): [string, string] => [key, cleanText(value)]));
