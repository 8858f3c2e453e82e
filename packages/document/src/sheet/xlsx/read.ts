import { writeNumber } from "../coerce.ts";
import { serialOf, writeDate } from "../dates.ts";
import { TooManyCells } from "../delimited.ts";
import { withoutLiterals } from "../format-parts.ts";
import { given } from "../given.ts";
import { MAX_CELLS, MAX_WIDTH, type TableInput } from "../make-table.ts";
import { type CellReference, readReference } from "../reference.ts";
import { shiftFormula } from "../rewrite-formula.ts";
import { BadXml, readXml } from "./xml.ts";

/** Gives the text of a file of the archive; undefined when it is not there. */
type ReadPart = (path: string) => Promise<string | undefined>;

const MAX_SHEETS = 100;
const MAX_SHARED = 200_000;
/** Characters of all formulas. Without a limit, cells that share one long formula would fill the memory. */
const MAX_FORMULA_CHARACTERS = 16_000_000;

/** The sheets of a workbook of Excel and others, as texts and formulas. Throws `BadXml` or `TooManyCells`. */
export async function readWorkbook(readPart: ReadPart): Promise<readonly TableInput[]> {
  const workbook = await readPart("xl/workbook.xml");
  if (workbook === undefined) throw new BadXml("it has no workbook");
  const { sheets, is1904 } = readSheetList(workbook);
  if (sheets.length > MAX_SHEETS) throw new TooManyCells();
  const targets = readTargets((await readPart("xl/_rels/workbook.xml.rels")) ?? "");
  const context: Context = {
    shared: readShared((await readPart("xl/sharedStrings.xml")) ?? ""),
    dates: readDateStyles((await readPart("xl/styles.xml")) ?? ""),
    shift: is1904 ? serialOf(1904, 1, 1) : 0,
    left: MAX_CELLS,
    formulaCharactersLeft: MAX_FORMULA_CHARACTERS,
  };
  const found: TableInput[] = [];
  for (const { name, relation } of sheets) {
    const target = targets.get(relation);
    const text = target === undefined ? undefined : await readPart(target);
    if (text === undefined) continue;
    const rows = readSheet(text, context);
    context.left -= rows.length * rows.reduce((most, row) => Math.max(most, row.length), 0);
    if (context.left < 0) throw new TooManyCells();
    found.push({ name: name.slice(0, 100), rows });
  }
  return found;
}

interface Context {
  readonly shared: readonly string[];
  /** By the number of a cell's style: whether it shows a day. */
  readonly dates: readonly boolean[];
  /** Days between the workbook's first one and ours. */
  readonly shift: number;
  /** Cells that may still come. */
  left: number;
  formulaCharactersLeft: number;
}

function readSheetList(xml: string) {
  const sheets: { readonly name: string; readonly relation: string }[] = [];
  let is1904 = false;
  for (const piece of readXml(xml)) {
    if (piece.kind !== "open" && piece.kind !== "empty") continue;
    if (piece.name === "sheet")
      sheets.push({ name: piece.attrs.get("name") ?? "", relation: piece.attrs.get("id") ?? "" });
    if (piece.name === "workbookPr") is1904 = /^(1|true)$/.test(piece.attrs.get("date1904") ?? "");
  }
  return { sheets, is1904 };
}

function readTargets(xml: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const piece of readXml(xml)) {
    if ((piece.kind !== "open" && piece.kind !== "empty") || piece.name !== "Relationship") continue;
    const target = piece.attrs.get("Target") ?? "";
    targets.set(piece.attrs.get("Id") ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  }
  return targets;
}

/** Texts that cells name by number; how parts of them look is left out, and so are reading aids. */
function readShared(xml: string): string[] {
  const texts: string[] = [];
  let [text, isText, isAid] = ["", false, false];
  for (const piece of readXml(xml)) {
    if (piece.kind === "text") {
      if (isText && !isAid) text += piece.text;
      continue;
    }
    const isOpen = piece.kind === "open";
    if (piece.name === "t") isText = isOpen;
    else if (piece.name === "rPh") isAid = isOpen;
    else if (piece.name === "si" && piece.kind !== "open") {
      texts.push(text);
      text = "";
      if (texts.length > MAX_SHARED) throw new TooManyCells();
    }
  }
  return texts;
}

/** Formats that every program knows by number and that show a day. */
const isKnownDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

