import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adjustFormula, renameInFormula, shiftFormula } from "./rewrite-formula.ts";
import { type Column, tableSource } from "./table-source.ts";
import { Workbook } from "./workbook.ts";

const now = Date.UTC(2026, 0, 31, 12);

/** A sheet from rows of cells between bars. */
const sheet = (text: string, name = "Sheet1", columns: readonly Column[] = []) => ({
  name,
  rows: text.split("\n").map((line) => line.split("|").map((cell) => cell.trim())),
  columns,
  hasHeader: false,
});

const shown = (text: string, row: number, column: number): string =>
  new Workbook([sheet(text)], { now }).shown(0, row, column);

test("SHEET1 a cell shows its text, or what its formula gives", () => {
  const book = new Workbook([sheet("2|3|=A1*B1|=C1+1\n'=A1|2026-01-30|=B2+1|=SUM(A1:B1)")], { now });
  assert.deepEqual(
    [0, 1].map((row) => [0, 1, 2, 3].map((column) => book.shown(0, row, column))),
    [
      ["2", "3", "6", "7"],
      ["=A1", "2026-01-30", "2026-01-31", "5"],
    ],
  );
});

const sales = `Region|Item|Amount|Day
North|Pen|10|2026-01-01
South|Pen|20|2026-01-02
North|Book|30|2026-01-03
West|Book|40|2026-02-01
North|pencil||
`;

const overSales: readonly (readonly [formula: string, result: string])[] = [
  ['=SUMIF(A2:A6,"North",C2:C6)', "40"],
  ['=SUMIFS(C2:C6,A2:A6,"North",B2:B6,"Book")', "30"],
  ['=COUNTIF(C2:C6,">=20")', "3"],
  ['=COUNTIF(B2:B6,"pen*")', "3"],
  ['=COUNTIF(A2:A6,"<>North")', "2"],
  ['=COUNTIFS(A2:A6,"North",C2:C6,"<25")', "1"],
  ['=AVERAGEIF(A2:A6,"North",C2:C6)', "20"],
  ['=AVERAGEIFS(C2:C6,B2:B6,"Pen")', "15"],
  ['=MINIFS(C2:C6,B2:B6,"Book")', "30"],
  ['=MAXIFS(D2:D6,A2:A6,"North")', "2026-01-03"],
  ["=COUNTBLANK(C2:C6)", "1"],
  ["=SUM(C:C)", "100"],
  ["=MAX(D2:D6)", "2026-02-01"],
  ["=COUNT(A1:D6)", "8"],
  ["=AVERAGEA(C1:C6)", "20"],
  ["=SUBTOTAL(9,C2:C6)", "100"],
  ['=VLOOKUP("West",A1:C6,3,FALSE)', "40"],
  ["=LOOKUP(25,C2:C5,A2:A5)", "South"],
  ['=INDEX(C1:C6,MATCH("Book",B1:B6,0))', "30"],
  ['=XLOOKUP("West",A2:A6,C2:C6)', "40"],
  ['=TEXTJOIN(", ",TRUE,B2:B4)', "Pen, Pen, Book"],
  ["=CONCAT(A2:B2)", "NorthPen"],
  ["=ROW(C5)&COLUMN(C5)&ROW()", "531"],
  ['=SUMPRODUCT((A2:A6="North")*C2:C6)', "40"],
  ["=INDEX(TRANSPOSE(A1:B2),2,1)", "Item"],
  ['=SWITCH(C3,10,"ten",20,"twenty","other")', "twenty"],
  ["=IFS(C2>15,1,C3>15,2)", "2"],
  ["=ERROR.TYPE(1/0)", "2"],
  ["=ISBLANK(C6)", "TRUE"],
  ["=RANK.EQ(C3,C2:C5)", "3"],
  ["=ROUND(STDEV(C2:C5),4)", "12.9099"],
  ["=STDEV.S(C2:C5)=STDEV(C2:C5)", "TRUE"],
  ["=VAR.P(C2:C5)=STDEV.P(C2:C5)^2", "TRUE"],
  ["=ROUND(VAR.S(C2:C5),2)", "166.67"],
  ["=PERCENTILE.INC(C2:C5,0.5)+QUARTILE.INC(C2:C5,2)", "50"],
  ["=MODE.SNGL(C2:C5,10)", "10"],
  ["=FORECAST(5,C2:C5,{1;2;3;4})", "50"],
  ['=CLEAN("a"&CHAR(10)&"b")', "ab"],
  ['=TIMEVALUE("12:00")', "0.5"],
  ["=TODAY()", "2026-01-31"],
  ["=NOW()", "2026-01-31 12:00"],
  ["=D2+30", "2026-01-31"],
  ["=D5-D2", "31"],
];

