import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { zipOf } from "../../test/support/fixtures.ts";
import { docxOf, openDocumentOf, pdfOf, pptxOf, xlsxOf } from "../../test/support/office-files.ts";
import { sniffContentType } from "../ports/images/sniff.ts";
import type { FileText } from "./file-text.ts";
import { MAX_CHARACTERS, MAX_PAGES } from "./limits.ts";
import { textOfFile } from "./read-file-text.ts";
import { readFileText } from "./read-worker.ts";

const read = async (fileName: string, content: string | Uint8Array): Promise<FileText> => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return readFileText({ bytes, fileName, contentType: await sniffContentType(bytes) });
};

const pagesOf = (text: FileText): string[] => (text.status === "ready" ? text.pages.map((page) => page.text) : []);
const reasonOf = (text: FileText) => (text.status === "ready" ? undefined : `${text.status} ${text.reason}`);

test("FTXT1 each page of a PDF is read, with its lines", async () => {
  const found = await read("a.pdf", pdfOf([["Quarterly report", "Revenue (net)"], [], ["Appendix"]]));
  assert.deepEqual(pagesOf(found), ["Quarterly report\nRevenue (net)", "", "Appendix"]);
});

test("FTXT1 a Word file is read in paragraphs, also one that another program wrote", async () => {
  assert.deepEqual(pagesOf(await read("a.docx", await docxOf(["Travel & costs", "By train < 4 hours"]))), [
    "Travel & costs\nBy train < 4 hours",
  ]);
  const sample = readFileSync(new URL("../../test/support/samples/pandoc.docx", import.meta.url));
  const text = pagesOf(await read("pandoc.docx", sample)).join("\n");
  assert.match(text, /^Field report\n/);
  assert.match(text, /H2O and x2\./);
  assert.doesNotMatch(text, /<w:|xmlns/);
});

test("FTXT1 slides are pages, with their notes", async () => {
  const file = await pptxOf([{ lines: ["Roadmap", "Search first"], notes: "Say why" }, { lines: ["Thanks"] }]);
  assert.deepEqual(pagesOf(await read("a.pptx", file)), ["Roadmap\nSearch first\n\nSay why", "Thanks"]);
});

test("FTXT1 rows of sheets are lines, with the sheet's name as label", async () => {
  const found = await read(
    "a.xlsx",
    await xlsxOf({
      "Costs & more": [
        ["Rent", "1200"],
        ["Light", "80"],
      ],
      Empty: [],
      Names: [["Ada"]],
    }),
  );
  assert.ok(found.status === "ready");
  assert.deepEqual(found.pages, [
    { label: "Costs & more", text: "Rent\t1200\nLight\t80" },
    { label: "Names", text: "Ada" },
  ]);
});

test("FTXT1 OpenDocument texts, sheets and presentations are read, without deleted text and remarks", async () => {
  const p = (text: string) => `<text:p>${text}</text:p>`;
  const text = `<office:text><text:tracked-changes>${p("deleted")}</text:tracked-changes><text:h>Plan</text:h>${p(`one<text:s text:c="2"/>two<office:annotation>${p("remark")}</office:annotation>`)}</office:text>`;
  assert.deepEqual(pagesOf(await read("a.odt", await openDocumentOf("text", text))), ["Plan\none  two"]);
  const slide = (line: string) => `<draw:page>${p(line)}</draw:page>`;
  const slides = `<office:presentation>${slide("First")}${slide("Second")}</office:presentation>`;
  assert.deepEqual(pagesOf(await read("a.odp", await openDocumentOf("presentation", slides))), ["First", "Second"]);
  const cells = `<table:table-row><table:table-cell>${p("a")}</table:table-cell><table:table-cell>${p("b")}</table:table-cell></table:table-row>`;
  const sheet = `<office:spreadsheet><table:table table:name="Sums">${cells}</table:table></office:spreadsheet>`;
  const found = await read("a.ods", await openDocumentOf("spreadsheet", sheet));
  assert.deepEqual(found.status === "ready" && found.pages[0]?.label, "Sums");
  assert.match(pagesOf(found)[0] ?? "", /^a\s+b$/);
});

test("FTXT1 of HTML the text that people see is read", async () => {
  const html =
    "<!doctype html><html><head><title>Guide</title><style>p{}</style></head><body><h1>Start</h1><p>Fish &amp; chips<script>alert(1)</script></p></body></html>";
  assert.deepEqual(pagesOf(await read("a.html", html)), ["Guide\n\nStart\n\nFish & chips"]);
});

