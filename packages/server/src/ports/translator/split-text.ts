/** The best positions for a cut, in order: after a line, after a sentence, after a word. */
const boundaries = [/\n+/g, /[.!?…。！？]["'”’)\]]*\s+|[。！？]/g, /\s+/g];

/**
 * Cuts a text into pieces of at most `max` UTF-16 units that join to exactly the text. Cuts at the end of a line, a
 * sentence or a word if there is one in the second half of a piece; never inside a marker or a character.
 */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > max) {
    const end = start + cutPosition(text.slice(start, start + max));
    pieces.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length || pieces.length === 0) pieces.push(text.slice(start));
  return pieces;
}

function cutPosition(window: string): number {
  const usable = window.slice(0, endOfWholeCharacters(window));
  for (const boundary of boundaries) {
    let last = 0;
    for (const match of usable.matchAll(boundary)) last = match.index + match[0].length;
    if (last > usable.length / 2) return last;
  }
  return usable.length;
}

/** Leaves out half a surrogate pair and an unfinished marker at the end, unless nothing would be left. */
function endOfWholeCharacters(window: string): number {
  const marker = window.lastIndexOf("⟦");
  const isOpen = marker > 0 && marker > window.lastIndexOf("⟧") && window.length - marker < 16;
  if (isOpen) return marker;
  const isHalf = /[\ud800-\udbff]$/.test(window);
  return isHalf && window.length > 1 ? window.length - 1 : window.length;
}

/** Engines add and drop white space at the ends, so the source's own is restored. */
export function keepOuterSpace(source: string, translated: string): string {
  const [, before = ""] = /^(\s*)/.exec(source) ?? [];
  if (before.length === source.length) return source;
  return before + translated.trim() + source.slice(source.trimEnd().length);
}
