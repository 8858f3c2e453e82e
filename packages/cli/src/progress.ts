import { harmless } from "./output.ts";

const WIDTH = 24;
const EVERY_MS = 100;

/** How far long work is, on standard error, and only where that is a terminal. */
export class Progress {
  readonly #label: string;
  readonly #shown: (value: number) => string;
  readonly #live = process.stderr.isTTY === true;
  #drawn = 0;

  constructor(label: string, shown: (value: number) => string = String) {
    this.#label = label;
    this.#shown = shown;
  }

  /** Without a total, only the amount done is shown. */
  show(done: number, total?: number | null): void {
    const now = Date.now();
    if (!this.#live || (now - this.#drawn < EVERY_MS && done !== total)) return;
    this.#drawn = now;
    process.stderr.write(`\r\x1b[K${harmless(this.#label)}  ${this.#bar(done, total)}`);
  }

  end(): void {
    if (this.#live && this.#drawn > 0) process.stderr.write("\r\x1b[K");
  }

  #bar(done: number, total?: number | null): string {
    if (!total) return this.#shown(done);
    const full = Math.min(WIDTH, Math.round((done / total) * WIDTH));
    return `${"█".repeat(full)}${"░".repeat(WIDTH - full)}  ${this.#shown(done)} of ${this.#shown(total)}`;
  }
}
