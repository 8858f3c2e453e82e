const ANCHOR = /^<!--@block=(block_\w+)[^\n]*-->$/;

const anchorsIn = (text: string): Set<string> =>
  new Set(text.split("\n").flatMap((line) => ANCHOR.exec(line)?.[1] ?? []));

/**
 * The text without the anchors of blocks that were there when it was opened and are gone by now: what is left of such a
 * block comes back as a new one.
 */
export function forgetAnchors(text: string, opened: string, current: string): string {
  const [before, now] = [anchorsIn(opened), anchorsIn(current)];
  const isGone = (line: string): boolean => {
    const id = ANCHOR.exec(line)?.[1];
    return id !== undefined && before.has(id) && !now.has(id);
  };
  return text
    .split("\n")
    .filter((line) => !isGone(line))
    .join("\n");
}
