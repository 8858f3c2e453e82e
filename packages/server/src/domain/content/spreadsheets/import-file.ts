import { DocumentError } from "@svc/document/errors";
import { keepIds, makeTable, type TableInput } from "@svc/document/sheet/make-table";
import type { Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import { parseBlocks } from "../../../bodies/parsing/parse-blocks.ts";
import type { Config } from "../../../config.ts";
import { yieldToWriters } from "../../../db/transaction/yield-to-writers.ts";
import { isTooSlow } from "../../../threads/pool.ts";
import { chosenSheets, namesOf } from "./read-sheets.ts";
import { readTables, type SentFile } from "./read-tables.ts";
import { runSheetTask } from "./run-sheet-task.ts";

/** Parsing a CSV file up to this length is faster than sending it to a worker. */
const SHORT = 20_000;
const DEADLINE_MS = 20_000;

const refused = (message: string): DocumentError => new DocumentError("invalid_document", message);

/**
 * Reads the tables of a file. Returns refusals instead of throwing, so that errors about document and version come
 * first.
 */
export async function readFile(file: SentFile): Promise<readonly TableInput[] | DocumentError> {
  try {
    const isShort = file.format === "csv" && file.content.length <= SHORT;
    const read = await (isShort ? readTables(file) : runSheetTask("readTables", file, DEADLINE_MS));
    return "tables" in read ? read.tables : refused(read.refusal);
  } catch (error) {
    if (isTooSlow(error)) return refused("Reading the file takes too long.");
    throw error;
  }
}

/**
 * The body with a file's tables. Cells keep the ids of those at the same position, and columns their types. `sheet`
 * limits the import to one sheet; a new name is appended.
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
  // A file with many cells takes long; yield between steps.
  await yieldToWriters();
  return parseBlocks({ format: "tiptap-json", document: { type: "doc", content } }, blocks, {
    documentType,
    maxCharacters,
  });
}

function withSheet(blocks: readonly Node[], tables: readonly TableInput[], sheet: string): readonly Node[] {
  const [first, ...more] = tables;
  if (!first || more.length > 0) throw refused("To replace one sheet, the file must have exactly one.");
  const names = namesOf(blocks);
  const isThere = names.some(({ name, id }) => name.toLowerCase() === sheet.toLowerCase() || id === sheet);
  if (!isThere) return [...blocks, makeTable({ ...first, name: sheet })];
  const [index] = chosenSheets(names, sheet);
  return blocks.map((block, i) => (i === index ? keepIds(makeTable({ rows: first.rows }), block) : block));
}
