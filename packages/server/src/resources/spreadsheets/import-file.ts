import { DocumentError } from "@svc/document/errors";
import { readDelimited, separatorOf, TooManyCells } from "@svc/document/sheet/delimited";
import { keepIds, MAX_CELLS, MAX_WIDTH, makeTable, type TableInput } from "@svc/document/sheet/make-table";
import { readWorkbook } from "@svc/document/sheet/xlsx/read";
import { BadXml } from "@svc/document/sheet/xlsx/xml";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../bodies/body.ts";
import type { Config } from "../../config.ts";
import { yieldToWriters } from "../../db/transaction/yield-to-writers.ts";
import { parseBlocks } from "../content/parse-blocks.ts";
import { openArchive } from "../import/open-archive.ts";
import { ImportRefused } from "../import/refused.ts";
import { chosenSheets, openBook } from "./read-sheets.ts";

interface SentFile {
  readonly format: "csv" | "xlsx";
  readonly content: string;
}

const MAX_PARTS = 2000;
/** Of all files of an archive unpacked, and of one of them. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PART_BYTES = 32 * 1024 * 1024;

const refused = (message: string): DocumentError => new DocumentError("invalid_document", message);

/** The tables of a file. Refusals are given back, so that they come after those of document and version. */
export async function readFile({ format, content }: SentFile): Promise<readonly TableInput[] | DocumentError> {
  try {
    const tables =
      format === "csv" ? [{ rows: readDelimited(content, separatorOf(content), MAX_CELLS) }] : await readXlsx(content);
    return tables.every(fits) ? tables : tooLarge();
  } catch (error) {
    if (error instanceof DocumentError) return error;
    if (error instanceof TooManyCells) return tooLarge();
    if (error instanceof BadXml) return refused(`The file is no XLSX workbook: ${error.message}.`);
    if (error instanceof ImportRefused) return refused(error.message);
    throw error;
  }
}

/** Empty cells fill rows up to the widest: they count. */
function fits({ rows }: TableInput): boolean {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return width <= MAX_WIDTH && width * rows.length <= MAX_CELLS;
}

const tooLarge = (): DocumentError =>
  refused(
    `A spreadsheet takes at most ${MAX_CELLS} cells and ${MAX_WIDTH} columns, empty ones between others included.`,
  );

async function readXlsx(content: string): Promise<readonly TableInput[]> {
  const archive = await openArchive(Buffer.from(content, "base64"), { maxEntries: MAX_PARTS, maxBytes: MAX_BYTES });
  try {
    return await readWorkbook(async (path) =>
      archive.has(path) ? (await archive.read(path, MAX_PART_BYTES)).toString("utf8") : undefined,
    );
  } finally {
    archive.close();
  }
}

/**
 * The body with a file's tables. Cells keep the ids of those that stood at their places, and columns their types. `sheet`
 * names the only sheet that is replaced; one of a new name comes behind the others.
 */
export async function tablesOver(
  current: StoredBody,
  tables: readonly TableInput[],
  {
    sheet,
    maxDocumentCharacters: maxCharacters,
  }: Pick<Config, "maxDocumentCharacters"> & { readonly sheet?: string | undefined },
): Promise<readonly Node[]> {
  const { documentType, blocks } = current;
  if (documentType !== "spreadsheet") throw refused("The document is no spreadsheet.");
  const content =
    sheet === undefined
      ? tables.map((table, i) => keepIds(makeTable(table), blocks[i]))
      : withSheet(blocks, tables, sheet);
  // A file of many cells takes long: others run between its steps.
  await yieldToWriters();
  return parseBlocks({ format: "tiptap-json", document: { type: "doc", content } }, blocks, {
    documentType,
    maxCharacters,
  });
}

function withSheet(blocks: readonly Node[], tables: readonly TableInput[], sheet: string): readonly Node[] {
  const [first, ...more] = tables;
  if (!first || more.length > 0) throw refused("To replace one sheet, the file must have exactly one.");
  const open = openBook(blocks, 0);
  const isThere =
    open.book.sheets.some(({ name }) => name.toLowerCase() === sheet.toLowerCase()) ||
    open.tables.some(({ attrs }) => attrs?.id === sheet);
  if (!isThere) return [...blocks, makeTable({ ...first, name: sheet })];
  const [place] = chosenSheets(open, sheet);
  return blocks.map((block, i) => (i === place ? keepIds(makeTable({ rows: first.rows }), block) : block));
}
