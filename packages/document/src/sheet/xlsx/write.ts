import { given } from "../given.ts";
import { columnName } from "../reference.ts";
import { isOwnFormula } from "../safe-export.ts";
import { columnOf, type SheetSource } from "../table-source.ts";
import { type Scalar, SheetDate, SheetError } from "../value.ts";
import type { Workbook } from "../workbook.ts";
import { escapeXml } from "./xml.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Numbers of the formats in `styles`: as it is, bold, a day, a day with its time, text. */
const FORMAT = { plain: 0, header: 1, date: 2, time: 3, text: 4 } as const;

/** The files of a workbook for Excel and others, by their paths in the archive. */
export function writeWorkbook(book: Workbook): ReadonlyMap<string, string> {
  const names = sheetNames(book.sheets.map(({ name }) => name));
  const files = new Map<string, string>();
  files.set("[Content_Types].xml", contentTypes(names.length));
  files.set("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]]));
  files.set("xl/workbook.xml", workbookXml(names));
  const parts: [string, string][] = names.map((_, i) => ["worksheet", `worksheets/sheet${i + 1}.xml`]);
  files.set("xl/_rels/workbook.xml.rels", relations([...parts, ["styles", "styles.xml"]]));
  files.set("xl/styles.xml", styles);
  names.forEach((_, i) => {
    files.set(`xl/worksheets/sheet${i + 1}.xml`, sheetXml(book, i));
  });
  return files;
}

/** Excel takes no more than 31 characters, some not at all, and no name twice. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return (names.length > 0 ? names : ["Sheet1"]).map((name, i) => {
    const clean =
      name
        .replace(/[[\]:*?/\\]/g, " ")
        .replace(/^'|'$/g, " ")
        .trim()
        .slice(0, 31) || `Sheet${i + 1}`;
    let own = clean;
    for (let n = 2; taken.has(own.toLowerCase()); n++) own = `${clean.slice(0, 27)} ${n}`;
    taken.add(own.toLowerCase());
    return own;
  });
}

const contentTypes = (sheets: number): string =>
  `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${Array.from({ length: sheets }, (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join("")}</Types>`;

const relations = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`).join("")}</Relationships>`;

const workbookXml = (names: readonly string[]): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets><calcPr fullCalcOnLoad="1"/></workbook>`;

const styles = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function sheetXml(book: Workbook, sheet: number): string {
  const source = book.sheets[sheet];
  const freeze = source?.hasHeader
    ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    : "";
  const rows = (source?.rows ?? []).map((row, y) => {
    const cells = row.map((text, x) => cellXml(book, sheet, y, x, text)).join("");
    return cells === "" ? "" : `<row r="${y + 1}">${cells}</row>`;
  });
  return `${HEAD}<worksheet xmlns="${MAIN}">${freeze}<sheetData>${rows.join("")}</sheetData>${source ? choices(source) : ""}</worksheet>`;
}

function cellXml(book: Workbook, sheet: number, row: number, column: number, text: string): string {
  if (text === "") return "";
  const place = `r="${columnName(column)}${row + 1}"`;
  const source = given(book.sheets[sheet]);
  const isHeader = source.hasHeader && row === 0;
  const value = book.value(sheet, row, column);
  const isFormula = book.isFormula(sheet, row, column);
  const style = styleOf(value, isHeader, !isFormula && columnOf(source, column).type === "text");
  const attrs = style === FORMAT.plain ? place : `${place} s="${style}"`;
  if (!isFormula) return plainCell(attrs, isHeader ? text : value, text);
  // A formula that others might do more with than compute is a text there.
  if (!isOwnFormula(text)) return inlineCell(attrs, text);
  return formulaCell(attrs, text.slice(1), value);
}

function styleOf(value: Scalar, isHeader: boolean, isText: boolean): number {
  if (isHeader) return FORMAT.header;
  if (isText) return FORMAT.text;
  if (!(value instanceof SheetDate)) return FORMAT.plain;
  return Number.isInteger(value.serial) ? FORMAT.date : FORMAT.time;
}

const inlineCell = (attrs: string, text: string): string =>
  `<c ${attrs} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, 32_767))}</t></is></c>`;

function plainCell(attrs: string, value: Scalar, text: string): string {
  if (typeof value === "number") return `<c ${attrs}><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c ${attrs} t="b"><v>${Number(value)}</v></c>`;
  if (value instanceof SheetDate) return `<c ${attrs}><v>${value.serial}</v></c>`;
  return inlineCell(attrs, typeof value === "string" ? value : text);
}

function formulaCell(attrs: string, formula: string, value: Scalar): string {
  const source = `<f>${escapeXml(formula)}</f>`;
  if (typeof value === "number") return `<c ${attrs}>${source}<v>${value}</v></c>`;
  if (value instanceof SheetDate) return `<c ${attrs}>${source}<v>${value.serial}</v></c>`;
  if (typeof value === "boolean") return `<c ${attrs} t="b">${source}<v>${Number(value)}</v></c>`;
  if (value instanceof SheetError) return `<c ${attrs} t="e">${source}<v>${errorFor(value)}</v></c>`;
  return `<c ${attrs} t="str">${source}<v>${escapeXml(value ?? "")}</v></c>`;
}

/** Errors of our own have no name elsewhere. */
const errorFor = ({ code }: SheetError): string => (["#CIRC!", "#LIMIT!", "#ERROR!"].includes(code) ? "#REF!" : code);

/** The lists of columns with a choice. */
function choices({ columns, rows }: SheetSource): string {
  const lists = columns.flatMap(({ type, choices }, column) => {
    const list = choices.join(",");
    const fits =
      type === "choice" && list !== "" && list.length <= 255 && !choices.some((choice) => choice.includes(","));
    const letters = columnName(column);
    return fits
      ? `<dataValidation type="list" allowBlank="1" sqref="${letters}2:${letters}${Math.max(2, rows.length)}"><formula1>&quot;${escapeXml(list.replaceAll('"', '""'))}&quot;</formula1></dataValidation>`
      : [];
  });
  return lists.length > 0 ? `<dataValidations count="${lists.length}">${lists.join("")}</dataValidations>` : "";
}
