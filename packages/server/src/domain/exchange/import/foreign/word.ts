import { createHash } from "node:crypto";
import type { Archive } from "../../../../archives/open-archive.ts";
import { ImportRefused } from "../../../../archives/refused.ts";
import type { Dialect, ReadPage } from "./dialect.ts";
import { blocksOfHtml, lostInWords } from "./html-blocks.ts";
import { readHtml } from "./html-tree.ts";
import { markFormulas, showFormulas } from "./word-formulas.ts";
import { arrange, markLayout, showLayout, signlessLists } from "./word-layout.ts";

/** Loaded with the first Word file. */
const library = async () => (await import("mammoth")).default;

export const isWord = (path: string): boolean => /\.docx$/i.test(path) && !/(?:^|\/)~\$/.test(path);

const DOCUMENT = "word/document.xml";
const NUMBERING = "word/numbering.xml";
const MAX_PART_BYTES = 32 * 1024 * 1024;

/** Additional styles, used by Google Docs, LibreOffice and Pandoc. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='Quotations'] => blockquote > p:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='Source Text'] => code",
  "u => u",
  "highlight => mark",
];

/** A single Word file: an archive with one document. */
export function wordDialect(archive: Archive, fileName: string): Dialect | undefined {
  if (!archive.has(DOCUMENT) || !archive.has("[Content_Types].xml")) return undefined;
  const title = fileName.replace(/\.docx$/i, "");
  return {
    format: "word",
    pages: ["document.docx"],
    folders: [],
    name: undefined,
    titleOf: () => title,
    folderOf: () => null,
    read: (path) => readWord(archive, "", path),
  };
}

/** Reads a Word file whose parts lie below a prefix of the archive. */
export async function readWord(archive: Archive, prefix: string, path: string): Promise<ReadPage> {
  const pictures = new Map<string, string>();
  const mammoth = await library();
  const convertImage = mammoth.images.imgElement(async (image) => {
    const content = await image.readAsBuffer();
    const found = pictures.get(hashOf(content));
    return { src: found === undefined ? "" : `/${found.split("/").map(encodeURIComponent).join("/")}` };
  });
  // Given an empty path, the library uses `file`, our archive, which checks sizes.
  try {
    const signless = signlessLists(await textOf(archive, prefix + NUMBERING));
    const input = { path: "", file: partsOf(archive, prefix, pictures, (xml) => markLayout(xml, signless)) };
    const { value, messages } = await mammoth.convertToHtml(input, {
      convertImage,
      styleMap: STYLES,
      externalFileAccess: false,
      idPrefix: "",
    });
    const { blocks: read, lost } = blocksOfHtml(readHtml(showFormulas(showLayout(value))));
    const blocks = arrange(value, read);
    // A style without a mapping becomes a paragraph; nothing is lost.
    const losses = messages.filter(({ message }) => !/^Unrecognised (?:paragraph|run) style/.test(message));
    const said = [...new Set(losses.map(({ message }) => message.slice(0, 200)))].slice(0, 10);
    const warnings = [...said.map((message) => `${path.slice(0, 200)}: ${message}`), ...lostInWords(path, lost)];
    return { frontMatter: "", blocks, warnings };
  } catch (error) {
    if (error instanceof ImportRefused) throw error;
    throw new ImportRefused("invalid_archive", `${JSON.stringify(path.slice(0, 200))} cannot be read as a Word file.`);
  }
}

const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Parts with paragraph properties but no paragraphs. */
const WITHOUT_TEXT = /(?:^|\/)(?:numbering|styles|settings)\.xml$/;

const textOf = async (archive: Archive, path: string): Promise<string> =>
  archive.has(path) ? (await archive.read(path, MAX_PART_BYTES)).toString("utf8") : "";

/**
 * The parts of the file, as the library requests them. Images are recorded by content, because the library does not
 * report their names.
 */
function partsOf(archive: Archive, prefix: string, pictures: Map<string, string>, markText: (xml: string) => string) {
  return {
    exists: (name: string) => archive.has(prefix + name),
    async read(name: string, encoding?: string): Promise<string | Uint8Array> {
      const content = await archive.read(prefix + name, MAX_PART_BYTES);
      if (encoding === "base64") return content.toString("base64");
      const xml = encoding ? markFormulas(checkedXml(content.toString("utf8"), name)) : undefined;
      if (xml !== undefined) return WITHOUT_TEXT.test(name) ? xml : markText(xml);
      pictures.set(hashOf(content), prefix + name);
      return content;
    },
  };
}

/** The format has no DOCTYPE and so no entities. Reject one: a few bytes could expand to very many. */
function checkedXml(text: string, name: string): string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new ImportRefused("unsafe_archive", `The part ${JSON.stringify(name.slice(0, 200))} declares entities.`);
  return text;
}
