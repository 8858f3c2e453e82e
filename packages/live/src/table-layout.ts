import type { Node } from "@svc/document/types";

export const cellsOf = ({ content = [] }: Node): readonly Node[] => content;
export const spanOf = ({ attrs }: Node, name: "colspan" | "rowspan"): number => {
  const span = attrs?.[name];
  return typeof span === "number" && span > 1 ? span : 1;
};
export const isMerged = (cell: Node): boolean => spanOf(cell, "colspan") > 1 || spanOf(cell, "rowspan") > 1;

/** A cell that extends into the rows below its own. */
interface Reaching {
  readonly cell: Node;
  /** The row that it starts in. */
  readonly row: number;
  /** The width of its own row in columns. */
  readonly width: number;
}

export interface Line {
  /** The cells of the row itself, each with its first column. */
  readonly own: readonly { readonly cell: Node; readonly column: number }[];
  /** By column: the cell from a row above that covers it. */
  readonly covered: ReadonlyMap<number, Reaching>;
  /** The number of taken columns. */
  readonly taken: number;
  /** True if a cell of the row and one from above cover the same column. */
  readonly clashes: boolean;
}

type Covered = ReadonlyMap<number, Reaching>;

/**
 * The grid positions of a table's cells, assigned as browsers and editors do: each cell takes the first free column of
 * its row.
 */
export class TableLayout {
  readonly lines: Line[] = [];
  /** The max row span of each cell that extends too far. */
  readonly cut = new Map<Node, number>();
  readonly #height: number;
  readonly #cuts: boolean;
  /** By column: the cell that extends into the next row, and its last row. */
  readonly #reaching = new Map<number, { readonly by: Reaching; readonly last: number }>();

  /** `cuts`: ends merged cells before a row that has no room for them. */
  constructor(rows: readonly Node[], cuts = false) {
    this.#height = rows.length;
    this.#cuts = cuts;
    for (const row of rows) this.#place(cellsOf(row));
  }

  get width(): number {
    return this.lines.reduce((most, { taken }) => Math.max(most, taken), 0);
  }

  get isEven(): boolean {
    const { width } = this;
    return this.cut.size === 0 && this.lines.every((line) => line.taken === width && !line.clashes);
  }

  #place(cells: readonly Node[]): void {
    const row = this.lines.length;
    for (const [column, { last }] of this.#reaching) if (last < row) this.#reaching.delete(column);
    if (this.#cuts) this.#cutReaching(cells, row);
    const line = lineOf(cells, this.#covered());
    for (const { cell, column } of line.own) {
      const rowspan = spanOf(cell, "rowspan");
      if (rowspan === 1) continue;
      if (row + rowspan > this.#height) this.cut.set(cell, this.#height - row);
      const by = { cell, row, width: line.taken };
      for (let i = 0; i < spanOf(cell, "colspan"); i++) this.#reaching.set(column + i, { by, last: row + rowspan - 1 });
    }
    this.lines.push(line);
  }

  #covered(): Covered {
    return new Map([...this.#reaching].map(([column, { by }]) => [column, by]));
  }

  /** A row without room for a merged cell was added by somebody who had not seen the merge. */
  #cutReaching(cells: readonly Node[], row: number): void {
    const { taken, clashes } = lineOf(cells, this.#covered());
    for (const [column, { by }] of this.#reaching)
      if (clashes || taken > by.width) {
        this.#reaching.delete(column);
        this.cut.set(by.cell, row - by.row);
      }
  }
}

function lineOf(cells: readonly Node[], covered: Covered): Line {
  let [column, clashes] = [0, false];
  const own = cells.map((cell) => {
    while (covered.has(column)) column++;
    const placed = { cell, column };
    for (const end = column + spanOf(cell, "colspan"); column < end; column++) clashes ||= covered.has(column);
    return placed;
  });
  const taken = cells.reduce((sum, cell) => sum + spanOf(cell, "colspan"), covered.size);
  return { own, covered, taken, clashes };
}
