/** A cell, counted from 0. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Cells from the one where a selection began to the one that it was brought to. */
export interface Selection {
  readonly anchor: CellPosition;
  readonly head: CellPosition;
}

export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export const areaOf = ({ anchor, head }: Selection): Area => ({
  top: Math.min(anchor.row, head.row),
  left: Math.min(anchor.column, head.column),
  bottom: Math.max(anchor.row, head.row),
  right: Math.max(anchor.column, head.column),
});

export const isIn = ({ top, left, bottom, right }: Area, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

export const at = (row: number, column: number): Selection => ({ anchor: { row, column }, head: { row, column } });

interface Size {
  readonly rows: number;
  readonly columns: number;
}

const within = (number: number, count: number): number => Math.max(0, Math.min(count - 1, number));

/** Limits a position to the sheet. */
export const clamp = ({ row, column }: CellPosition, { rows, columns }: Size): CellPosition => ({
  row: within(row, rows),
  column: within(column, columns),
});

/** The target of Ctrl and an arrow: the last filled cell of a run, or over empty cells to the next filled one. */
export function jump(
  from: CellPosition,
  step: CellPosition,
  size: Size,
  isFilled: (place: CellPosition) => boolean,
): CellPosition {
  const next = (place: CellPosition): CellPosition => ({
    row: place.row + step.row,
    column: place.column + step.column,
  });
  const isInside = ({ row, column }: CellPosition) =>
    row >= 0 && column >= 0 && row < size.rows && column < size.columns;
  let place = from;
  const runsOn = isFilled(from) && isInside(next(from)) && isFilled(next(from));
  while (isInside(next(place))) {
    if (runsOn && !isFilled(next(place))) break;
    place = next(place);
    if (!runsOn && isFilled(place)) break;
  }
  return place;
}
