import { type Logger, pino } from "pino";
import type { Worker } from "./worker.ts";

/** Lines are gathered for this long or up to this size, so that a request does not wait for the log. */
const FLUSH_MS = 20;
const FLUSH_CHARACTERS = 65_536;
/** What a pipe takes as one piece (PIPE_BUF of Linux): nothing of another process comes in between. */
const PIPE_BYTES = 4096;

/** Standard output, written in batches. What is still in memory goes out when the process ends by itself. */
export class LogOutput {
  #lines = "";
  #timer: NodeJS.Timeout | undefined;
  /** Other processes write to the same output. */
  readonly #isShared: boolean;

  constructor(isShared = false) {
    this.#isShared = isShared;
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
    if (lines === "") return;
    for (const piece of this.#isShared ? piecesOf(lines) : [lines]) process.stdout.write(piece);
  }
}

/** Whole lines, as many at a time as a pipe keeps together; a longer line goes alone. */
export function piecesOf(lines: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const line of lines.split(/(?<=\n)/)) {
    const length = Buffer.byteLength(line);
    if (piece !== "" && bytes + length > PIPE_BYTES) {
      pieces.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += line;
    bytes += length;
  }
  return [...pieces, piece];
}

/** What a failure says of itself. Drivers hang values of the query on their errors, which do not belong in a log. */
function shownError(error: unknown): object {
  if (!(error instanceof Error)) return { message: "not an error" };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: shownError(cause) }) };
}

/** JSON lines; of several workers each tells its number. */
export const makeLog = (level: string, output: LogOutput, worker?: Pick<Worker, "number">): Logger =>
  pino(
    {
      level,
      base: worker && { worker: worker.number },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: shownError },
    },
    output,
  );
