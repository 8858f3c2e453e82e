import { columnTypes } from "@svc/document/sheet/table-source";
import { Type } from "typebox";
import { named, object, oneOf, plainText } from "../../../http/schemas.ts";

const Column = object({
  type: oneOf(columnTypes),
  choices: Type.Array(Type.String(), { description: "The options of a `choice` column." }),
});

const Sheet = named(
  "Sheet",
  object({
    block_id: Type.String({ description: "The table." }),
    name: Type.String(),
    row_count: Type.Integer(),
    column_count: Type.Integer(),
    has_header: Type.Boolean({ description: "The first row names the columns." }),
    columns: Type.Array(Column),
    range: Type.String({ description: "The range of `values`, such as `A1:D20`." }),
    values: Type.Array(Type.Array(Type.String()), {
      description: "Rows of what the cells show: their texts, and the results of formulas.",
    }),
    formulas: Type.Record(Type.String(), Type.String(), {
      description: "The formulas among them by cell, such as `D2` → `=B2*C2`.",
    }),
    has_more: Type.Boolean({ description: "There are rows below that did not fit; ask for their `range`." }),
  }),
);

export const Spreadsheet = named("Spreadsheet", object({ version: Type.String(), sheets: Type.Array(Sheet) }));

export const exampleSpreadsheet = {
  version: "v1_3f2a",
  sheets: [
    {
      block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCR",
      name: "Sheet1",
      row_count: 2,
      column_count: 3,
      has_header: true,
      columns: [
        { type: "auto", choices: [] },
        { type: "number", choices: [] },
        { type: "auto", choices: [] },
      ],
      range: "A1:C2",
      values: [
        ["Item", "Price", "Double"],
        ["Pen", "2", "4"],
      ],
      formulas: { C2: "=B2*2" },
      has_more: false,
    },
  ],
};

export const sheetQuery = {
  sheet: Type.Optional(
    plainText(200, "One sheet: its name or the id of its table. Without it all of them, or for CSV the first."),
  ),
};

export const exportFormats = ["json", "markdown", "csv", "xlsx"] as const;

export const SheetFile = object({
  format: oneOf(["csv", "xlsx"]),
  content: Type.String({ description: "The text of a CSV file, or the bytes of an XLSX file in base64." }),
});
