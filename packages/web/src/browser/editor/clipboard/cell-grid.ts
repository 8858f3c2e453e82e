import type { Node as EditorNode } from "@tiptap/pm/model";

/** Columns and rows that something takes, the last ones not included. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A cell with its place among others. */
export interface Placed extends Area {
  readonly cell: EditorNode;
}

export interface CellGrid {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly Placed[];
}

export const overlap = (a: Area, b: Area): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export const moved = (one: Placed, columns: number, rows: number): Placed => ({
  cell: one.cell,
  left: one.left + columns,
  top: one.top + rows,
  right: one.right + columns,
  bottom: one.bottom + rows,
});

/** The cell with fewer columns or rows: those that its new place has. */
export function shrunk(one: Placed, to: Area): Placed {
  const { cell } = one;
  const [colspan, rowspan] = [to.right - to.left, to.bottom - to.top];
  if (colspan === one.right - one.left && rowspan === one.bottom - one.top) return { ...to, cell };
  const known: readonly number[] | null = cell.attrs.colwidth;
  const colwidth = known?.slice(to.left - one.left, to.right - one.left);
  const attrs = { ...cell.attrs, colspan, rowspan, colwidth: colwidth?.some((one) => one > 0) ? colwidth : null };
  return { ...to, cell: cell.type.create(attrs, cell.content) };
}

/** Each cell in the first place that is left in its row, as browsers do it; one that reaches over others ends before them. */
export function gridOf(rows: readonly (readonly EditorNode[])[]): CellGrid {
  const taken = rows.map(() => new Set<number>());
  const cells: Placed[] = [];
  let width = 0;
  for (const [top, row] of rows.entries()) {
    let left = 0;
    for (const cell of row) {
      while (taken[top]?.has(left)) left++;
      const whole = { cell, left, top, right: left + cell.attrs.colspan, bottom: top + cell.attrs.rowspan };
      let right = left + 1;
      while (right < whole.right && !taken[top]?.has(right)) right++;
      const placed = shrunk(whole, { left, top, right, bottom: Math.min(whole.bottom, rows.length) });
      for (let y = top; y < placed.bottom; y++) for (let x = left; x < right; x++) taken[y]?.add(x);
      cells.push(placed);
      width = Math.max(width, right);
      left = right;
    }
  }
  return { width, height: rows.length, cells };
}

/** The places that no cell takes. */
export function emptyPlaces({ width, height, cells }: CellGrid): readonly Area[] {
  const taken = new Set<number>();
  for (const { left, top, right, bottom } of cells)
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) taken.add(y * width + x);
  const empty: Area[] = [];
  for (let top = 0; top < height; top++)
    for (let left = 0; left < width; left++)
      if (!taken.has(top * width + left)) empty.push({ left, top, right: left + 1, bottom: top + 1 });
  return empty;
}
