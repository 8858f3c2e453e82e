import { type Logger, pino } from "pino";

/** Lines are gathered for this long or up to this size, so that a request does not wait for the log. */
const FLUSH_MS = 20;
const FLUSH_CHARACTERS = 16_384;

/** JSON lines on standard output. What is still in memory goes out when the process ends by itself. */
export function makeLog(level: string): Logger {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== "") process.stdout.write(lines);
    lines = "";
  };
  const write = (line: string) => {
    lines += line;
    if (lines.length > FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };
  process.once("exit", flush);
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
