import { readDelimited, separatorOf, TooManyCells } from "@svc/document/sheet/delimited";
import { MAX_CELLS, MAX_WIDTH, type TableInput } from "@svc/document/sheet/make-table";
import { readWorkbook } from "@svc/document/sheet/xlsx/read";
import { BadXml } from "@svc/document/sheet/xlsx/xml";
import { openArchive } from "../../../archives/open-archive.ts";
import { ImportRefused } from "../../../archives/refused.ts";

export interface SentFile {
  readonly format: "csv" | "xlsx";
  readonly content: string;
}

/** The tables of a file, or why it is refused. */
type ReadTables = { readonly tables: readonly TableInput[] } | { readonly refusal: string };

const MAX_PARTS = 2000;
/** Limit of unpacked bytes, for one file of an archive and for all together. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PART_BYTES = 32 * 1024 * 1024;

const TOO_LARGE = `A spreadsheet takes at most ${MAX_CELLS} cells and ${MAX_WIDTH} columns, empty ones between others included.`;

export async function readTables({ format, content }: SentFile): Promise<ReadTables> {
  try {
    const tables =
      format === "csv" ? [{ rows: readDelimited(content, separatorOf(content), MAX_CELLS) }] : await readXlsx(content);
    return tables.every(fits) ? { tables } : { refusal: TOO_LARGE };
  } catch (error) {
    if (error instanceof TooManyCells) return { refusal: TOO_LARGE };
    if (error instanceof BadXml) return { refusal: `The file is no XLSX workbook: ${error.message}.` };
    if (error instanceof ImportRefused) return { refusal: error.message };
    throw error;
  }
}

/** Rows are padded to the widest, so empty cells count. */
function fits({ rows }: TableInput): boolean {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return width <= MAX_WIDTH && width * rows.length <= MAX_CELLS;
}

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
