export interface Token {
  readonly kind: "number" | "text" | "error" | "cell" | "columns" | "name" | "sheet" | "sign";
  /** As it means: a text without its quotes, a sheet's name without quotes and `!`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One formula may be so long. */
const MAX_FORMULA = 8192;

/** In this order: the first that fits at a place is the token. */
const rules: readonly (readonly [kind: Token["kind"] | "space", pattern: RegExp])[] = [
  ["space", /[ \t\r\n\u00a0]+/y],
  ["text", /"(?:[^"]|"")*"/y],
  ["sheet", /(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!/uy],
  ["error", /#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|CIRC!|LIMIT!|ERROR!)/iy],
  ["cell", /\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}(?![\p{L}\p{N}_.(])/uy],
  ["columns", /\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\p{L}\p{N}_.(])/uy],
  ["number", /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?/iy],
  ["name", /[\p{L}_][\p{L}\p{N}_.]*/uy],
  ["sign", /<>|<=|>=|[-+*/^&=<>%(),;:{}]/y],
];

/** The tokens of a formula without its `=`; undefined where something is no token. */
export function tokenise(source: string): readonly Token[] | undefined {
  if (source.length > MAX_FORMULA) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const token = tokenAt(source, at);
    if (!token) return undefined;
    if (token.kind !== "space") tokens.push({ ...token, kind: token.kind });
    at = token.end;
  }
  return tokens;
}

function tokenAt(source: string, start: number) {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = start;
    const match = pattern.exec(source)?.[0];
    if (match !== undefined) return { kind, text: meaning(kind, match), start, end: start + match.length };
  }
  return undefined;
}

function meaning(kind: string, match: string): string {
  if (kind === "text") return match.slice(1, -1).replaceAll('""', '"');
  if (kind !== "sheet") return match;
  const name = match.slice(0, -1);
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
}
