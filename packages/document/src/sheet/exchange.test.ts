import assert from "node:assert/strict";
import { test } from "node:test";
import { readDelimited, separatorOf, TooManyCells, writeCsv, writeTsv } from "./delimited.ts";
import { makeTable } from "./make-table.ts";
import { exportRows } from "./safe-export.ts";
import { sheetsOf } from "./table-source.ts";
import { Workbook } from "./workbook.ts";
import { readWorkbook } from "./xlsx/read.ts";
import { writeWorkbook } from "./xlsx/write.ts";
import { BadXml } from "./xlsx/xml.ts";

const now = Date.UTC(2026, 0, 31);
const bookOf = (...inputs: Parameters<typeof makeTable>[0][]) => new Workbook(sheetsOf(inputs.map(makeTable)), { now });
const reader = (files: ReadonlyMap<string, string>) => (path: string) => Promise.resolve(files.get(path));

test("SHEET7 CSV is read with quotes, line ends in fields, either separator and a byte order mark", () => {
  const text = '\ufeffa;"b ""c""; d"\r\n"two\nlines";\r\n';
  assert.equal(separatorOf(text), ";");
  assert.deepEqual(readDelimited(text, ";"), [
    ["a", 'b "c"; d'],
    ["two\nlines", ""],
  ]);
  const rows = [
    ["a,b", 'c"d', " e"],
    ["", "f\r\ng", ""],
  ];
  assert.deepEqual(readDelimited(writeCsv(rows), ","), rows);
  assert.deepEqual(
    readDelimited(
      writeTsv([
        ["a\tb", "c"],
        ["", "d\ne"],
      ]),
      "\t",
    ),
    [
      ["a\tb", "c"],
      ["", "d\ne"],
    ],
  );
  assert.deepEqual(readDelimited("", ","), []);
  assert.throws(() => readDelimited("a,b\n".repeat(100), ",", 50), TooManyCells);
});

test("SHEET8 what is exported as CSV is no formula to the program that opens it, unless formulas are asked for", () => {
  const book = bookOf({
    rows: [
      ["t", "=1+1"],
      ["'=cmd|' /C calc'!A0", "-5"],
      ["@SUM(1)", '=WEBSERVICE("http://x")'],
      ["+x", "-x"],
    ],
  });
  assert.deepEqual(exportRows(book, 0, "results"), [
    ["t", "2"],
    ["'=cmd|' /C calc'!A0", "-5"],
    ["'@SUM(1)", "#NAME?"],
    ["'+x", "'-x"],
  ]);
  assert.deepEqual(
    exportRows(book, 0, "formulas").map(([, second]) => second),
    ["=1+1", "-5", `'=WEBSERVICE("http://x")`, "'-x"],
  );
});

test("SHEET7 a workbook comes back from XLSX as it was", async () => {
  const rows = [
    ["Name", "Count", "Day", "Sum"],
    ["Ann & <Bob>", "2", "2026-01-31", "=B2*2"],
    ["'=text", "-1.5", "2026-02-01 10:30", '=SUM(B2:B3)&"!"'],
    ["two\nlines", "TRUE", "", "=1/0"],
  ];
  const book = bookOf({ name: "First", rows }, { name: "It's second", rows: [["x"], ["=First!B2"]] });
  const back = await readWorkbook(reader(writeWorkbook(book)));
  assert.deepEqual(
    back.map(({ name, rows }) => [name, rows]),
    [
      ["First", rows.map((row, y) => (y === 3 ? ["two\nlines", "TRUE", "", "=1/0"] : row))],
      ["It's second", [["x"], ["=First!B2"]]],
    ],
  );
  const xml = writeWorkbook(book).get("xl/worksheets/sheet1.xml") ?? "";
  assert.match(xml, /<c r="D2"><f>B2\*2<\/f><v>4<\/v><\/c>/);
});

test("SHEET8 a formula of unknown functions goes into XLSX as text", () => {
  const xml =
    writeWorkbook(bookOf({ rows: [["x"], ['=WEBSERVICE("http://x")']] })).get("xl/worksheets/sheet1.xml") ?? "";
  assert.doesNotMatch(xml, /<f>/);
  assert.match(xml, /=WEBSERVICE/);
});

const workbook = (sheet: string, shared = "") =>
  new Map([
    ["xl/workbook.xml", '<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'],
    [
      "xl/_rels/workbook.xml.rels",
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    ["xl/styles.xml", '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'],
    ["xl/sharedStrings.xml", shared],
    ["xl/worksheets/sheet1.xml", `<x:worksheet><x:sheetData>${sheet}</x:sheetData></x:worksheet>`],
  ]);

test("SHEET7 XLSX as other programs write it: shared texts, shared formulas, days by style", async () => {
  const shared = "<sst><si><r><t>Ri</t></r><r><t>ch</t></r></si><si><t>&#x41;&amp;b</t></si></sst>";
  const sheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
<row r="3"><c r="A3" s="1"><v>46053</v></c><c r="B3"><f t="shared" ref="B3:B4" si="0">A3+_xlfn.DAYS(1,2)</f><v>1</v></c><c r="C3" t="b"><v>1</v></c></row>
<row r="4"><c r="B4"><f t="shared" si="0"/><v>2</v></c></row>`;
  const [table] = await readWorkbook(reader(workbook(sheet, shared)));
  assert.deepEqual(table?.rows, [["Rich", "A&b"], [], ["2026-01-31", "=A3+DAYS(1,2)", "TRUE"], ["", "=A4+DAYS(1,2)"]]);
});

test("SHEET9 hostile XLSX is refused: entities, a document type, cells far away", async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  const cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row>';
  await assert.rejects(readWorkbook(reader(workbook(bomb))), BadXml);
  await assert.rejects(readWorkbook(reader(workbook(cell))), BadXml);
  await assert.rejects(readWorkbook(reader(workbook('<row><c r="XFD1048576"><v>1</v></c></row>'))), TooManyCells);
  await assert.rejects(readWorkbook(reader(workbook('<row><c r="A1048576"><v>1</v></c></row>'))), TooManyCells);
  await assert.rejects(readWorkbook(reader(new Map())), BadXml);
});
