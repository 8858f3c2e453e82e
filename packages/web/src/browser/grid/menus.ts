/** The menus of a spreadsheet's toolbar. */
import type { Action } from "../islands/common/menu.ts";
import type { Grid } from "./grid.ts";

/** Formats as the function TEXT takes them. */
const formats: readonly (readonly [name: string, format: string | undefined])[] = [
  ["As typed", undefined],
  ["1,234", "#,##0"],
  ["1,234.50", "#,##0.00"],
  ["12 %", "0 %"],
  ["12.50 %", "0.00 %"],
  ["€ 1,234.50", '"€ "#,##0.00'],
  ["$ 1,234.50", '"$ "#,##0.00'],
  ["£ 1,234.50", '"£ "#,##0.00'],
  ["1.23E+03", "0.00E+00"],
  ["2026-12-24", "yyyy-mm-dd"],
  ["24 Dec 2026", "d mmm yyyy"],
  ["24/12/2026", "dd/mm/yyyy"],
  ["12/24/2026", "mm/dd/yyyy"],
  ["December 2026", "mmmm yyyy"],
  ["14:30", "hh:mm"],
];

/** The actions of each menu; `rename` and `ask` need the bars around the grid. */
export function menusOf(
  grid: Grid,
  { rename, ask }: { readonly rename: () => void; readonly ask: () => void },
): Readonly<Record<string, readonly [label: string, actions: readonly Action[]]>> {
  const { model, area } = grid;
  const { anchor } = grid.selection;
  const rows = area.bottom - area.top + 1;
  const columns = area.right - area.left + 1;
  const current = model.format(anchor.column);
  const many = (count: number, one: string) => (count === 1 ? `Delete ${one}` : `Delete ${count} ${one}s`);
  return {
    "menu-format": [
      "Format",
      [
        ...formats.map(([name, format]) => ({
          label: format === current ? `${name} ✓` : name,
          run: () => model.setFormat(area.left, area.right, format),
        })),
        { label: "Other…", run: ask },
      ],
    ],
    "menu-row": [
      "Row",
      [
        { label: "Insert row above", run: () => model.insertRows(anchor.row) },
        { label: "Insert row below", run: () => model.insertRows(anchor.row + 1) },
        { label: "Fill down", run: () => grid.fill("row") },
        { label: many(rows, "row"), isDanger: true, run: () => model.removeRows(area.top, rows) },
      ],
    ],
    "menu-column": [
      "Column",
      [
        { label: "Insert column before", run: () => model.insertColumn(anchor.column) },
        { label: "Insert column after", run: () => model.insertColumn(anchor.column + 1) },
        { label: "Freeze up to this column", run: () => freeze(grid, anchor.column + 1) },
        ...(model.frozen > 0 ? [{ label: "Unfreeze columns", run: () => freeze(grid, 0) }] : []),
        { label: many(columns, "column"), isDanger: true, run: () => model.removeColumns(area.left, columns) },
      ],
    ],
    "menu-sort": [
      "Sort",
      [
        { label: "Smallest first (A → Z)", run: () => grid.sort(false) },
        { label: "Largest first (Z → A)", run: () => grid.sort(true) },
      ],
    ],
    "menu-sheet": [
      "Sheet",
      [
        { label: "Add sheet", run: () => model.addTable() },
        { label: "Rename sheet", run: rename },
      ],
    ],
  };
}

const freeze = ({ model }: Grid, count: number): void => {
  model.frozen = count;
};
