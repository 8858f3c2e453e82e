/** Rows of texts from CSV (`,` or `;`) or TSV. A field in quotes may hold separators and line ends; `""` is a quote. */
export function readDelimited(text: string, separator: "," | ";" | "\t", most = Number.POSITIVE_INFINITY): string[][] {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const rows: string[][] = [];
  let row: string[] = [];
  let count = 0;
  for (let at = 0; at <= source.length; ) {
    const field = source[at] === '"' ? readQuoted(source, at) : undefined;
    const end = endOfField(source, field?.end ?? at, separator);
    row.push((field?.text ?? "") + source.slice(field?.end ?? at, end));
    if (++count > most) throw new TooManyCells();
    at = end + 1;
    if (source[end] === separator) continue;
    rows.push(row);
    row = [];
    if (source[end] === "\r" && source[end + 1] === "\n") at++;
    // A line end at the end begins no row.
    if (at >= source.length) break;
  }
  return source === "" ? [] : rows;
}

/** More cells than a table may have. */
export class TooManyCells extends Error {}

function readQuoted(source: string, start: number): { readonly text: string; readonly end: number } {
  let [text, at] = ["", start + 1];
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return { text: text + source.slice(at), end: source.length };
    text += source.slice(at, quote);
    if (source[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    at = quote + 2;
  }
}

function endOfField(source: string, start: number, separator: string): number {
  for (let at = start; at < source.length; at++) {
    const letter = source[at];
    if (letter === separator || letter === "\n" || letter === "\r") return at;
  }
  return source.length;
}

/** The separator that the first line uses: `;` where it stands there and `,` does not. */
export function separatorOf(text: string): "," | ";" | "\t" {
  const line = text.slice(0, 2000).split(/\r?\n/, 1)[0] ?? "";
  const plain = line.replace(/"[^"]*"/g, "");
  if (plain.includes("\t")) return "\t";
  return plain.includes(";") && !plain.includes(",") ? ";" : ",";
}

const needsQuotes = /["\n\r,;\t]|^\s|\s$/;

const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180: lines end with CR LF. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");

/** As spreadsheets put it on the clipboard. */
export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) => row.map((text) => (/["\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join("\t"))
    .join("\n");
