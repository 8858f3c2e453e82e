import { defined } from "@svc/document/defined";
import type { Random } from "../corpus/random.ts";
import type { Answer } from "./caller.ts";

/** A document and every text that it may have now: one, or two after a write that nobody answered. */
export interface Page {
  readonly id: string;
  /** The marks in it, in order. */
  marks: readonly string[];
  version: string | undefined;
  isGone: boolean;
  isBusy: boolean;
  /** What an unanswered write would have made of it; such a page is left alone. */
  doubt?: { readonly marks?: readonly string[]; readonly isGone?: boolean };
}

const MARK = /\bmark\d+n\b/g;

export const marksIn = (text: string): string[] => text.match(MARK) ?? [];

/** What clients were told: each text carries marks of its own, and each mark is used once. */
export class Ledger {
  readonly pages: Page[] = [];
  readonly comments: { readonly page: string; readonly mark: string }[] = [];
  #marks = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  newMark(): string {
    return `mark${this.#marks++}n`;
  }

  created(id: string, marks: readonly string[], version: string | undefined): void {
    this.pages.push({ id, marks, version, isGone: false, isBusy: false });
  }

  /** Works with one of the known pages, alone. */
  async withPage(work: (page: Page) => Promise<void>): Promise<void> {
    const free = this.pages.filter((page) => !page.isBusy && !page.isGone && !page.doubt);
    const page = free[this.#random(Math.max(1, free.length))];
    if (!page) return;
    page.isBusy = true;
    await work(page).finally(() => {
      page.isBusy = false;
    });
  }

  /** Any page that is there, to be read. */
  any(): Page | undefined {
    const there = this.pages.filter((page) => !page.isGone && !page.doubt?.isGone);
    return there[this.#random(Math.max(1, there.length))];
  }

  /** Takes over what a write has made of a page; nobody knows when there was no answer. */
  wrote(page: Page, answer: Answer | undefined, marks: readonly string[]): void {
    if (!answer) page.doubt = { marks };
    else {
      page.marks = marks;
      page.version = answer.version ?? page.version;
    }
  }

  /** What is wrong with a page as it is read at the end. */
  problemOf(page: Page, answer: Answer): string | undefined {
    if (answer.status === 404) return page.isGone || page.doubt?.isGone ? undefined : `${page.id} is lost`;
    if (page.isGone) return `${page.id} is back`;
    const found = marksIn(answer.text).join(" ");
    const allowed = [page.marks, page.doubt?.marks].filter((marks) => marks !== undefined);
    if (allowed.some((marks) => marks.join(" ") === found)) return undefined;
    return `${page.id} has ${found}, expected was ${defined(allowed[0]).join(" ")}`;
  }
}
