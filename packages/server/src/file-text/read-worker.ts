/** Runs in a worker thread: reads one file. */
import { type Archive, openArchive } from "../archives/open-archive.ts";
import { ImportRefused } from "../archives/refused.ts";
import { type FileText, type FileToRead, Unreadable } from "./file-text.ts";
import { isHtml, readHtml } from "./formats/html.ts";
import { readOpenDocument } from "./formats/open-document.ts";
import { readPdf } from "./formats/pdf.ts";
import { decodedText, readPlain } from "./formats/plain.ts";
import { readSheets } from "./formats/sheets.ts";
import { readSlides } from "./formats/slides.ts";
import { readWord } from "./formats/word.ts";
import { MAX_ARCHIVE_ENTRIES, MAX_UNPACKED_BYTES } from "./limits.ts";
import { PageCollector } from "./page-collector.ts";

export async function readFileText(file: FileToRead): Promise<FileText> {
  const pages = new PageCollector();
  try {
    await readInto(file, pages);
  } catch (error) {
    const reason = reasonOf(error);
    return { status: reason === "unknown_type" ? "none" : "failed", reason };
  }
  if (pages.pages.every(({ text }) => text === "")) return { status: "none", reason: "empty" };
  return { status: "ready", pages: pages.pages, truncated: pages.isTruncated };
}

function reasonOf(error: unknown) {
  if (error instanceof Unreadable) return error.reason;
  if (error instanceof ImportRefused && error.code === "archive_too_large") return "too_large";
  return "damaged";
}

const OFFICE_NAME = /\.(?:doc|dot|xls|xlt|ppt|pot|pps)[xm]$/i;
/** The container of old Office files, and of new ones that are encrypted. */
const COMPOUND = "application/x-cfb";
const ZIP = /zip|officedocument|opendocument|ms-excel|ms-word|ms-powerpoint/;

async function readInto({ bytes, fileName, contentType }: FileToRead, pages: PageCollector): Promise<void> {
  if (contentType === "application/pdf") return readPdf(bytes, pages);
  if (contentType === COMPOUND) throw new Unreadable(OFFICE_NAME.test(fileName) ? "encrypted" : "unknown_type");
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && ZIP.test(contentType)) return readArchive(bytes, pages);
  const text = contentType === OCTETS || /xml|text|json/.test(contentType) ? decodedText(bytes, fileName) : undefined;
  if (text === undefined) throw new Unreadable("unknown_type");
  if (isHtml(text, fileName)) readHtml(text, pages);
  else readPlain(text, pages);
}

const OCTETS = "application/octet-stream";

async function readArchive(bytes: Uint8Array, pages: PageCollector): Promise<void> {
  const limits = { maxEntries: MAX_ARCHIVE_ENTRIES, maxBytes: MAX_UNPACKED_BYTES };
  const archive = await openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits);
  try {
    const read = readerOf(archive);
    if (!read) throw new Unreadable("unknown_type");
    await read(archive, pages);
  } finally {
    archive.close();
  }
}

function readerOf(archive: Archive): ((archive: Archive, pages: PageCollector) => Promise<void>) | undefined {
  if (archive.has("word/document.xml")) return readWord;
  if (archive.has("xl/workbook.xml")) return readSheets;
  if (archive.has("ppt/presentation.xml")) return readSlides;
  if (archive.has("content.xml") && archive.has("META-INF/manifest.xml")) return readOpenDocument;
  return undefined;
}
