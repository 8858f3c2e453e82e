import { type Logger, pino } from "pino";

/** Lines are gathered for this long or up to this size, so that a request does not wait for the log. */
const FLUSH_MS = 20;
const FLUSH_CHARACTERS = 65_536;

/** Standard output, written in batches. What is still in memory goes out when the process ends by itself. */
export class LogOutput {
  #lines = "";
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length > FLUSH_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = "";
    if (lines !== "") process.stdout.write(lines);
  }
}

/** JSON lines. */
export const makeLog = (level: string, output: LogOutput): Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, output);
