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

/** What a failure says of itself. Drivers hang values of the query on their errors, which do not belong in a log. */
function shownError(error: unknown): object {
  if (!(error instanceof Error)) return { message: "not an error" };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: shownError(cause) }) };
}

/** JSON lines. */
export const makeLog = (level: string, output: LogOutput): Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: shownError } }, output);
