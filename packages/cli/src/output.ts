export interface OutputOptions {
  readonly json?: boolean;
}

export const JSON_FLAG = ["--json", "print one JSON object"] as const;

/** One JSON object, or lines for a person. */
export function print(options: OutputOptions, object: object, lines: readonly string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(object)}\n` : lines.map((line) => `${line}\n`).join(""));
}

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
