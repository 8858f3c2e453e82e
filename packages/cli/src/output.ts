export interface OutputOptions {
  readonly json?: boolean;
}

export const JSON_FLAG = ["--json", "print one JSON object"] as const;

/** One JSON object, or lines for a person. */
export function print(options: OutputOptions, object: object, lines: readonly string[]): void {
  if (options.json) process.stdout.write(`${JSON.stringify(object)}\n`);
  else printText(lines.map((line) => `${line}\n`).join(""));
}

/** A text as it is; on a terminal without what would move its cursor or change its settings. */
export const printText = (text: string): void =>
  void process.stdout.write(process.stdout.isTTY ? harmless(text) : text);

/** What is not a result: said on standard error. */
export const note = (line: string): void =>
  void process.stderr.write(`${process.stderr.isTTY ? harmless(line) : line}\n`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /(?!\x1b\[\d{0,2}m)[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

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
