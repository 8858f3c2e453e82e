import { hasBlockId } from "../schema/nodes.ts";
import type { Json, Node } from "../types.ts";
import { given } from "./given.ts";

/** Column types. `auto` is a column without a type, whose texts are interpreted by their form. */
export const columnTypes = ["auto", "text", "number", "date", "check", "choice"] as const;
export type ColumnType = (typeof columnTypes)[number];

export interface Column {
  readonly type: ColumnType;
  /** For a choice column: its options. */
  readonly choices: readonly string[];
}

/** A table as a sheet: the texts of its cells. Rows may be shorter than the widest one. */
export interface SheetSource {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** By column; a column beyond the list has no type. */
  readonly columns: readonly Column[];
  /** The first row is a header: its texts name the columns and have no type. */
  readonly hasHeader: boolean;
  /** By column, how its numbers and dates are shown; see `readFormat`. */
  readonly formats?: readonly (string | undefined)[];
  /** The number of columns that stay in sight. */
  readonly frozenColumns?: number;
}

const NO_TYPE: Column = { type: "auto", choices: [] };
export const columnOf = (sheet: SheetSource, column: number): Column => sheet.columns[column] ?? NO_TYPE;

/** The text of a cell: its lines, without marks. */
export function cellText(cell: Node): string {
  const lines: string[] = [];
  for (const block of cell.content ?? []) collect(block, lines);
  return lines.join("\n");
}

function collect(node: Node, lines: string[]): void {
  const content = node.content ?? [];
  if (content.some(({ type }) => hasBlockId(type))) {
    for (const child of content) collect(child, lines);
    return;
  }
  lines.push(content.map(inlineText).join(""));
}

const inlineText = (node: Node): string => {
  if (node.type === "text") return node.text ?? "";
  if (node.type === "hardBreak") return "\n";
  const { label, emoji, latex, alt } = node.attrs ?? {};
  return [label, emoji, latex, alt].find((value) => typeof value === "string") ?? "";
};

const spanOf = (value: Json | undefined): number =>
  typeof value === "number" && Number.isInteger(value) && value > 1 ? Math.min(value, 1000) : 1;

/** Lays out the cells of a table as rows of columns; a merged cell stands at its first position. */
export function cellGrid(table: Node): readonly (readonly (Node | undefined)[])[] {
  const grid: (Node | undefined)[][] = [];
  /** For each column, how many more rows a cell from above covers. */
  const covered: number[] = [];
  for (const row of table.content ?? []) {
    const line: (Node | undefined)[] = [];
    const skip = (): void => {
      while ((covered[line.length] ?? 0) > 0) {
        covered[line.length] = given(covered[line.length]) - 1;
        line.push(undefined);
      }
    };
    for (const cell of row.content ?? []) {
      skip();
      const [wide, high] = [spanOf(cell.attrs?.colspan), spanOf(cell.attrs?.rowspan)];
      for (let i = 0; i < wide; i++) {
        covered[line.length] = high - 1;
        line.push(i === 0 ? cell : undefined);
      }
    }
    skip();
    grid.push(line);
  }
  return grid;
}

/** A column's settings stand on its cell in the first row: `columnType`, and `choices` of a choice. */
export function readColumn(cell: Node | undefined): Column {
  const type = columnTypes.find((known) => known === cell?.attrs?.columnType) ?? "auto";
  const choices = cell?.attrs?.choices;
  if (type !== "choice" || !Array.isArray(choices)) return type === "auto" ? NO_TYPE : { type, choices: [] };
  return { type, choices: choices.filter((choice) => typeof choice === "string") };
}

/** Max columns that stay in sight. */
const MAX_FROZEN = 5;

/** `frozenColumns` of a table. */
export function frozenColumns(table: Node): number {
  const count = Number(table.attrs?.frozenColumns ?? 0);
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_FROZEN) : 0;
}

const MAX_FORMAT = 100;

/** The format of a column stands on its cell in the first row: `numberFormat`, as the function TEXT takes it. */
export function readFormat(cell: Node | undefined): string | undefined {
  const format = cell?.attrs?.numberFormat;
  return typeof format === "string" && format !== "" && format.length <= MAX_FORMAT ? format : undefined;
}

/** The name of a sheet: the table's `name`, or its number. */
export const sheetName = (table: Node, index: number): string => {
  const name = table.attrs?.name;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 100) : `Sheet${index + 1}`;
};

export function tableSource(table: Node, index: number): SheetSource {
  const grid = cellGrid(table);
  const [first = []] = grid;
  return {
    name: sheetName(table, index),
    rows: grid.map((line) => line.map((cell) => (cell ? cellText(cell) : ""))),
    columns: first.map(readColumn),
    formats: first.map(readFormat),
    frozenColumns: frozenColumns(table),
    hasHeader: first.length > 0 && first.every((cell) => cell === undefined || cell.type === "tableHeader"),
  };
}

/** The sheets of a spreadsheet: its top-level tables, in their order. */
export const sheetsOf = (blocks: readonly Node[]): readonly SheetSource[] =>
  blocks.filter(({ type }) => type === "table").map(tableSource);