test("SHEET2 functions over ranges", () => {
  const wrong = overSales.flatMap(([formula, expected]) => {
    const book = new Workbook(
      [
        sheet(sales),
        { ...sheet(""), name: "Sums", rows: [[formula.replace(/([A-D](?:\d|:[A-D]\b)(?::[A-D]\d)?)/g, "Sheet1!$1")]] },
      ],
      { now },
    );
    const value = book.shown(1, 0, 0);
    return value === expected ? [] : [`${formula} gives ${value}, not ${expected}`];
  });
  assert.deepEqual(wrong, []);
});

test("SHEET2 a column's type says what its texts mean", () => {
  const types = (["text", "number", "date", "check", "choice"] as const).map((type) => ({ type, choices: [] }));
  const book = new Workbook([sheet("007|1,200|2026-01-05|yes|=1+1\n=1+1|=C1|=B1+1|=D1|x", "Sheet1", types)], { now });
  assert.deepEqual(
    [0, 1, 2, 3].map((column) => book.shown(0, 1, column)),
    ["=1+1", "46027", "1903-04-15", "TRUE"],
  );
  assert.equal(book.value(0, 0, 0), "007");
});

test("SHEET2 a formula that needs its own result says so, and so do those that build on it", () => {
  const circle = "=B1|=C1|=A1+1|=A1|5|=SUM(E1:F1)";
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((column) => shown(circle, 0, column)),
    ["#CIRC!", "#CIRC!", "#CIRC!", "#CIRC!", "5", "#CIRC!"],
  );
});

test("SHEET2 formulas build on each other thousands deep", () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => (i === 0 ? "1" : `=A${i}+1`));
  assert.equal(shown(rows.join("\n"), 9_999, 0), "10000");
});

test("SHEET2 whichever cell is asked for first, every cell gives the same", () => {
  const cell = fc.oneof(
    fc.constantFrom("", "2", "x", "=A1", "=B3+1", "=SUM(A1:B2)", "=SUM(A1:A9)", "=COUNT(A:B)", "=MAX(B1:C4)*2", "=C4"),
    fc.tuple(fc.constantFrom("A", "B", "C"), fc.integer({ min: 1, max: 4 })).map(([c, r]) => `=SUM(A1:${c}${r})`),
  );
  const places = Array.from({ length: 12 }, (_, i) => [Math.floor(i / 3), i % 3] as const);
  const results = (source: ReturnType<typeof sheet>, order: typeof places) => {
    const book = new Workbook([source], { now });
    return Object.fromEntries(order.map(([row, column]) => [`${row},${column}`, book.shown(0, row, column)]));
  };
  fc.assert(
    fc.property(fc.array(cell, { minLength: 12, maxLength: 12 }), (cells) => {
      const rows = [0, 3, 6, 9].map((start) => cells.slice(start, start + 3));
      const source = { ...sheet(""), rows };
      assert.deepEqual(results(source, places), results(source, places.toReversed()));
    }),
    { numRuns: 500, seed: 7 },
  );
});

test("SHEET3 a sheet that would take too long ends with an error, and hostile formulas are bounded", () => {
  const heavy = Array.from({ length: 2000 }, () => "=SUM(B1:Z1999)").join("\n");
  const book = new Workbook([sheet(heavy)], { now, maxSteps: 1_000_000 });
  assert.equal(book.shown(0, 0, 0), "0");
  for (let row = 1; row < 2000; row++) book.value(0, row, 0);
  assert.equal(book.shown(0, 1999, 0), "#LIMIT!");
  const nested = `=${"(".repeat(5000)}1${")".repeat(5000)}`;
  for (const [formula, result] of [
    [nested, "#ERROR!"],
    [`=${"-".repeat(5000)}1`, "#ERROR!"],
    ['=REPT("ab",1E9)', "#VALUE!"],
    ["=SUM(B1:ZZ1048575)", "#LIMIT!"],
    [`=COUNTIF(B1,"${"*a".repeat(200)}")`, "0"],
    [`=${"1+".repeat(9000)}1`, "#ERROR!"],
  ] as const)
    assert.equal(shown(formula, 0, 0), result, formula.slice(0, 40));
});

test("SHEET3 texts count as work: many long ones, and patterns in them, end with an error", () => {
  const column = (formula: (row: number) => string, length: number, maxSteps = 1_000_000) => {
    const rows = Array.from({ length }, (_, i) => [formula(i + 1)]);
    const book = new Workbook([{ ...sheet(""), rows }], { now, maxSteps });
    return rows.map((_, row) => book.shown(0, row, 0));
  };
  const first = "y".repeat(100_000);
  const shownAgain = column((row) => (row === 1 ? first : "=A$1"), 200);
  assert.deepEqual([shownAgain[1], shownAgain.at(-1)], [first, "#LIMIT!"]);
  for (const formula of [
    '=SEARCH("*a?*z",REPT("ab",1000))',
    '=COUNTIF({"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},"*x*x*x*x*y")',
    '=LEN(UPPER(REPT("ab",16000)))',
    '=LEN(REPT("ab",10000)&"c")',
  ])
    assert.equal(column(() => formula, 20_000, 200_000).at(-1), "#LIMIT!", formula);
});

