import { defined } from "@svc/document/defined";
import type { Archive } from "../../archives/open-archive.ts";
import type { PageCollector } from "../page-collector.ts";
import { readRelations, readXml } from "./xml.ts";

const PRESENTATION = "ppt/presentation.xml";

/** Reads each slide with its notes, in the order of the presentation. */
export async function readSlides(archive: Archive, pages: PageCollector): Promise<void> {
  const targets = await readRelations(archive, PRESENTATION);
  const slides: string[] = [];
  await readXml(archive, PRESENTATION, {
    open(name, attrs) {
      const path = name === "p:sldId" ? targets.get(attrs["r:id"] ?? "") : undefined;
      if (path !== undefined && archive.has(path)) slides.push(path);
    },
  });
  for (const slide of slides) {
    if (pages.isFull) return;
    await readShapes(archive, slide, pages);
    const notes = [...(await readRelations(archive, slide)).values()].find((path) => /\/notesSlides\//.test(path));
    if (notes !== undefined) {
      pages.add("\n");
      await readShapes(archive, notes, pages);
    }
    pages.endPage();
  }
}

async function readShapes(archive: Archive, path: string, pages: PageCollector): Promise<void> {
  const open: string[] = [];
  await readXml(
    archive,
    path,
    {
      open(name) {
        if (name === "a:t" || name === "a:fld") open.push(name);
        else if (name === "a:br") pages.add("\n");
      },
      text(text) {
        // A field is the number of the slide or the date.
        if (open.length > 0 && !open.includes("a:fld")) pages.add(text);
      },
      close(name) {
        if (open.length > 0 && name === defined(open.at(-1))) open.pop();
        else if (name === "a:p") pages.add("\n");
      },
    },
    () => pages.isFull,
  );
}
