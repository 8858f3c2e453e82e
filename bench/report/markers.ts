/** Puts each section between `<!-- bench:name -->` and `<!-- /bench:name -->`. A section without a place is an error. */
export function fillMarkers(text: string, sections: ReadonlyMap<string, string>): string {
  let filled = text;
  for (const [name, section] of sections) {
    const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const from = filled.indexOf(open);
    const to = filled.indexOf(close);
    if (from < 0 || to < from) throw new Error(`The page has no place for ${open}.`);
    filled = `${filled.slice(0, from + open.length)}\n${section}\n${filled.slice(to)}`;
  }
  return filled;
}
