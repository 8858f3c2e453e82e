import { Unreadable } from "../file-text.ts";
import type { PageCollector } from "../page-collector.ts";

/** Reads each page's text in the order in which the file has it, with its line ends. */
export async function readPdf(bytes: Uint8Array, pages: PageCollector): Promise<void> {
  const { getDocumentProxy } = await import("unpdf");
  // The library takes the bytes over; a Buffer may share its memory with others.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  }).catch((error) => {
    throw new Unreadable(error instanceof Error && error.name === "PasswordException" ? "encrypted" : "damaged");
  });
  try {
    for (let number = 1; number <= pdf.numPages && !pages.isFull; number++) await readPage(pdf, number, pages);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Pdf = Awaited<ReturnType<typeof import("unpdf").getDocumentProxy>>;

/** A damaged page is empty; the others are read. */
async function readPage(pdf: Pdf, number: number, pages: PageCollector): Promise<void> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ("str" in item) {
        pages.add(item.str);
        if (item.hasEOL) pages.add("\n");
      }
    page.cleanup();
  } catch {
    pages.leaveOut();
  }
  pages.endPage();
}