function readDateStyles(xml: string): boolean[] {
  const own = new Map<number, boolean>();
  const dates: boolean[] = [];
  let isCells = false;
  for (const piece of readXml(xml)) {
    if (piece.kind === "close" && piece.name === "cellXfs") isCells = false;
    if (piece.kind !== "open" && piece.kind !== "empty") continue;
    if (piece.name === "cellXfs") isCells = piece.kind === "open";
    const id = Number(piece.attrs.get("numFmtId") ?? 0);
    if (piece.name === "numFmt") own.set(id, showsDay(piece.attrs.get("formatCode") ?? ""));
    if (piece.name === "xf" && isCells) dates.push(own.get(id) ?? isKnownDate(id));
  }
  return dates;
}

const showsDay = (format: string): boolean => /[yd]/i.test(withoutLiterals(format));

interface Cell {
  readonly at: CellReference;
  readonly type: string;
  readonly isDate: boolean;
  value: string;
  formula: string | undefined;
  /** The number of a formula that several cells share. */
  share: string | undefined;
}

function readSheet(xml: string, context: Context): string[][] {
  const rows: string[][] = [];
  const shares = new Map<string, { readonly formula: string; readonly at: CellReference }>();
  let cell: Cell | undefined;
  let inside = "";
  let [rowNumber, column] = [0, 0];
  let width = 0;
  const keep = (done: Cell): void => {
    const text = cellSource(done, shares, context);
    if (text === "") return;
    const { row, column } = done.at;
    width = Math.max(width, column + 1);
    // A single cell far away would make a table of nothing but empty ones.
    if (column >= MAX_WIDTH || (row + 1) * width > context.left) throw new TooManyCells();
    while (rows.length <= row) rows.push([]);
    const line = given(rows[row]);
    while (line.length < column) line.push("");
    line[column] = text;
  };
  for (const piece of readXml(xml)) {
    if (piece.kind === "text") {
      if (cell && (inside === "v" || inside === "t")) cell.value += piece.text;
      else if (cell && inside === "f") cell.formula = (cell.formula ?? "") + piece.text;
      continue;
    }
    if (piece.kind === "close") {
      if (piece.name === "c" && cell) {
        keep(cell);
        cell = undefined;
      }
      inside = "";
      if (piece.name === "sheetData") break;
      continue;
    }
    if (piece.name === "row") {
      const given = Number(piece.attrs.get("r"));
      rowNumber = Number.isInteger(given) && given > 0 ? given : rowNumber + 1;
      column = 0;
    } else if (piece.name === "c") {
      const named = readReference(piece.attrs.get("r") ?? "");
      const at = named ?? { row: Math.max(0, rowNumber - 1), column, fixedRow: false, fixedColumn: false };
      column = at.column + 1;
      const isDate = context.dates[Number(piece.attrs.get("s") ?? 0)] ?? false;
      cell = { at, type: piece.attrs.get("t") ?? "n", isDate, value: "", formula: undefined, share: undefined };
      if (piece.kind === "empty") cell = undefined;
    } else {
      inside = piece.kind === "open" ? piece.name : "";
      if (piece.name === "f" && cell && piece.attrs.get("t") === "shared") cell.share = piece.attrs.get("si");
    }
  }
  return rows;
}

/** The table's text for a cell: its formula, or its value as text. */
function cellSource(cell: Cell, shares: Map<string, { formula: string; at: CellReference }>, context: Context): string {
  const formula = formulaOf(cell, shares);
  if (formula !== undefined) {
    context.formulaCharactersLeft -= formula.length;
    if (context.formulaCharactersLeft < 0) throw new TooManyCells();
    return formula;
  }
  switch (cell.type) {
    case "s":
      return asText(context.shared[Number(cell.value)] ?? "");
    case "inlineStr":
    case "str":
      return asText(cell.value);
    case "b":
      return cell.value.trim() === "1" ? "TRUE" : "FALSE";
    case "e":
      return cell.value.trim();
    default:
      return numberText(cell, context);
  }
}

/** A text that would be taken for a formula here says that it is none. */
const asText = (text: string): string => (text.startsWith("=") || text.startsWith("'") ? `'${text}` : text);

function numberText({ value, isDate, type }: Cell, { shift }: Context): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number) || type === "d") return value.trim();
  return isDate && number + shift >= 0 && number + shift < 2_958_466 ? writeDate(number + shift) : writeNumber(number);
}

function formulaOf(cell: Cell, shares: Map<string, { formula: string; at: CellReference }>): string | undefined {
  const own = cell.formula?.trim() ? `=${cell.formula.trim().replaceAll("_xlfn.", "")}` : undefined;
  if (cell.share === undefined) return own;
  if (own !== undefined) {
    shares.set(cell.share, { formula: own, at: cell.at });
    return own;
  }
  const first = shares.get(cell.share);
  return first && shiftFormula(first.formula, cell.at.row - first.at.row, cell.at.column - first.at.column);
}
