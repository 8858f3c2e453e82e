import assert from "node:assert/strict";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";

/** A word that nobody else writes: the key of a typist, or what a program wrote. */
export interface Word {
  readonly text: string;
  readonly documentId: string;
  /** Taken out again by who wrote it. */
  isGone: boolean;
  /** Nobody knows whether the service has it, or its removal: its tab was closed before it was told. */
  isOpen: boolean;
}

const WORD = /\b[ta]\d+x\d+\b/g;

/** One author's words, numbered in the order of writing. */
export class Author {
  readonly #name: string;
  readonly words: Word[] = [];

  /** `t1`, or `a1` for a program. */
  constructor(name: string) {
    this.#name = name;
  }

  next(documentId: string): Word {
    const word = { text: `${this.#name}x${this.words.length}`, documentId, isGone: false, isOpen: false };
    this.words.push(word);
    return word;
  }

  wrote(text: string): boolean {
    return text.startsWith(`${this.#name}x`);
  }
}

export const wordsIn = (text: string): string[] => text.match(WORD) ?? [];

const numberOf = (word: string): number => Number(word.slice(word.indexOf("x") + 1));

/**
 * The model: each word that stands is there once, each that was taken out is not, nothing else is there; and in every block
 * the words of one author are in the order in which they were written.
 */
export function checkWords(documentId: string, blocks: readonly Node[], authors: readonly Author[]): void {
  const lines = blocks.map((block) => wordsIn(plainText(block)));
  const counts = new Map<string, number>();
  for (const text of lines.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  const problems: string[] = [];
  const written = authors.flatMap(({ words }) => words.filter((word) => word.documentId === documentId));
  for (const { text, isGone, isOpen } of written) {
    const count = counts.get(text) ?? 0;
    counts.delete(text);
    if (isOpen ? count > 1 : count !== (isGone ? 0 : 1)) problems.push(`${text} is there ${count} times`);
  }
  for (const text of counts.keys()) problems.push(`${text} belongs elsewhere`);
  const open = new Set(written.filter(({ isOpen }) => isOpen).map(({ text }) => text));
  for (const author of authors)
    for (const line of lines) {
      const own = line.filter((text) => author.wrote(text) && !open.has(text)).map(numberOf);
      if (own.some((n, i) => n < (own[i - 1] ?? 0))) problems.push(`out of order: ${line.join(" ")}`);
    }
  assert.deepEqual(problems, []);
}
