import type { CommandError } from "./command-error.ts";
import { note, type OutputOptions } from "./output.ts";

/** One line that says what is wrong and lines that say what to do; with `--json` one JSON object. On standard error. */
export function reportError(options: OutputOptions, error: CommandError): void {
  const { code, message, next, details, exitCode } = error;
  if (options.json) note(JSON.stringify({ error: { code, message, exit_code: exitCode, next, details } }));
  else note([`svc: ${message}`, ...next.map((line) => `     → ${line}`)].join("\n"));
}
