import { Parser } from "htmlparser2";
import type { PageCollector } from "../page-collector.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Elements whose content nobody reads. */
const SILENT = words("script style template noscript iframe object svg math head");
const BLOCK = words(
  "address article aside blockquote br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td th thead tr ul",
);

export const isHtml = (text: string, fileName: string): boolean =>
  /\.x?html?$/i.test(fileName) || /^\s*(?:<!doctype html|<html[\s>])/i.test(text.slice(0, 1000));

/** Reads the text that a browser would show. */
export function readHtml(html: string, pages: PageCollector): void {
  let silent = 0;
  let isTitle = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === "title") isTitle = true;
        else if (SILENT.has(name)) silent++;
        else if (BLOCK.has(name)) pages.addToPart("\n");
      },
      onclosetag(name) {
        if (name === "title") {
          isTitle = false;
          pages.addToPart("\n");
        } else if (SILENT.has(name)) silent = Math.max(0, silent - 1);
        else if (BLOCK.has(name)) pages.addToPart("\n");
      },
      ontext(text) {
        if (silent === 0 || isTitle) pages.addToPart(text.replace(/\s+/g, " "));
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && !pages.isFull; at += CHUNK) parser.write(html.slice(at, at + CHUNK));
  parser.end();
  pages.endPart();
}

const CHUNK = 64 * 1024;
