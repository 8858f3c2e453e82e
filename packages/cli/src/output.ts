export interface OutputOptions {
  readonly json?: boolean;
}

export const JSON_FLAG = ["--json", "print one JSON object"] as const;

/** One JSON object, or lines for a person. */
export function print(options: OutputOptions, object: object, lines: readonly string[]): void {
  if (options.json) printJson(object);
  else printLines(lines);
}

/** One line of JSON. The control characters that JSON allows in a text are written as escapes. */
const printJson = (value: object): void =>
  void process.stdout.write(`${JSON.stringify(value).replace(/[\x7f-\x9f]/g, escaped)}\n`);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Lines of a listing, without control characters wherever they go: a pipe may end on a terminal. */
export const printLines = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${plain(line, process.stdout.isTTY)}\n`).join(""));

/** The text of a document: as it is, but on a terminal without what would move its cursor or change its settings. */
export const printText = (text: string): void =>
  void process.stdout.write(process.stdout.isTTY ? harmless(text) : text);

/** Writes a message that is not a result to standard error. */
export const note = (line: string): void => void process.stderr.write(`${plain(line, process.stderr.isTTY)}\n`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /(?!\x1b\[\d{0,2}m)[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The beginning of a colour, and characters that change the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const COLOUR_OR_DIRECTION = /[\x1b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Colours stay on a terminal alone. */
const plain = (line: string, isTerminal: boolean): string =>
  harmless(line).replace(COLOUR_OR_DIRECTION, (c) => (c !== "\x1b" ? escaped(c) : isTerminal ? c : "\\x1b"));

/** Colours stay; every other control character is shown instead of done. */
export const harmless = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(CONTROL, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);

/** Rows as aligned columns under their names. */
export function table(names: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = [names, ...rows.map((row) => row.map((cell) => String(cell ?? "-")))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export const shownTime = (ms: number | null): string => (ms === null ? "-" : new Date(ms).toISOString());

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function shownSize(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return step === 0 ? `${bytes} B` : `${(bytes / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A word as a POSIX shell takes it back. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
