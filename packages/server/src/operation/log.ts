import { type Logger, pino } from "pino";
import type { Worker } from "./worker.ts";

/** Lines are gathered for this long or up to this size, so that a request does not wait for the log. */
const FLUSH_MS = 20;
const FLUSH_BYTES = 65_536;
/** The size that a pipe writes atomically (PIPE_BUF of Linux), so that no other process writes in between. */
const PIPE_BYTES = 4096;
/** The maximum of bytes per character. */
const WIDEST = 3;

let failedWrites = 0;
const countFailure = () => void failedWrites++;
/** The number of this process's failed writes to standard output or standard error, for example on a full disk. */
export const failedLogWrites = (): number => failedWrites;

/** A log that cannot be written must not end the process: Node would treat the failure as an uncaught exception. */
function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(countFailure)) stream.on("error", countFailure);
}

/**
 * Standard output, written in batches. Lines are converted to bytes at once: kept as text they would outlive their
 * requests. The rest is written when the process ends by itself.
 */
export class LogOutput {
  #bytes = Buffer.allocUnsafe(FLUSH_BYTES);
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Other processes write to the same output. */
  readonly #isShared: boolean;

  constructor(isShared = false) {
    this.#isShared = isShared;
    ignoreOutputErrors();
    process.once("exit", () => this.flush());
  }

  write(line: string): void {
    const most = line.length * WIDEST;
    if (this.#length + most > FLUSH_BYTES) this.flush();
    if (most > FLUSH_BYTES) return void process.stdout.write(line);
    this.#length += this.#bytes.write(line, this.#length);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#bytes.subarray(0, this.#length);
    if (lines.length === 0) return;
    this.#bytes = Buffer.allocUnsafe(FLUSH_BYTES);
    this.#length = 0;
    for (const piece of this.#isShared ? piecesOf(lines) : [lines]) process.stdout.write(piece);
  }
}

/** Splits into whole lines, as many as a pipe writes atomically; a longer line is written alone. */
export function piecesOf(lines: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const lineEnd = lines.indexOf("\n", start) + 1 || lines.length;
    const end = Math.max(lineEnd, lines.lastIndexOf("\n", start + PIPE_BYTES - 1) + 1);
    pieces.push(lines.subarray(start, end));
    start = end;
  }
  return pieces;
}

/**
 * The parts of an error that are logged. Drivers attach the query's values to their errors, which do not belong in a
 * log.
 */
function shownError(error: unknown): object {
  if (!(error instanceof Error)) return { message: "not an error" };
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: shownError(cause) }) };
}

/** JSON lines; with several workers each line has the worker's number. */
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