test("FTXT1 plain text is read in any Unicode encoding, and by its name in an older one", async () => {
  assert.deepEqual(pagesOf(await read("a.txt", "Grüße\r\nan alle")), ["Grüße\nan alle"]);
  assert.deepEqual(pagesOf(await read("a", Buffer.from("\ufeffGrüße", "utf16le"))), ["Grüße"]);
  assert.deepEqual(pagesOf(await read("a.csv", Buffer.from("Gr\xfc\xdfe", "latin1"))), ["Grüße"]);
  assert.equal(reasonOf(await read("a.bin", Buffer.from("Gr\xfc\xdfe", "latin1"))), "none unknown_type");
  const long = pagesOf(await read("a.txt", "A line of a long text.\n".repeat(1000)));
  assert.ok(long.length >= 5 && long.every((page) => page.length < 5000));
});

test("FTXT2 a file without text, of another type, encrypted or broken has none, with the reason", async () => {
  assert.equal(reasonOf(await read("scan.pdf", pdfOf([[], []]))), "none empty");
  assert.equal(reasonOf(await read("a.zip", await zipOf({ "a.txt": "x" }))), "none unknown_type");
  assert.equal(reasonOf(await read("a.pdf", pdfOf([["secret"]], { isEncrypted: true }))), "failed encrypted");
  const compound = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]);
  assert.equal(reasonOf(await read("a.docx", compound)), "failed encrypted");
  assert.equal(reasonOf(await read("a.doc", compound)), "none unknown_type");
  const whole = await docxOf(["text"]);
  assert.equal(reasonOf(await read("a.docx", whole.subarray(0, whole.length - 30))), "failed damaged");
  assert.equal(reasonOf(await read("a.pdf", "%PDF-1.7\nnothing")), "failed damaged");
});

test("FTXT2 of a PDF with 5,000 pages the first ones are read, and the rest is reported", async () => {
  const found = await read("long.pdf", pdfOf(Array.from({ length: 5000 }, (_, i) => [`Page number ${i + 1}`])));
  assert.ok(found.status === "ready" && found.truncated);
  assert.ok(found.pages.length > 0 && found.pages.length <= MAX_PAGES);
  assert.equal(found.pages[0]?.text, "Page number 1");
});

test("FTXT2 a Word file that unpacks to 200 MB takes little memory, and entities expand to nothing", async () => {
  const before = process.memoryUsage().rss;
  const bomb = await zipOf({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<w:document><w:p><w:t>${"bomb ".repeat(40_000_000)}</w:t></w:p></w:document>`,
  });
  const grown = process.memoryUsage().rss;
  const found = await textOfFile({ bytes: bomb, fileName: "a.docx", contentType: "application/zip" });
  if (found.status === "ready") {
    assert.ok(found.truncated);
    assert.ok(found.pages.reduce((sum, { text }) => sum + text.length, 0) <= MAX_CHARACTERS);
  } else assert.equal(found.reason, "damaged");
  assert.ok(process.memoryUsage().rss - Math.max(before, grown) < 300 * 1024 * 1024);
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><w:document><w:p><w:t>&b;</w:t></w:p></w:document>`;
  const text = pagesOf(
    await read("a.docx", await zipOf({ "[Content_Types].xml": "<Types/>", "word/document.xml": entities })),
  );
  assert.doesNotMatch(text.join(""), /aaa/);
});

test("FTXT2 a thread that takes too long is ended", async () => {
  const bytes = pdfOf(Array.from({ length: 3000 }, (_, i) => [`Page number ${i + 1}`]));
  const found = await textOfFile({ bytes, fileName: "a.pdf", contentType: "application/pdf" }, 1);
  assert.equal(reasonOf(found), "failed too_slow");
  const next = await textOfFile({
    bytes: Buffer.from("fine"),
    fileName: "a.txt",
    contentType: "application/octet-stream",
  });
  assert.deepEqual(pagesOf(next), ["fine"]);
});

test("FTXT2 whatever bytes are changed, a file is read or refused", async () => {
  const files = [
    ["a.docx", await docxOf(["some text"])],
    ["a.pptx", await pptxOf([{ lines: ["line"], notes: "note" }])],
    ["a.xlsx", await xlsxOf({ One: [["cell"]] })],
    ["a.pdf", pdfOf([["one"], ["two"]])],
  ] as const;
  for (const [name, good] of files) {
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        const found = await read(name, bytes);
        assert.ok(["ready", "none", "failed"].includes(found.status));
      }),
      { seed: 20261119, numRuns: 60 },
    );
  }
});
