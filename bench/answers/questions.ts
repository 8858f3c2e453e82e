import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { type Block, heldOut, isHeading, type Page, readSet, type SetName, tunedOn } from "./documentation.ts";

/** A question about a set, and the block that answers it; null if none does. */
export type Question = {
  readonly set: SetName;
  /** How the question relates to its answer: its words, other words, or a few words without a sentence. */
  readonly kind: "plain" | "reworded" | "keyword" | "none";
  readonly text: string;
  readonly answer: Block | null;
};

const FOLDER = join(import.meta.dirname, "../questions");
const rowsOf = (file: string) =>
  readFileSync(join(FOLDER, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

const bare = (text: string): string =>
  text
    .replaceAll(/[`*]|\s+/g, " ")
    .replaceAll(/ +/g, " ")
    .toLowerCase();

/** The first block of the page with the quoted text that is no heading. */
function blockWith(pages: readonly Page[], path: string, quote: string): Block {
  const page = pages.find((some) => some.path === path);
  const block = page?.blocks.find((some) => !isHeading(some) && bare(some.text).includes(bare(quote)));
  if (!block) throw new Error(`${path} has no block with "${quote}".`);
  return block;
}

type QuestionSet = { readonly name: SetName; readonly pages: Page[]; readonly questions: Question[] };

/** All sets with the questions about them. */
export function readQuestions(isHeldOut: boolean): QuestionSet[] {
  const prefix = isHeldOut ? "held-out-" : "";
  return (isHeldOut ? heldOut : tunedOn).map((name) => {
    const pages = readSet(name);
    const answerable = rowsOf(`${prefix}answerable.tsv`).filter(([set]) => set === name);
    const others = rowsOf(`${prefix}unanswerable.tsv`).filter(([set]) => set === name);
    const questions = [
      ...answerable.map(([set, kind, path, quote, text]) => ({
        set: set as SetName,
        kind: kind as Question["kind"],
        text: defined(text),
        answer: blockWith(pages, defined(path), defined(quote)),
      })),
      ...others.map(([set, text]) => ({
        set: set as SetName,
        kind: "none" as const,
        text: defined(text),
        answer: null,
      })),
    ];
    return { name, pages, questions };
  });
}
