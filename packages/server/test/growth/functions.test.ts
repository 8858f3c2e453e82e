import assert from "node:assert/strict";
import { test } from "node:test";
import { readDelimited } from "@svc/document/sheet/delimited";
import { functionNames } from "@svc/document/sheet/evaluate";
import { formatNumber } from "@svc/document/sheet/format-number";
import { parseFormula } from "@svc/document/sheet/parse";
import { adjustFormula, renameInFormula, shiftFormula } from "@svc/document/sheet/rewrite-formula";
import { Workbook } from "@svc/document/sheet/workbook";
import { countBuiltIns } from "../support/steps/count-steps.ts";
import { steepInputs } from "./growth.ts";
import { inputs } from "./inputs.ts";

const columns = [0, 1].map(() => ({ type: "text" as const, choices: [] }));
const computed = (text: string, source: string) =>
  new Workbook([{ name: "A", rows: [[text, source]], columns, hasHeader: false }], { now: 0 }).value(0, 0, 1);

/** The long text as each argument, beside short ones, and as all of them. */
const argumentLists = ["A1", "A1,A1", 'A1,"a"', '"a",A1', 'A1,"a",1', '"a",A1,1', '"a","a",A1', 'A1,1,1,"a"'];

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "a formula": parseFormula,
  "a formula that moves": (text) => [
    shiftFormula(`=${text}`, 1, 1),
    adjustFormula(`=${text}`, "A", "A", { axis: "row", at: 0, count: 1 }),
    renameInFormula(`=${text}`, "A", "B"),
  ],
  "a format": (text) => [formatNumber(1234.5, text), formatNumber("a", text)],
  CSV: (text) => [readDelimited(text, ","), readDelimited(text, ";")],
};

for (const [name, run] of Object.entries(readers))
  test(`SHEET3 ${name}: ten times as much text takes about ten times the steps`, async () => {
    assert.deepEqual(await steepInputs(countBuiltIns, inputs, run), []);
  });

test("SHEET3 every function: ten times as much text takes about ten times the steps", async () => {
  const steep: string[] = [];
  for (const name of functionNames)
    for (const list of argumentLists)
      for (const one of await steepInputs(countBuiltIns, inputs.slice(0, 12), (text) =>
        computed(text, `=${name}(${list})`),
      ))
        steep.push(`${name}(${list}) ${one}`);
  assert.deepEqual(steep, []);
});
