/**
 * A number format without its quoted texts, escaped characters and bracketed conditions. Once a bracket is found to have
 * no end, later ones are not searched again, so a format of nothing but brackets takes linear time.
 */
export function withoutLiterals(format: string): string {
  let kept = "";
  let [hasQuoteEnd, hasBracketEnd] = [true, true];
  for (let at = 0; at < format.length; at++) {
    const letter = format.charAt(at);
    if (letter === "\\") at++;
    else if (letter === '"' && hasQuoteEnd) {
      const end = format.indexOf('"', at + 1);
      hasQuoteEnd = end >= 0;
      if (hasQuoteEnd) at = end;
    } else if (letter === "[" && hasBracketEnd) {
      const end = format.indexOf("]", at + 1);
      hasBracketEnd = end >= 0;
      if (hasBracketEnd) at = end;
    } else kept += letter;
  }
  return kept;
}
