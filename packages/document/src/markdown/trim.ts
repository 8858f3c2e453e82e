const isBlankAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code === 32 || code === 9;
};

/** Without spaces and tabs at the end. A loop: the regular expression for it is quadratic in runs of spaces. */
export function trimBlanksEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlankAt(text, end - 1)) end--;
  return text.slice(0, end);
}

/** Without spaces and tabs at either end. */
export function trimBlanks(text: string): string {
  let start = 0;
  while (isBlankAt(text, start)) start++;
  return trimBlanksEnd(text.slice(start));
}
