import { Type } from "typebox";
import { changeBody } from "../../../bodies/change-body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { actorOf } from "../../../events/actor.ts";
import { ok } from "../../../http/answer.ts";
import { put, type Route, read } from "../../../http/route.ts";
import { flag, object, oneOf, plainText } from "../../../http/schemas.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { answerWritten } from "../content/answer-written.ts";
import { dryRun, exampleWritten, Written } from "../content/schema.ts";
import { computedBook } from "./computed-book.ts";
import { csvAnswer, XLSX_TYPE, xlsxAnswer } from "./export-file.ts";
import { readFile, tablesOver } from "./import-file.ts";
import { chosenSheets, namesOf, readSheet, sheetsMarkdown, wantedRange } from "./read-sheets.ts";
import { exampleSpreadsheet, exportFormats, SheetFile, Spreadsheet, sheetQuery } from "./schema.ts";

const tag = "Body";

export const spreadsheetRoutes: Route[] = [
  read({
    operation: "get_spreadsheet",
    path: "/documents/{id}/spreadsheet",
    tag,
    summary: "The tables of a document as sheets, with the results of their formulas.",
    description:
      "A sheet is a top-level table; `A1` is its first cell, the header's row included. A cell whose text begins with `=` is a formula: the body keeps it as it is written, and its result is computed here, with the time of the request for `TODAY` and `NOW`. `json` has the shown values and beside them the formulas; `markdown` is for reading and has both in the cell (`4 ⟵ =B2*2`); `csv` (one sheet) and `xlsx` (all of them) are files. In CSV a text that another program would take for a formula has an apostrophe before it.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: object({
      ...sheetQuery,
      format: Type.Optional(oneOf(exportFormats)),
      range: Type.Optional(
        plainText(40, "With `json` and `markdown`: cells such as `A1:D20`. At most 20,000 cells come at once."),
      ),
      values: Type.Optional(
        oneOf(["results", "formulas"], "With `csv`: results (default), or formulas as they are written."),
      ),
      live: flag("First bring in what people are typing in the browser."),
    }),
    success: {
      status: 200,
      description: "The sheets.",
      data: Spreadsheet,
      content: ["text/markdown", "text/csv", XLSX_TYPE],
      headers: { "Content-Disposition": "With `csv` and `xlsx`: `attachment`, with a file name." },
      example: exampleSpreadsheet,
    },
    handler: async ({ app, caller, db, params, query }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const { title } = await getDocument(db, caller.workspaceId, params.id);
      if (query.live) await app.live.bringIn(key);
      const body = await readBody(db, key);
      const { blocks, version } = body;
      const names = namesOf(blocks);
      const chosen = chosenSheets(names, query.sheet);
      const range = wantedRange(query.range);
      const book = await computedBook(body, Date.now());
      if (query.format === "xlsx") return xlsxAnswer(title, book);
      if (query.format === "csv") return csvAnswer(title, book, chosen[0], query.values ?? "results");
      const sheets = chosen.map((sheet) => readSheet(book, names, sheet, range));
      if (query.format === "markdown")
        return { raw: { contentType: "text/markdown; charset=utf-8", body: sheetsMarkdown(sheets) } };
      return ok({ version, sheets });
    },
  }),
  put({
    operation: "put_spreadsheet",
    path: "/documents/{id}/spreadsheet",
    tag,
    summary: "Replace the sheets of a spreadsheet by those of a CSV or XLSX file.",
    description:
      "Cells keep the ids of those that stood at their places, and columns their types; the first row is the header. With `sheet` only that one is replaced, or added when there is none of the name. Of XLSX come texts, numbers, days and formulas; what else is there (pictures, macros, links to other files) stays out. At most 100,000 cells.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: DocumentParams,
    query: object({ ...sheetQuery, dry_run: dryRun() }),
    body: SheetFile,
    bodyExample: { format: "csv", content: "Item,Price\nPen,2\n" },
    ifMatch: "required",
    etag: true,
    errors: ["invalid_document", "document_too_large"],
    success: { status: 200, description: "The new version.", data: Written, example: exampleWritten },
    prepare: ({ body }) => readFile(body),
    handler: async (input) => {
      const { app, caller, tx, params, query, prepared } = input;
      const changed = await changeBody(app, tx, {
        key: { workspaceId: caller.workspaceId, documentId: params.id },
        reason: "content",
        actor: actorOf(input),
        expected: input.ifMatch,
        needsExpected: true,
        edit: (current) => {
          if (prepared instanceof Error) throw prepared;
          return tablesOver(current, prepared, { sheet: query.sheet, ...app.config });
        },
      });
      return answerWritten(changed, { dryRun: query.dry_run });
    },
  }),
];
