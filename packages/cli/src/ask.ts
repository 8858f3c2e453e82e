import { createInterface } from "node:readline/promises";
import { CommandError, usage } from "./command-error.ts";
import { EXIT } from "./exit-codes.ts";

export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on the terminal; what is asked is not a result, so it goes to standard error. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new AbortController();
  for (const end of ["SIGINT", "close"]) lines.once(end, () => interrupted.abort());
  try {
    return (await lines.question(question, { signal: interrupted.signal })).trim();
  } catch {
    throw new CommandError(EXIT.interrupted, "Interrupted.", { code: "interrupted" });
  } finally {
    lines.close();
  }
}

/** Lets what cannot be undone through only with `--yes`, or when the name is typed. */
export async function confirmByName(what: string, name: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw usage(`${what} This cannot be undone: add --yes to do it.`);
  if ((await ask(`${what} This cannot be undone. Type its name to do it: `)) !== name)
    throw usage("That is not its name; nothing was deleted.");
}
