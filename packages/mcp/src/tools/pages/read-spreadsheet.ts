import { exportSpreadsheet } from "@svc/sdk";
import * as z from "zod";
import { documentId } from "../../arguments.ts";
import { readingTool } from "../../tool.ts";

const MAX_CHARACTERS = 50_000;

export const readSpreadsheet = readingTool({
  name: "read_spreadsheet",
  title: "Results of a spreadsheet",
  set: "blocks",
  description:
    "The sheets of a spreadsheet with what their formulas give: rows and columns by number and letter, a formula behind its result (46 ⟵ =SUM(D2:D3)). With range only those cells, such as A1:D20. read_document has the formulas alone; edit_markdown changes a cell.",
  scopes: ["documents:read"],
  input: z.strictObject({
    document_id: documentId,
    sheet: z.string().min(1).max(200).optional(),
    range: z.string().min(1).max(40).optional(),
  }),
  run: async (client, { document_id: id, sheet, range }) => {
    const { stream } = await exportSpreadsheet(client, id, { format: "markdown", sheet, range });
    const text = await new Response(stream).text();
    if (text.length <= MAX_CHARACTERS) return { text: text === "" ? "There are no tables in it." : text };
    return { text: `${text.slice(0, MAX_CHARACTERS)}\n\nCut after ${MAX_CHARACTERS} characters: ask for a range.` };
  },
});
