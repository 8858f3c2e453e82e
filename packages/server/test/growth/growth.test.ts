import assert from "node:assert/strict";
import { test } from "node:test";
import { readText } from "@svc/document/sheet/read-text";
import { Workbook } from "@svc/document/sheet/workbook";
import { readWorkbook } from "@svc/document/sheet/xlsx/read";
import { readXml } from "@svc/document/sheet/xlsx/xml";
import { countBuiltIns } from "../support/steps/count-steps.ts";
import { steepInputs } from "./growth.ts";
import { inputs } from "./inputs.ts";

/** A workbook with one hostile part. */
async function readWithFormat(format: string): Promise<void> {
  const code = format.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll(">", "&gt;");
  const styles = `<numFmts><numFmt formatCode="${code}"/></numFmts>`;
  const parts: Readonly<Record<string, string>> = { "xl/workbook.xml": "<workbook/>", "xl/styles.xml": styles };
  await readWorkbook(async (path) => parts[path]);
}

const formula = (source: string) => (text: string) =>
  new Workbook([{ name: "A", rows: [[text, source]], columns: [{ type: "text", choices: [] }], hasHeader: false }], {
    now: 0,
  }).value(0, 0, 1);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "attributes of XML": (text) => [...readXml(`<a ${text}>`)],
  "formats of a workbook": readWithFormat,
  "a cell": readText,
  TEXT: formula('=TEXT(1,A1&"y")'),
  VALUE: formula("=VALUE(A1)"),
};

for (const [name, run] of Object.entries(readers))
  test(`SHEET3 ${name}: ten times as much text takes about ten times the steps`, async () => {
    assert.deepEqual(await steepInputs(countBuiltIns, inputs, run), []);
  });

test("SHEET3 what takes the square of its length is found", async () => {
  assert.notDeepEqual(await steepInputs(countBuiltIns, inputs, (text) => text.replace(/\s+$/, "")), []);
});
