import type { Archive } from "../../archives/open-archive.ts";
import { MAX_CHARACTERS } from "../limits.ts";
import type { PageCollector } from "../page-collector.ts";
import { readRelations, readXml } from "./xml.ts";

const WORKBOOK = "xl/workbook.xml";

/** Reads each sheet row by row, with its name as the label of its parts. */
export async function readSheets(archive: Archive, pages: PageCollector): Promise<void> {
  const targets = await readRelations(archive, WORKBOOK);
  const sheets: { readonly name: string; readonly path: string }[] = [];
  await readXml(archive, WORKBOOK, {
    open(tag, { name = "", "r:id": id = "" }) {
      const path = tag === "sheet" ? targets.get(id) : undefined;
      if (path !== undefined) sheets.push({ name, path });
    },
  });
  const texts = await readSharedTexts(archive);
  for (const { name, path } of sheets) {
    if (pages.isFull) return;
    pages.label = name;
    await readSheet(archive, path, texts, pages);
    pages.endPart();
  }
}

/** The texts that cells name by number. Those after the limit are empty. */
async function readSharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  let current = "";
  let isText = false;
  let isPhonetic = false;
  let characters = 0;
  await readXml(archive, "xl/sharedStrings.xml", {
    open(name) {
      if (name === "si") current = "";
      else if (name === "t") isText = true;
      else if (name === "rPh") isPhonetic = true;
    },
    text(text) {
      if (!isText || isPhonetic || characters > MAX_CHARACTERS) return;
      current += text;
      characters += text.length;
    },
    close(name) {
      if (name === "t") isText = false;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "si" && texts.length < MAX_TEXTS) texts.push(current);
    },
  });
  return texts;
}

const MAX_TEXTS = 1_000_000;

async function readSheet(
  archive: Archive,
  path: string,
  texts: readonly string[],
  pages: PageCollector,
): Promise<void> {
  let type = "";
  let value = "";
  let isValue = false;
  let cells: string[] = [];
  await readXml(
    archive,
    path,
    {
      open(name, { t = "" }) {
        if (name === "c") {
          type = t;
          value = "";
        } else if (name === "v" || name === "t") isValue = true;
      },
      text(text) {
        if (isValue && value.length < MAX_CELL) value += text;
      },
      close(name) {
        if (name === "v" || name === "t") isValue = false;
        else if (name === "c") {
          const shown = type === "s" ? (texts[Number(value)] ?? "") : value;
          if (shown !== "") cells.push(shown);
        } else if (name === "row") {
          if (cells.length > 0) pages.addToPart(`${cells.join("\t")}\n`);
          cells = [];
        }
      },
    },
    () => pages.isFull,
  );
}

/** Characters of a cell: Excel allows no more. */
const MAX_CELL = 32_767;
