import type { Archive } from "../../archives/open-archive.ts";
import type { PageCollector } from "../page-collector.ts";
import { readXml } from "./xml.ts";

/** Reads texts, sheets and presentations: a slide is a page, and a sheet's name is the label of its parts. */
export async function readOpenDocument(archive: Archive, pages: PageCollector): Promise<void> {
  let paragraphs = 0;
  let ignored = 0;
  let isPaged = false;
  let isInCell = false;
  await readXml(
    archive,
    "content.xml",
    {
      open(name, attrs) {
        if (IGNORED.has(name)) ignored++;
        else if (name === "text:p" || name === "text:h") paragraphs++;
        else if (name === "draw:page") isPaged = true;
        else if (name === "table:table") {
          pages.endPart();
          pages.label = attrs["table:name"] ?? "";
        } else if (name === "table:table-cell") isInCell = true;
        else if (name === "text:tab") pages.add("\t");
        else if (name === "text:line-break") pages.add("\n");
        else if (name === "text:s") pages.add(" ".repeat(Math.min(100, Number(attrs["text:c"] ?? 1) || 1)));
      },
      text(text) {
        if (paragraphs === 0 || ignored > 0) return;
        if (isPaged) pages.add(text);
        else pages.addToPart(text);
      },
      close(name) {
        if (IGNORED.has(name)) ignored--;
        else if (name === "text:p" || name === "text:h") {
          paragraphs--;
          if (isInCell) pages.add(" ");
          else if (isPaged) pages.add("\n");
          else pages.addToPart("\n");
        } else if (name === "draw:page") {
          isPaged = false;
          pages.endPage();
        } else if (name === "table:table-cell") {
          isInCell = false;
          pages.add("\t");
        } else if (name === "table:table-row") pages.addToPart("\n");
        else if (name === "table:table") pages.endPart();
      },
    },
    () => pages.isFull,
  );
  pages.endPart();
}

/** Deleted text that the file keeps, and remarks about it. */
const IGNORED: ReadonlySet<string> = new Set(["text:tracked-changes", "office:annotation"]);
