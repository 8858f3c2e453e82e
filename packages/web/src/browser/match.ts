const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether the letters of what was typed stand in the label in their order: `hbk` finds “Handbook”. */
export function matches(label: string, typed: string): boolean {
  const letters = [...fold(typed).replace(/\s+/g, "")];
  let from = 0;
  const text = fold(label);
  return letters.every((letter) => {
    const at = text.indexOf(letter, from);
    from = at + 1;
    return at >= 0;
  });
}
