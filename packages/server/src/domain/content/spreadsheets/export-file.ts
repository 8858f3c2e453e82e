import { Readable } from "node:stream";
import { writeCsv } from "@svc/document/sheet/delimited";
import { exportRows } from "@svc/document/sheet/safe-export";
import type { Workbook } from "@svc/document/sheet/workbook";
import { writeWorkbook } from "@svc/document/sheet/xlsx/write";
import { safeName } from "../../../archives/safe-name.ts";
import { writeZip } from "../../../archives/write-zip.ts";
import type { Answer } from "../../../http/answer.ts";
import { contentDisposition } from "../attachments/file-name.ts";

export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const file = (name: string, contentType: string, body: string | Readable): Answer => ({
  headers: {
    "content-disposition": contentDisposition("attachment", name),
    "cache-control": "private, no-store",
  },
  raw: { contentType, body },
});

export function csvAnswer(
  title: string,
  book: Workbook,
  sheet: number | undefined,
  values: "results" | "formulas",
): Answer {
  const text = sheet === undefined ? "" : writeCsv(exportRows(book, sheet, values));
  return file(`${safeName(title)}.csv`, "text/csv; charset=utf-8", text);
}

export const xlsxAnswer = (title: string, book: Workbook): Answer =>
  file(`${safeName(title)}.xlsx`, XLSX_TYPE, Readable.from(writeZip(entriesOf(book))));

async function* entriesOf(book: Workbook) {
  const modified = new Date();
  for (const [path, text] of writeWorkbook(book)) yield { path, modified, content: Buffer.from(text) };
}
