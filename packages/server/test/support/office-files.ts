import { zipOf } from "./fixtures.ts";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A PDF whose pages have these lines. */
export function pdfOf(pages: readonly (readonly string[])[], { isEncrypted = false } = {}): Buffer {
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  const font = add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  const tree = pages.length * 2 + 2;
  const kids = pages.map((lines) => {
    const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj 0 -14 Td`).join("\n");
    const stream = `BT /F1 12 Tf 72 720 Td\n${shown}\nET`;
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const resources = `<< /Font << /F1 ${font} 0 R >> >>`;
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources ${resources} >>`,
    );
  });
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`);
  const root = add(`<< /Type /Catalog /Pages ${tree} 0 R >>`);
  const key = `<${"ab".repeat(32)}>`;
  const lock = isEncrypted ? add(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${key} /U ${key} >>`) : 0;
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const locked = isEncrypted ? ` /Encrypt ${lock} 0 R /ID [<00><00>]` : "";
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return Buffer.from(
    `${text}trailer\n<< /Size ${objects.length + 1} /Root ${root} 0 R${locked} >>\nstartxref\n${start}\n%%EOF\n`,
    "latin1",
  );
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const TYPES = (main: string) =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${main.split("|")[0]}" ContentType="application/vnd.openxmlformats-officedocument.${main.split("|")[1]}.main+xml"/></Types>`;
const relations = (targets: readonly string[]): string =>
  `${XML}<Relationships>${targets.map((target, i) => `<Relationship Id="rId${i + 1}" Type="t" Target="${target}"/>`).join("")}</Relationships>`;

export const docxOf = (paragraphs: readonly string[]): Promise<Buffer> =>
  zipOf({
    "[Content_Types].xml": TYPES("word/document.xml|wordprocessingml.document"),
    "word/document.xml": `${XML}<w:document><w:body>${paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`).join("")}</w:body></w:document>`,
  });

/** Slides of lines, with notes. */
export const pptxOf = (slides: readonly { lines: readonly string[]; notes?: string }[]): Promise<Buffer> => {
  const shapes = (lines: readonly string[]) =>
    lines.map((line) => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`).join("");
  const files: Record<string, string> = {
    "[Content_Types].xml": TYPES("ppt/presentation.xml|presentationml.presentation"),
    "ppt/_rels/presentation.xml.rels": relations(slides.map((_, i) => `slides/slide${i + 1}.xml`)),
    "ppt/presentation.xml": `${XML}<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join("")}</p:sldIdLst></p:presentation>`,
  };
  for (const [i, { lines, notes }] of slides.entries()) {
    files[`ppt/slides/slide${i + 1}.xml`] = `${XML}<p:sld>${shapes(lines)}</p:sld>`;
    if (notes === undefined) continue;
    files[`ppt/slides/_rels/slide${i + 1}.xml.rels`] = relations([`../notesSlides/notesSlide${i + 1}.xml`]);
    files[`ppt/notesSlides/notesSlide${i + 1}.xml`] = `${XML}<p:notes>${shapes([notes])}</p:notes>`;
  }
  return zipOf(files);
};

export const xlsxOf = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<Buffer> => {
  const names = Object.keys(sheets);
  const texts = Object.values(sheets).flat(2);
  let at = 0;
  const row = (cells: readonly string[]) => `<row>${cells.map(() => `<c t="s"><v>${at++}</v></c>`).join("")}</row>`;
  const files: Record<string, string> = {
    "[Content_Types].xml": TYPES("xl/workbook.xml|spreadsheetml.sheet"),
    "xl/_rels/workbook.xml.rels": relations(names.map((_, i) => `worksheets/sheet${i + 1}.xml`)),
    "xl/workbook.xml": `${XML}<workbook><sheets>${names.map((name, i) => `<sheet name="${escaped(name)}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/sharedStrings.xml": `${XML}<sst>${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`,
  };
  for (const [i, rows] of Object.values(sheets).entries())
    files[`xl/worksheets/sheet${i + 1}.xml`] =
      `${XML}<worksheet><sheetData>${rows.map(row).join("")}</sheetData></worksheet>`;
  return zipOf(files);
};

/** `kind`: `text`, `spreadsheet` or `presentation`; `body` is the XML within `office:body`. */
export const openDocumentOf = (kind: string, body: string): Promise<Buffer> =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `${XML}<office:document-content><office:body>${body}</office:body></office:document-content>`,
    "META-INF/manifest.xml": `${XML}<manifest:manifest/>`,
  });
