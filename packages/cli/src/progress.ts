import { harmless } from "./output.ts";

const WIDTH = 24;
const EVERY_MS = 100;
const LINE_EVERY_MS = 1000;

interface Options {
  /** Also where the output is no terminal: one line a second. */
  readonly lines?: boolean;
  readonly output?: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly now?: () => number;
}

/** Shows how far long work is, on standard error: as a bar where that is a terminal. */
export class Progress {
  readonly #label: string;
  readonly #shown: (value: number) => string;
  readonly #output: NonNullable<Options["output"]>;
  readonly #isTerminal: boolean;
  readonly #lines: boolean;
  readonly #now: () => number;
  readonly #began: number;
  #drawn = 0;

  constructor(
    label: string,
    shown: (value: number) => string = String,
    { lines = false, output = process.stderr, now = Date.now }: Options = {},
  ) {
    this.#label = harmless(label);
    this.#shown = shown;
    this.#output = output;
    this.#isTerminal = output.isTTY === true;
    this.#lines = lines;
    this.#now = now;
    this.#began = now();
  }

  /** Without a total, only the amount done is shown. */
  show(done: number, total?: number | null): void {
    const now = this.#now();
    if (this.#isTerminal) this.#draw(now, done, total);
    else if (this.#lines) this.#line(now, done, total);
  }

  /** Removes the bar. */
  end(): void {
    if (this.#isTerminal && this.#drawn > 0) this.#output.write("\r\x1b[K");
  }

  #draw(now: number, done: number, total?: number | null): void {
    if (now - this.#drawn < EVERY_MS && done !== total) return;
    this.#drawn = now;
    const full = total ? Math.min(WIDTH, Math.round((done / total) * WIDTH)) : 0;
    const bar = total ? `${"█".repeat(full)}${"░".repeat(WIDTH - full)}  ` : "";
    this.#output.write(`\r\x1b[K${this.#label}  ${bar}${this.#text(now, done, total)}`);
  }

  #line(now: number, done: number, total?: number | null): void {
    if (now - Math.max(this.#drawn, this.#began) < LINE_EVERY_MS) return;
    this.#drawn = now;
    this.#output.write(`${this.#label}: ${this.#text(now, done, total)}\n`);
  }

  /** Count and rate; no rate within the first second, when it would say little. */
  #text(now: number, done: number, total?: number | null): string {
    const count = this.#shown(done) + (total ? ` of ${this.#shown(total)}` : "");
    const elapsed = now - this.#began;
    return elapsed < LINE_EVERY_MS ? count : `${count}, ${this.#shown(Math.round((done * 1000) / elapsed))} a second`;
  }
}
