import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { writeInline } from "./serialise-inline.ts";
import { inBlock, type WriteContext, warn, warnLostAttrs } from "./warning.ts";

const rules: Readonly<Record<string, string>> = { left: ":---", center: ":---:", right: "---:" };

/** Columns up to which wide cells are filled up with empty ones. */
const MAX_FILLED = 1000;

const span = (cell: Node, name: "colspan" | "rowspan"): number => {
  const value = cell.attrs?.[name];
  return typeof value === "number" && value > 1 ? Math.min(Math.floor(value), 1000) : 1;
};

/** The blocks of a cell that hold text themselves, in order. */
function textBlocks(nodes: readonly Node[], found: Node[] = []): Node[] {
  for (const node of nodes) {
    const isText = ["paragraph", "heading", "codeBlock", "detailsSummary"].includes(node.type);
    if (isText || !node.content || node.content.length === 0) found.push(node);
    else textBlocks(node.content, found);
  }
  return found;
}

const asInline = (node: Node): readonly Node[] => {
  if (node.type === "codeBlock")
    return (node.content ?? []).map((child) => ({ type: "text", text: child.text ?? "", marks: [{ type: "code" }] }));
  if (node.type === "image") return [{ ...node, type: "inlineImage" }];
  if (node.type === "blockMath") return [{ ...node, type: "inlineMath" }];
  if (node.type === "attachment") return [{ type: "text", text: String(node.attrs?.name ?? "") }];
  return node.content ?? [];
};

function writeCell(cell: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, cell, ["align", "colspan", "rowspan"]);
  const content = cell.content ?? [];
  if (content.length !== 1 || defined(content[0]).type !== "paragraph")
    warn(
      ctx,
      "block_in_table_cell",
      cell.type,
      "A table cell holds one line in Markdown; its blocks were joined by breaks.",
    );
  const lines = textBlocks(content).map((block) => {
    const blockCtx = inBlock(ctx, block);
    if (block.type === "paragraph") warnLostAttrs(blockCtx, block, []);
    return writeInline(asInline(block), blockCtx, "cell");
  });
  return lines.join("<br>").replaceAll("|", "\\|");
}

/** Rows as a grid: what a merged cell covers is left empty. */
function writeGrid(table: Node, ctx: WriteContext): string[][] {
  const grid: string[][] = [];
  /** For each column, how many more rows a cell from above covers. */
  const covered: number[] = [];
  for (const row of table.content ?? []) {
    warnLostAttrs(inBlock(ctx, row), row, []);
    const line: string[] = [];
    const skip = (): void => {
      while ((covered[line.length] ?? 0) > 0) {
        covered[line.length]!--;
        line.push("");
      }
    };
    for (const cell of row.content ?? []) {
      skip();
      const cellCtx = inBlock(ctx, cell);
      const [columns, rows] = [span(cell, "colspan"), span(cell, "rowspan")];
      if (columns > 1 || rows > 1)
        warn(cellCtx, "merged_cells", cell.type, "Merged cells were written as separate cells.");
      const text = writeCell(cell, cellCtx);
      const room = Math.max(1, MAX_FILLED - line.length);
      for (let i = 0; i < Math.min(columns, room); i++) {
        covered[line.length] = rows - 1;
        line.push(i === 0 ? text : "");
      }
    }
    skip();
    grid.push(line);
  }
  return grid;
}

const alignOf = (cell: Node | undefined): string => {
  const align = cell?.attrs?.align;
  return typeof align === "string" && rules[align] ? align : "";
};

function warnShape(table: Node, grid: readonly string[][], ctx: WriteContext): void {
  const [head, ...rest] = table.content ?? [];
  const aligns = head?.content?.map(alignOf) ?? [];
  if (head?.content?.some((cell) => cell.type !== "tableHeader"))
    warn(ctx, "table_shape", table.type, "A Markdown table begins with a header; the first row was written as one.");
  if (rest.some((row) => row.content?.some((cell) => cell.type === "tableHeader")))
    warn(ctx, "table_shape", table.type, "Header cells below the first row were written as plain cells.");
  if (grid.some((line) => line.length !== defined(grid[0]).length))
    warn(ctx, "table_shape", table.type, "Rows of different length were filled up with empty cells.");
  if (rest.some((row) => row.content?.some((cell, i) => alignOf(cell) !== (aligns[i] ?? ""))))
    warn(ctx, "table_shape", table.type, "A column is aligned as its header is.");
}

export function writeTable(table: Node, ctx: WriteContext): string {
  warnLostAttrs(ctx, table, []);
  const grid = writeGrid(table, ctx);
  warnShape(table, grid, ctx);
  const width = grid.reduce((widest, line) => Math.max(widest, line.length), 1);
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const all = Array.from({ length: width }, (_, i) => i);
  const head = table.content?.[0]?.content ?? [];
  // Only the header must reach the full width: cells beyond it would be lost, cells short of it are added by the reader.
  const top = [row(all.map((i) => grid[0]?.[i] ?? "")), row(all.map((i) => rules[alignOf(head[i])] ?? "---"))];
  return [...top, ...grid.slice(1).map((cells) => row(cells.length > 0 ? cells : [""]))].join("\n");
}
