import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defined } from "@svc/document/defined";
import { type Random, randomFrom } from "./text.ts";

const PACKAGES = resolve(import.meta.dirname, "../../node_modules");
/** Characters of a document, about. */
const LENGTH = 10_000;
const MAX_SECTION = 6000;

/** Every README that the installed packages brought, in the order of their paths. */
function readmes(): string[] {
  return readdirSync(PACKAGES, { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/)readme[^/]*\.md$/i.test(path))
    .sort()
    .map((path) => readFileSync(join(PACKAGES, path), "utf8"));
}

/** A text cut before its headings. What looks like a heading within a code block is none. */
function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let lines: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark && (fence === "" || line.trim() === fence)) fence = fence === "" ? mark : "";
    if (fence === "" && /^#{1,6} /.test(line) && lines.length > 0) {
      sections.push(lines.join("\n"));
      lines = [];
    }
    lines.push(line);
  }
  return [...sections, lines.join("\n")].filter((section) => section.length <= MAX_SECTION && section.trim() !== "");
}

/**
 * So many documents of about 10 KB of Markdown that people wrote: sections of READMEs, put together by chance, the same
 * in every run on the same packages. Lists, tables, code and HTML are as frequent as they are there.
 */
export function realArticles(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const sections = readmes().flatMap(sectionsOf);
  return Array.from({ length: count }, () => {
    let text = "";
    while (text.length < LENGTH) text += `${defined(sections[random(sections.length)]).trim()}\n\n`;
    return text;
  });
}

/**
 * Different words of the texts, each drawn as often as it comes: frequent words are among them more often than rare ones,
 * and none comes twice.
 */
export function drawWords(texts: readonly string[], count: number, random: Random): string[] {
  const all = texts.flatMap((text) => text.toLowerCase().match(/\b[a-z]{3,20}\b/g) ?? []);
  const drawn = new Set<string>();
  for (let tries = 0; drawn.size < count && tries < 50 * count; tries++) drawn.add(defined(all[random(all.length)]));
  return shuffled([...drawn], random);
}

/** Frequent words are drawn first: in this order, every part of a measurement has as many of them. */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const other = random(i + 1);
    [list[i], list[other]] = [defined(list[other]), defined(list[i])];
  }
  return list;
}

/** Different pairs of words that stand in one document. */
export function drawPairs(texts: readonly string[], count: number, random: Random): string[] {
  const drawn = new Set<string>();
  for (let tries = 0; drawn.size < count && tries < 50 * count; tries++)
    drawn.add(drawWords([defined(texts[random(texts.length)])], 2, random).join(" "));
  return [...drawn];
}

const SHORTEST = 3;
const LONGEST = 8;

/** Runs of at least eight words without punctuation between them. */
const runsOf = (text: string): string[][] =>
  (text.match(/\b[A-Za-z]{1,20}(?: [A-Za-z]{1,20}){7,}/g) ?? []).map((run) => run.toLowerCase().split(" "));

/** Three to eight words that follow each other in a document, as in a question: frequent words are among them. */
export function drawQuestions(texts: readonly string[], count: number, random: Random): string[] {
  // The runs are found once: a search through the text for each question took minutes.
  const runs = texts.map(runsOf).filter((found) => found.length > 0);
  const drawn = new Set<string>();
  for (let tries = 0; runs.length > 0 && drawn.size < count && tries < 50 * count; tries++) {
    const found = defined(runs[random(runs.length)]);
    const words = defined(found[random(found.length)]);
    const length = SHORTEST + random(LONGEST - SHORTEST + 1);
    const from = random(words.length - length + 1);
    drawn.add(words.slice(from, from + length).join(" "));
  }
  return [...drawn];
}