test("SHEET3 formulas that would never end, read a text again and again, or nest too deep give a result", () => {
  for (const [formula, result] of [
    ['=LEN(TEXT(1,REPT(".",31995)&"y"))', "#VALUE!"],
    ['=VALUE(REPT("1",32000)&"x")', "#VALUE!"],
    ['=VALUE(REPT("%",32000))', "#VALUE!"],
    ['=VALUE("50 % %")', "0.005"],
    ["=NETWORKDAYS(1E300,1E300)", "#NUM!"],
    ["=WORKDAY(1E300,1)", "#NUM!"],
    [`=${"1+".repeat(4000)}1`, "4001"],
    [`=B1${"+B1".repeat(2500)}`, "2501"],
    [`=${"{".repeat(4000)}`, "#ERROR!"],
    [`=1${"%".repeat(4000)}`, "#ERROR!"],
  ] as const)
    assert.equal(shown(`${formula}|=1`, 0, 0), result, formula.slice(0, 40));
  assert.equal(shown(`${"1".repeat(100_000)}x|=A1&""`, 0, 0).length, 100_001);
});

test("SHEET3 functions are charged for all that they read and write", () => {
  const last = (formula: string, length: number): string => {
    const rows = Array.from({ length }, (_, row) => [formula, String(row - 5)]);
    const book = new Workbook([{ ...sheet(""), rows }], { now, maxSteps: 1_000_000 });
    return rows.map((_, row) => book.shown(0, row, 0)).at(-1) ?? "";
  };
  for (const formula of [
    '=LEN(PROPER(REPT("aB 1",8000)))',
    '=LEN(TEXT(1,REPT("yms",85)))',
    '=DECIMAL(REPT("1",32000),10)',
    '=LEN(SUBSTITUTE(REPT("aB 1",8000),"a","b"))',
    "=IRR(B1:B2000)",
    "=MEDIAN(B1:B2000)",
    "=COMBIN(1E5,1E4)",
  ])
    assert.equal(last(formula, 2000), "#LIMIT!", formula);
});

test("SHEET4 references go along when a formula is copied, and keep their cells when rows and columns come or go", () => {
  assert.equal(shiftFormula("=A1+$B1*C$1+$D$1+SUM(A1:B2)", 2, 1), "=B3+$B3*D$1+$D$1+SUM(B3:C4)");
  assert.equal(shiftFormula("=A1", -1, 0), "=#REF!");
  const named = "=Costs!A1+SUM('costs'!B1:B2)+Other!C1&\"Costs!\"";
  assert.equal(renameInFormula(named, "Costs", "Bo's"), "='Bo''s'!A1+SUM('Bo''s'!B1:B2)+Other!C1&\"Costs!\"");
  assert.equal(renameInFormula("Costs!A1", "Costs", "X"), "Costs!A1");
  assert.equal(shiftFormula('="A1"&A1&SUM(B:B)&Other!C3', 1, 1), '="A1"&B2&SUM(C:C)&Other!D4');
  const inserted = { axis: "row", at: 2, count: 2 } as const;
  assert.equal(adjustFormula("=A1+A3+SUM(A2:A5)+$A$9", "S", "S", inserted), "=A1+A5+SUM(A2:A7)+$A$11");
  assert.equal(adjustFormula("=A3+Other!A3", "S", "S", inserted), "=A5+Other!A3");
  const removed = { axis: "row", at: 2, count: -2 } as const;
  assert.equal(
    adjustFormula("=A1+A3+SUM(A2:A5)+SUM(A3:A4)+A6", "S", "S", removed),
    "=A1+#REF!+SUM(A2:A3)+SUM(#REF!)+A4",
  );
  assert.equal(adjustFormula("=B1+SUM(B:C)+C1", "S", "S", { axis: "column", at: 1, count: -1 }), "=#REF!+SUM(B:B)+B1");
});

test("SHEET1 merged cells and rows of different length keep their places", () => {
  const cell = (text: string, attrs = {}) => ({
    type: "tableCell",
    attrs,
    content: [{ type: "paragraph", content: [{ type: "text", text }] }],
  });
  const rows = [[cell("a", { colspan: 2, rowspan: 2 }), cell("b")], [cell("c"), cell("d")], [cell("e")]];
  const source = tableSource({ type: "table", content: rows.map((content) => ({ type: "tableRow", content })) }, 0);
  assert.deepEqual(source.rows, [["a", "", "b"], ["", "", "c", "d"], ["e"]]);
});
