import type { Archive } from "../../archives/open-archive.ts";
import type { PageCollector } from "../page-collector.ts";
import { readXml } from "./xml.ts";

/** The parts with text that belongs to the document. */
const PARTS = ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"];

/** Word files have no pages: a program that shows one makes them. */
export async function readWord(archive: Archive, pages: PageCollector): Promise<void> {
  for (const part of PARTS) {
    let depth = 0;
    await readXml(
      archive,
      part,
      {
        open(name) {
          if (name === "w:t") depth++;
          else if (name === "w:tab") pages.add("\t");
          else if (name === "w:br" || name === "w:cr") pages.add("\n");
        },
        text(text) {
          if (depth > 0) pages.addToPart(text);
        },
        close(name) {
          if (name === "w:t") depth--;
          else if (name === "w:p") pages.addToPart("\n");
        },
      },
      () => pages.isFull,
    );
  }
  pages.endPart();
}
